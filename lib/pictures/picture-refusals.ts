// The errors for pictures that cannot be resized, and the pictures that are not tried again.

import { LRUCache } from 'lru-cache'
import { CmsError } from '../base/errors.ts'
import type { Outcome } from './picture-process.ts'
import { MAX_FORM_BYTES, MAX_PIXELS, MAX_SOURCE_BYTES, type PictureFault } from './picture-job.ts'

type Failure = Extract<Outcome, { readonly failure: unknown }>['failure']
export type Trouble = PictureFault | Failure | 'source' | 'kind'

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
  killed: 'The process that reads pictures was ended from outside. Try again.',
  unstarted: 'The process that reads pictures could not start. Try again later.',
  gone: 'The picture is not made, because nobody waits for it.',
  unsupported:
    'The picture library could not be loaded on this server. Download the original, or ask the operator to install the package sharp for this platform.',
}

const RETRY = { headers: { 'retry-after': '2' } }

export function refusePicture(trouble: Trouble): CmsError {
  if (trouble === 'unsupported') return new CmsError('not-implemented', DETAILS[trouble])
  if (trouble === 'gone') return new CmsError('unavailable', DETAILS[trouble])
  const isOutside = trouble === 'killed' || trouble === 'unstarted'
  return isOutside
    ? new CmsError('unavailable', DETAILS[trouble], RETRY)
    : new CmsError('picture-refused', DETAILS[trouble])
}

/** A picture that was refused is not read again for this long, so that a hostile one costs little. */
const REFUSED_MS = 10 * 60_000

interface Refusals {
  find(name: string): Trouble | undefined
  /** Returns the trouble to tell. A picture that uses up the memory of the machine, so that the kernel ends its process, is tried twice. */
  note(name: string, trouble: Trouble): Trouble
}

export function openRefusals(): Refusals {
  const refused = new LRUCache<string, Trouble>({ max: 1_000, ttl: REFUSED_MS })
  const killed = new LRUCache<string, true>({ max: 1_000, ttl: REFUSED_MS })
  return {
    find: (name) => refused.get(name),
    note(name, found) {
      const trouble = found === 'killed' && killed.has(name) ? 'crash' : found
      if (trouble === 'killed') killed.set(name, true)
      else if (trouble !== 'unstarted') refused.set(name, trouble)
      return trouble
    },
  }
}
