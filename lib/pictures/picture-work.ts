// Reads pictures with sharp, in the picture process.

import { createRequire } from 'node:module'
import type { default as SharpLibrary, Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { PICTURE_TYPES } from '../shared/picture-parameters.ts'
import {
  MAX_PIXELS,
  type PictureAnswer,
  type PictureFacts,
  type PictureFault,
  type PictureJob,
} from './picture-job.ts'

interface Done {
  readonly answer: PictureAnswer
  readonly picture?: Uint8Array
}

const TIMEOUT_SECONDS = 20
/** ThumbHash takes pictures up to this size. */
const HASHED_SIDE = 100

/** Loaders of other formats are blocked, because each format that is read can be attacked. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map(
  (name) => `VipsForeignLoad${name}Buffer`,
)

const READING = {
  limitInputPixels: MAX_PIXELS,
  sequentialRead: true,
  failOn: 'error',
  animated: true,
} as const

const sharp = loadSharp()

/** Undefined on a platform without a build of sharp. */
function loadSharp(): typeof SharpLibrary | undefined {
  try {
    const loaded = createRequire(import.meta.url)('sharp') as typeof SharpLibrary
    loaded.concurrency(1)
    loaded.cache(false)
    loaded.block({ operation: ['VipsForeignLoad'] })
    loaded.unblock({ operation: LOADERS })
    return loaded
  } catch {
    return undefined
  }
}

export async function answerTo(job: PictureJob, bytes: Buffer): Promise<Done> {
  if (sharp === undefined) return refused('unsupported')
  try {
    return await work(sharp, job, bytes)
  } catch (error) {
    return refused(faultOf(error))
  }
}

async function work(read: typeof SharpLibrary, job: PictureJob, bytes: Buffer): Promise<Done> {
  const found = await read(bytes, READING).metadata()
  if (found.mediaType !== job.type || !PICTURE_TYPES.includes(job.type)) return refused('type')
  const { width, height: allHeight } = found.autoOrient
  const height = found.pageHeight ?? allHeight
  const thumbhash = await hashOf(read(bytes, { ...READING, animated: false }))
  const facts = { width, height, thumbhash }
  return { answer: { kind: 'measured', sizeBytes: 0, facts } }
}

async function hashOf(picture: Sharp): Promise<PictureFacts['thumbhash']> {
  const { data, info } = await picture
    .autoOrient()
    .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .ensureAlpha()
    .timeout({ seconds: TIMEOUT_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

function refused(fault: PictureFault): Done {
  return { answer: { kind: 'refused', sizeBytes: 0, fault } }
}

/** sharp reports faults only by their text. */
function faultOf(error: unknown): PictureFault {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit|exceeds limit|too large/i.test(text)) return 'pixels'
  if (/unsupported image format/i.test(text)) return 'type'
  return /timeout/i.test(text) ? 'slow' : 'damaged'
}
