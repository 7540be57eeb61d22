// What the store of contents says, as what a client can do about it. That an object is not there is an answer, and
// no fault; whatever else goes wrong says nothing of the object, and is 503.

import { CmsError } from '../../errors.ts'

const RETRY_AFTER = { 'retry-after': '5' }

/** By the name of the error, where the status says less. */
const NO_ROOM: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage'])
const NOT_THERE: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound'])

export function isNotThere(error: unknown): boolean {
  return NOT_THERE.has(nameOf(error))
}

export function isNoSuchUpload(error: unknown): boolean {
  return nameOf(error) === 'NoSuchUpload'
}

/** An object without bytes has no range. */
export function isNoSuchRange(error: unknown): boolean {
  return nameOf(error) === 'InvalidRange' || statusOf(error) === 416
}

export function toStoreFault(error: unknown): CmsError {
  if (error instanceof CmsError) return error
  if (NO_ROOM.has(nameOf(error)) || statusOf(error) === 507) {
    const detail = 'The store of contents has no room for new content. Nothing was changed.'
    return new CmsError('disk-full', detail, { cause: error })
  }
  const detail =
    'The store of contents does not answer as it should. Nothing was changed: try again in some seconds.'
  return new CmsError('unavailable', detail, { cause: error, headers: RETRY_AFTER })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}
