// The errors for pictures that cannot be resized.

import { CmsError } from '../base/errors.ts'
import { MAX_FORM_BYTES, MAX_PIXELS, MAX_SOURCE_BYTES, type PictureFault } from './picture-job.ts'

export type Trouble = PictureFault | 'crash' | 'timeout' | 'gone' | 'source' | 'kind'

const MIB = 1024 * 1024

const DETAILS: Readonly<Record<Trouble, string>> = {
  kind: 'The file is not a picture of type JPEG, PNG, GIF, WebP or AVIF. Download it without these parameters.',
  type: 'The file begins like a picture, but the rest is not a picture of this type. Save the picture again in another program.',
  pixels: `The picture has more than ${MAX_PIXELS.toLocaleString('en')} pixels in all its frames. Save a smaller one.`,
  damaged: 'The bytes of the picture are damaged or incomplete. Save the picture again.',
  animated:
    'The picture is animated, which only WebP and GIF can show. Ask for format=webp or format=auto.',
  large: `The result would have more than ${MAX_FORM_BYTES / MIB} MiB. Ask for a smaller one, or for another format.`,
  source: `The picture has more than ${MAX_SOURCE_BYTES / MIB} MiB. Save a smaller one.`,
  slow: 'The picture took too long. Ask for a smaller one, or save a simpler picture.',
  timeout: 'The picture took too long. Ask for a smaller one, or save a simpler picture.',
  crash:
    'The picture took too much memory, or ended the process that reads pictures. Save a simpler picture.',
  gone: 'The picture is not made, because nobody waits for it.',
  unsupported:
    'The picture library could not be loaded on this server. Download the original, or ask the operator to install the package sharp for this platform.',
}

export function refusePicture(trouble: Trouble): CmsError {
  const code =
    trouble === 'unsupported'
      ? 'not-implemented'
      : trouble === 'gone'
        ? 'unavailable'
        : 'picture-refused'
  return new CmsError(code, DETAILS[trouble])
}
