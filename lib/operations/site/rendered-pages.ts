// Pages of type stml, rendered for visitors (schema/stml-template.ts). The stored bytes stay as they are.

import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import { LIMITS } from '../../config/limits.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { STML } from '../../schema/media-type.ts'
import { documentOf, type StmlDocument } from '../../schema/stml-document.ts'
import type { StmlTemplate } from '../../schema/stml-output.ts'
import { renderStml } from '../../schema/stml-template.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Context } from '../context.ts'
import { openDownload } from '../files/download-bytes.ts'

export interface RenderedPage extends StmlDocument {
  readonly paths: LinkedPaths
}

/** The paths of linked files by their numbers, percent-encoded; undefined if the site does not show the file. */
export type LinkedPaths = ReadonlyMap<number, string | undefined>

/** The path of a file, as in LinkedPaths. */
type PathTo = (fileId: number) => string | undefined

interface ShownPage {
  readonly version: AssetFileVersion
  /** The name of the file on the site. */
  readonly name: string
  readonly pathTo: PathTo
}

/** Whether the site shows the version as an HTML page that differs from the stored bytes. */
export function isRendered({ mime_type: type, is_text: isText }: AssetFileVersion): boolean {
  return type === STML && isText
}

/** Throws content-damaged if the bytes differ from the saved ones. */
export async function renderPage(
  context: Context,
  { version, name, pathTo }: ShownPage,
): Promise<RenderedPage> {
  const template = await findTemplate(context, version)
  const ids = template.links.map(({ fileId }) => fileId)
  const paths = await readPaths(new Set(ids), pathTo)
  const parts = { title: version.title, name, paths: ids.map((id) => paths.get(id)) }
  return { ...documentOf(template, parts), paths }
}

/** Reads in time slices, because each file may be 64 folders deep. */
export async function readPaths(ids: Iterable<number>, pathTo: PathTo): Promise<LinkedPaths> {
  const paths = new Map<number, string | undefined>()
  const slice = openTimeSlice()
  for (const id of ids) {
    if (slice.isOver(0)) await slice.next()
    paths.set(id, pathTo(id))
  }
  return paths
}

/** By the hash of the source: a source always gives the same template. */
const TEMPLATES = new LRUCache<string, StmlTemplate>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ bytes, links }) => bytes.length + links.length * 100 + 1_000,
})
const underWay = new Map<string, Promise<StmlTemplate>>()

/** Concurrent requests for the same page share one rendering. */
async function findTemplate(context: Context, version: AssetFileVersion): Promise<StmlTemplate> {
  const { sha256 } = version
  const known = TEMPLATES.get(sha256) ?? underWay.get(sha256)
  if (known !== undefined) return known
  const made = makeTemplate(context, version).finally(() => underWay.delete(sha256))
  underWay.set(sha256, made)
  const template = await made
  // A large page takes a second of a thread.
  const isLarge = version.size > LIMITS.inlineContentBytes
  if (isLarge || admits(TEMPLATES, sha256)) TEMPLATES.set(sha256, template)
  return template
}

async function makeTemplate(context: Context, version: AssetFileVersion): Promise<StmlTemplate> {
  // Below, rendering is faster than the round trip to a thread.
  if (version.size > LIMITS.inlineContentBytes)
    return context.stmlWork.render(() => readBytes(context, version))
  return renderStml(Buffer.from(await readBytes(context, version)).toString())
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
