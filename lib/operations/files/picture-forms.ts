// A download in another size or format: finds the form in the cache of this server, or has it made.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { CmsError } from '../../base/errors.ts'
import { refusePicture } from '../../pictures/picture-refusals.ts'
import type { PictureForm } from '../../pictures/picture-job.ts'
import type { OpenSource } from '../../pictures/pictures.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { PICTURE_TYPES, PICTURE_WIDTHS, type PictureWish } from '../../shared/picture-parameters.ts'
import type { Context } from '../context.ts'
import { openDownload } from './download-bytes.ts'
import type { Download } from './downloads.ts'
import { findVersion } from './versions.ts'

/** The parameters of a request, read but not yet allowed. */
export interface PictureAsk {
  readonly wish: PictureWish
  /** The name of a preset, instead of a wish. */
  readonly preset: string | undefined
  readonly acceptsWebp: boolean
}

interface Asking {
  /** The key or address that the work counts for. */
  readonly party: string
  readonly signal: AbortSignal
}

/** Part of the name of each stored form: a change of how forms are made gets another number. */
const MAKING = 1

export function isPicture({ sniffed_type: type }: AssetFileVersion): boolean {
  return type !== null && PICTURE_TYPES.includes(type)
}

/**
 * The wish of a request. Readers without a key choose among presets and a few widths, so that they can neither fill the
 * cache nor keep the server busy. Throws bad-request with the possible values.
 */
export function allowedWish(
  { picturePresets: presets }: Pick<Context, 'picturePresets'>,
  { wish, preset }: PictureAsk,
  isPublic: boolean,
): PictureWish {
  const names = [...presets.keys()].join(', ')
  if (preset !== undefined) {
    const found = presets.get(preset)
    if (found !== undefined) return found
    const known = names === '' ? 'this server has none' : `known are ${names}`
    throw new CmsError('bad-request', `There is no preset ${JSON.stringify(preset)}; ${known}.`)
  }
  const { width, format: _, ...others } = wish
  const isFree = Object.keys(others).length > 0
  if (!isPublic || (!isFree && PICTURE_WIDTHS.some((each) => each === width))) return wish
  throw new CmsError(
    'bad-request',
    `Without a key, send ?width= with one of ${PICTURE_WIDTHS.join(', ')}, with or without format, or ?preset= (${names === '' ? 'this server has none' : names}).`,
  )
}

/**
 * The download with the bytes of the form. Throws picture-refused, not-implemented, content-damaged, or
 * too-many-requests and unavailable if too many pictures wait.
 */
export async function formOf(
  context: Context,
  download: Download,
  ask: Pick<PictureAsk, 'wish' | 'acceptsWebp'>,
  { party, signal }: Asking,
): Promise<Download> {
  const { version } = download
  const { uid, size: sizeBytes, sniffed_type: type } = version
  if (type === null || !PICTURE_TYPES.includes(type)) throw refusePicture('kind')
  const form = formFor(version, ask)
  const name = nameOf(form)
  const known = await context.pictureStore?.read({ uid, form: name }).catch(() => undefined)
  const bytes =
    known ??
    (await context.pictures.make({
      name: `${uid} ${name}`,
      type,
      form,
      sizeBytes,
      party,
      signal,
      open: () => openSource(context, version),
      onMade: (made) => store(context, version, { name, made }),
    }))
  return { ...download, version: shownVersion(version, name, bytes), form: bytes }
}

function formFor(
  { focus: own }: AssetFileVersion,
  { wish, acceptsWebp }: Pick<PictureAsk, 'wish' | 'acceptsWebp'>,
): PictureForm {
  const { width, height, fit = 'cover', format = 'auto', quality } = wish
  const isCropped = width !== undefined && height !== undefined && fit === 'cover'
  return {
    width,
    height,
    fit,
    quality,
    format: format === 'auto' ? (acceptsWebp ? 'webp' : 'own') : format,
    focus: isCropped ? pointOf(wish.focus ?? own) : undefined,
  }
}

function pointOf(text: string | null | undefined): PictureForm['focus'] {
  if (text === null || text === undefined) return undefined
  const [x = 0.5, y = 0.5] = text.split(',').map(Number)
  return { x, y }
}

function nameOf({ width, height, fit, format, quality, focus }: PictureForm): string {
  const size = `${width ?? ''}x${height ?? ''}`
  const point = focus === undefined ? '' : `${focus.x},${focus.y}`
  return [MAKING, size, fit, format, quality ?? '', point].join('-')
}

/** The bytes, which are compared with their hash before or while they are read. */
async function openSource(context: Context, version: AssetFileVersion): Promise<OpenSource> {
  const opened = await openDownload(context, { version })
  const sizeBytes = version.size
  if (opened.kind === 'stream') {
    const { content } = opened
    return { sizeBytes, chunks: () => content.chunks(), close: () => content.close() }
  }
  const { bytes, giveBack } = opened.lent
  return { sizeBytes, chunks: () => [bytes], close: () => giveBack?.() }
}

/** A form is a cache: without room for it, or with a failing disk, it is sent and not kept. */
async function store(
  { records, room, pictureStore }: Context,
  { asset_file_id: id, version: number, uid }: AssetFileVersion,
  { name, made }: { readonly name: string; readonly made: Buffer },
): Promise<void> {
  try {
    room.require('content', made.length)
    await pictureStore?.write({ uid, form: name }, made)
    // The version may have been removed meanwhile, together with the forms that it had.
    if (findVersion(records, id, number)?.uid !== uid) await pictureStore?.drop([uid])
  } catch {
    // The disk reports its own troubles.
  }
}

/** The first bytes of each format that forms have, and its usual ending. */
const FORMATS = [
  { type: 'image/jpeg', ending: 'jpg', offset: 0, text: '\xff\xd8\xff' },
  { type: 'image/png', ending: 'png', offset: 0, text: '\x89PNG' },
  { type: 'image/gif', ending: 'gif', offset: 0, text: 'GIF8' },
  { type: 'image/webp', ending: 'webp', offset: 8, text: 'WEBP' },
  { type: 'image/avif', ending: 'avif', offset: 4, text: 'ftyp' },
] as const

/**
 * The version as it would be with these bytes: type, name, size and hash are those of the form. The hash covers the
 * original, the parameters and a checksum of the bytes, because SHA-256 of a large form would take tens of milliseconds.
 */
function shownVersion(version: AssetFileVersion, form: string, bytes: Buffer): AssetFileVersion {
  const found = FORMATS.find(
    ({ offset, text }) => bytes.toString('latin1', offset, offset + text.length) === text,
  )
  if (found === undefined) throw refusePicture('damaged')
  const { type, ending } = found
  const isNamed = type === version.mime_type
  return {
    ...version,
    name: isNamed ? version.name : `${version.name.replace(/\.[^.]*$/, '')}.${ending}`,
    mime_type: type,
    size: bytes.length,
    sha256: hash('sha256', `${version.sha256} ${form} ${crc32(bytes)}`),
    is_text: false,
    is_inline: true,
  }
}
