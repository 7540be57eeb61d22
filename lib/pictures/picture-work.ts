// Reads pictures with sharp, in the picture process.

import { createRequire } from 'node:module'
import type { default as SharpLibrary, Metadata, Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { MAX_PICTURE_SIDE, PICTURE_TYPES } from '../shared/picture-parameters.ts'
import {
  MAX_FORM_BYTES,
  MAX_PIXELS,
  type PictureAnswer,
  type PictureFacts,
  type PictureFault,
  type PictureForm,
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
    const found = await sharp(bytes, READING).metadata()
    if (found.mediaType !== job.type || !PICTURE_TYPES.includes(job.type)) return refused('type')
    if (job.kind === 'form') return await makeForm(sharp(bytes, READING), found, job.form)
    const thumbhash = await hashOf(sharp(bytes, { ...READING, animated: false }))
    return { answer: { kind: 'measured', sizeBytes: 0, facts: { ...sizeOf(found), thumbhash } } }
  } catch (error) {
    return refused(faultOf(error))
  }
}

/** The size of one frame, as it is shown. */
function sizeOf({ autoOrient: { width, height }, pageHeight }: Metadata): Size {
  return { width, height: pageHeight ?? height }
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

/** Metadata such as the place of a photo is left out; colors are converted to sRGB. */
async function makeForm(picture: Sharp, found: Metadata, form: PictureForm): Promise<Done> {
  const isAnimated = (found.pages ?? 1) > 1
  const format = form.format === 'own' ? ownFormat(found, isAnimated) : form.format
  if (isAnimated && format !== 'webp' && format !== 'gif') return refused('animated')
  const shown = isAnimated ? picture : picture.autoOrient()
  const resized = resize(shown, sizeOf(found), form, format === 'jpeg')
  const bytes = await encode(resized.toColorspace('srgb'), format, form.quality)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer()
  if (bytes.length > MAX_FORM_BYTES) return refused('large')
  return { answer: { kind: 'formed', sizeBytes: bytes.length }, picture: bytes }
}

function ownFormat(found: Metadata, isAnimated: boolean): 'gif' | 'png' | 'jpeg' {
  if (isAnimated || found.format === 'gif') return 'gif'
  return found.format === 'png' || found.hasAlpha ? 'png' : 'jpeg'
}

const WHITE = '#fff'
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

function resize(picture: Sharp, original: Size, form: PictureForm, isOpaque: boolean): Sharp {
  const { width, height, fit, focus } = form
  const background = isOpaque ? WHITE : CLEAR
  const flat = isOpaque ? picture.flatten({ background }) : picture
  if (width === undefined || height === undefined || fit === 'inside')
    return flat.resize(width ?? MAX_PICTURE_SIDE, height ?? MAX_PICTURE_SIDE, {
      fit: 'inside',
      withoutEnlargement: true,
    })
  if (fit === 'contain') {
    const isSmaller = original.width <= width && original.height <= height
    if (!isSmaller) return flat.resize(width, height, { fit, background })
    const [across, down] = [width - original.width, height - original.height]
    const [left, top] = [Math.floor(across / 2), Math.floor(down / 2)]
    return flat.extend({ left, top, right: across - left, bottom: down - top, background })
  }
  const { size, region } = findCrop(original, { width, height }, focus)
  return region === undefined
    ? flat.resize(size.width, size.height, { fit: 'cover' })
    : flat.extract(region).resize(size.width, size.height, { fit: 'fill' })
}

function encode(
  picture: Sharp,
  format: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif',
  quality: number | undefined,
): Sharp {
  const options = quality === undefined ? {} : { quality }
  switch (format) {
    case 'webp':
      return picture.webp(options)
    case 'avif':
      // With the default effort, a large picture takes several seconds.
      return picture.avif({ ...options, effort: 2 })
    case 'jpeg':
      return picture.jpeg(options)
    case 'png':
      return picture.png()
    case 'gif':
      return picture.gif()
  }
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

interface Size {
  readonly width: number
  readonly height: number
}

interface Region extends Size {
  readonly left: number
  readonly top: number
}

/** The part of a picture that a crop keeps. */
interface Crop {
  /** Size of the result, with the shape of the wanted size and not larger than the original. */
  readonly size: Size
  /** The part of the original; undefined: the largest part around the center. */
  readonly region: Region | undefined
}

function findCrop(
  { width, height }: Size,
  wanted: Size,
  focus: { readonly x: number; readonly y: number } | undefined,
): Crop {
  const scale = Math.max(wanted.width / width, wanted.height / height)
  const size =
    scale <= 1
      ? wanted
      : { width: rounded(wanted.width / scale), height: rounded(wanted.height / scale) }
  if (focus === undefined) return { size, region: undefined }
  const part = {
    width: Math.min(width, rounded(wanted.width / scale)),
    height: Math.min(height, rounded(wanted.height / scale)),
  }
  const region = {
    ...part,
    left: within(focus.x * width - part.width / 2, width - part.width),
    top: within(focus.y * height - part.height / 2, height - part.height),
  }
  return { size, region }
}

function rounded(length: number): number {
  return Math.max(1, Math.round(length))
}

function within(start: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(start)))
}
