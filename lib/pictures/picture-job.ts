// Messages between the server and its picture process (picture-child.ts). Each side sends frames over a pipe:
//
//   4 bytes    length of the JSON text, big endian
//   JSON text  a PictureJob to the child, a PictureAnswer to the server
//   bytes      as many as sizeBytes in the JSON text says: the picture
//
// The child takes one job at a time and answers each job with one frame.

/** Measured from the bytes, with the orientation of EXIF applied. */
export interface PictureFacts {
  /** In pixels; of one frame, if the picture is animated. */
  readonly width: number
  readonly height: number
  /** A placeholder of about 25 bytes, in base64: https://evanw.github.io/thumbhash/ */
  readonly thumbhash: string
}

/** A picture in another size or format. It is never larger than the original. */
export interface PictureForm {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly fit: 'cover' | 'contain' | 'inside'
  /** `own`: JPEG, PNG or GIF, whichever every browser shows and the picture needs. */
  readonly format: 'webp' | 'avif' | 'jpeg' | 'png' | 'own'
  /** Undefined: the default of the format. */
  readonly quality: number | undefined
  /** The point that a crop keeps, from the left and the top, 0 to 1. */
  readonly focus: { readonly x: number; readonly y: number } | undefined
}

interface JobOf<K> {
  readonly kind: K
  /** The media type that the first bytes indicate. The child rejects bytes of another type. */
  readonly type: string
}

export type PictureJob = JobOf<'measure'> | (JobOf<'form'> & { readonly form: PictureForm })

/** Why the child could not use a picture. */
export type PictureFault =
  | 'type'
  | 'pixels'
  | 'damaged'
  | 'slow'
  | 'animated'
  | 'large'
  | 'unsupported'

export type PictureAnswer =
  | { readonly kind: 'measured'; readonly sizeBytes: 0; readonly facts: PictureFacts }
  | { readonly kind: 'formed'; readonly sizeBytes: number }
  | { readonly kind: 'refused'; readonly sizeBytes: 0; readonly fault: PictureFault }

/** A source longer than this is rejected: the child has all its bytes in memory. */
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024
/** A longer result is rejected: the server has all its bytes in memory, and hashes them at once. */
export const MAX_FORM_BYTES = 16 * 1024 * 1024
/** Pixels of all frames of a picture. The picture takes up to four bytes for each in memory. */
export const MAX_PIXELS = 100_000_000
/** The child ends above this resident memory. */
export const MAX_CHILD_BYTES = 1024 * 1024 * 1024

const LENGTH_BYTES = 4

/** The beginning of a frame. */
export function frameHead(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}

export interface Frame<T> {
  readonly message: T
  readonly bytes: Buffer
}

/** The frames of a stream. Bytes at the end that are not a whole frame are dropped. */
export async function* readFrames<T extends { readonly sizeBytes: number }>(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Frame<T>, void> {
  let chunks: Buffer[] = []
  let sizeBytes = 0
  let head: { readonly message: T; readonly endBytes: number } | undefined
  for await (const chunk of stream) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    while (sizeBytes >= (head?.endBytes ?? LENGTH_BYTES)) {
      const all = Buffer.concat(chunks)
      chunks = [all]
      head ??= headIn<T>(all)
      if (head === undefined || all.length < head.endBytes) break
      const { message, endBytes } = head
      yield { message, bytes: all.subarray(endBytes - message.sizeBytes, endBytes) }
      chunks = [all.subarray(endBytes)]
      sizeBytes = all.length - endBytes
      head = undefined
    }
  }
}

/** Undefined if the JSON text has not arrived completely. */
function headIn<T extends { readonly sizeBytes: number }>(all: Buffer) {
  const textEnd = LENGTH_BYTES + all.readUInt32BE(0)
  if (all.length < textEnd) return undefined
  // The other end of the pipe is this program.
  const message = JSON.parse(all.toString('utf8', LENGTH_BYTES, textEnd)) as T
  return { message, endBytes: textEnd + message.sizeBytes }
}
