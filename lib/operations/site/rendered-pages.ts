// Pages that the site puts together: pages of type stml, and HTML pages with a layout or with shortcodes. The stored bytes stay
// as they are, and every other HTML page is sent as stored.

import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/cache-bound.ts'
import { admits } from '../../base/cache-admission.ts'
import { CmsError, isNotFound } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { mayHoldSlots } from '../../schema/html-scan.ts'
import { HTML, STML } from '../../schema/media-type.ts'
import {
  type ComposedPage,
  composePage,
  hasShortcodes,
  isLayout,
  type PageSources,
} from '../../schema/page-composition.ts'
import { type PageSource, readPage } from '../../schema/page-source.ts'
import type { PageTemplate } from '../../schema/stml-output.ts'
import { MAX_COMPOSED_BYTES } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { openDownload } from '../files/download-bytes.ts'

interface ShownPage {
  readonly version: AssetFileVersion
  /** The name of the file on the site. */
  readonly name: string
  /** The version of the layout that applies to the page; the site shows the layout. */
  readonly layout: AssetFileVersion | undefined
  readonly sources: PageSources
}

/** Whether the bytes can be a part of a page. */
export function isPage({ mime_type: type, is_text: isText, size }: AssetFileVersion): boolean {
  return isText && (type === STML || (type === HTML && size <= MAX_COMPOSED_BYTES))
}

/** True if the site is sure to send the stored bytes of a page without a layout. */
export function isKnownPlain({ mime_type: type, sha256 }: AssetFileVersion): boolean {
  return type === HTML && PLAIN.has(sha256)
}

/** Undefined if the site sends the stored bytes. Throws content-damaged if the bytes differ from the saved ones. */
export async function renderPage(
  context: Context,
  { version, name, layout: asked, sources }: ShownPage,
): Promise<ComposedPage | undefined> {
  const layout = asked && (await findLayout(context, asked))
  if (layout === undefined && (await isPlain(context, version))) return undefined
  const source = await findSource(context, version)
  const { asset_file_id: fileId, title } = version
  if (layout !== undefined && (isLayout(source) || layout.fileId === fileId))
    return renderPage(context, { version, name, layout: undefined, sources })
  return composePage({ fileId, source, title, name, layout }, sources)
}

async function findLayout(context: Context, version: AssetFileVersion) {
  const source = await findPart(context, version)
  if (source === undefined || !isLayout(source)) return undefined
  return { fileId: version.asset_file_id, source }
}

/** Undefined if the bytes are damaged or gone: a visitor still gets the rest of the page. */
export async function findPart(
  context: Context,
  version: AssetFileVersion,
): Promise<PageSource | undefined> {
  try {
    return await findSource(context, version)
  } catch (error) {
    if (isNotFound(error) || (error instanceof CmsError && error.code === 'content-damaged'))
      return undefined
    throw error
  }
}

/** By the hash of the source: a source always has the same parts. */
const SOURCES = new LRUCache<string, PageSource>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ whole, inside }) => sizeOf(whole) + (inside === whole ? 0 : sizeOf(inside)),
})
/** Hashes of HTML without shortcodes, which the site sends as stored. */
const PLAIN = new LRUCache<string, true>(upTo(50_000))
const underWay = new Map<string, Promise<PageSource>>()

function sizeOf({ bytes, slots }: PageTemplate): number {
  return bytes.length + slots.length * 100 + 1_000
}

async function isPlain(context: Context, version: AssetFileVersion): Promise<boolean> {
  const { mime_type: type, sha256 } = version
  if (type !== HTML || isKnownPlain(version)) return type === HTML
  const isSure = !SOURCES.has(keyOf(version)) && !mayHoldSlots(await readText(context, version))
  if (!isSure && hasShortcodes(await findSource(context, version))) return false
  PLAIN.set(sha256, true)
  return true
}

/** A file of another type may have the same bytes. */
function keyOf({ mime_type: type, sha256 }: AssetFileVersion): string {
  return `${type} ${sha256}`
}

/** Concurrent requests for the same page share one rendering. */
async function findSource(context: Context, version: AssetFileVersion): Promise<PageSource> {
  const key = keyOf(version)
  const known = SOURCES.get(key) ?? underWay.get(key)
  if (known !== undefined) return known
  const made = makeSource(context, version).finally(() => underWay.delete(key))
  underWay.set(key, made)
  const source = await made
  // A large page takes a second of a thread.
  const isLarge = version.size > LIMITS.inlineContentBytes
  if (isLarge || admits(SOURCES, key)) SOURCES.set(key, source)
  return source
}

async function makeSource(context: Context, version: AssetFileVersion): Promise<PageSource> {
  const { mime_type: type, size } = version
  // Below, rendering is faster than the round trip to a thread.
  if (size > LIMITS.inlineContentBytes)
    return context.stmlWork.render(type, () => readBytes(context, version))
  return readPage(type, await readText(context, version))
}

async function readText(context: Context, version: AssetFileVersion): Promise<string> {
  return Buffer.from(await readBytes(context, version)).toString()
}

async function readBytes(
  context: Context,
  version: AssetFileVersion,
): Promise<Uint8Array<ArrayBuffer>> {
  const opened = await openDownload(context, { version })
  if (opened.kind === 'whole') {
    const bytes = Uint8Array.from(opened.lent.bytes)
    opened.lent.giveBack?.()
    return bytes
  }
  const { content } = opened
  try {
    const bytes = new Uint8Array(version.size)
    let at = 0
    for await (const chunk of content.chunks()) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  } finally {
    await content.close()
  }
}
