// What all requests together may hold at once: memory for their bodies, memory for answers that wait until
// their clients have read them, and uploads on their way to the disk. One that wants more is refused, so that
// many large bodies, or clients that do not read, cannot use up the memory of the server. What a request has
// taken is given back when its answer is sent, whatever became of it.

import { CmsError } from '../errors.ts'

export interface AllowanceLimits {
  /** Of the bodies of all requests together. */
  readonly bodyMemoryBytes: number
  /** Of the answers of all requests together. */
  readonly answerMemoryBytes: number
  /** Smaller answers do not count. */
  readonly inlineJsonBytes: number
  readonly maxUploads: number
  readonly maxUploadsPerKey: number
}

export interface Allowance {
  /** Throws unavailable where a body of this size has no room beside what is held. */
  requireMemory(sizeBytes: number): void
  /** The request holds so many bytes more; throws unavailable where they are too many. */
  takeMemory(request: object, sizeBytes: number): void
  /** The answer has so many bytes in memory; throws unavailable where they are too many. */
  takeAnswer(request: object, sizeBytes: number): void
  /** The request is an upload of this key; throws unavailable or too-many-requests. */
  takeUpload(request: object, apiKeyId: number): void
  /** Gives back all that the request has taken. */
  release(request: object): void
}

interface Taken {
  sizeBytes: number
  answerBytes: number
  /** The key of an upload. */
  apiKeyId: number | undefined
}

export function openAllowance(limits: AllowanceLimits): Allowance {
  const { bodyMemoryBytes, answerMemoryBytes, inlineJsonBytes, maxUploads, maxUploadsPerKey } =
    limits
  const taken = new Map<object, Taken>()
  const uploadsOf = new Map<number, number>()
  let usedBytes = 0
  let answerBytes = 0
  let uploads = 0

  function takenBy(request: object): Taken {
    const known = taken.get(request)
    if (known !== undefined) return known
    const none = { sizeBytes: 0, answerBytes: 0, apiKeyId: undefined }
    taken.set(request, none)
    return none
  }

  function requireMemory(sizeBytes: number): void {
    if (usedBytes + sizeBytes > bodyMemoryBytes) throw noMemory()
  }

  function endUpload(apiKeyId: number): void {
    uploads -= 1
    const count = (uploadsOf.get(apiKeyId) ?? 0) - 1
    if (count > 0) uploadsOf.set(apiKeyId, count)
    else uploadsOf.delete(apiKeyId)
  }

  return {
    requireMemory,

    takeMemory(request, sizeBytes) {
      requireMemory(sizeBytes)
      usedBytes += sizeBytes
      takenBy(request).sizeBytes += sizeBytes
    },

    takeAnswer(request, sizeBytes) {
      if (sizeBytes <= inlineJsonBytes) return
      if (answerBytes + sizeBytes > answerMemoryBytes) throw noMemoryForAnswer()
      answerBytes += sizeBytes
      takenBy(request).answerBytes += sizeBytes
    },

    takeUpload(request, apiKeyId) {
      const count = uploadsOf.get(apiKeyId) ?? 0
      if (count >= maxUploadsPerKey) throw tooManyOfKey(maxUploadsPerKey)
      if (uploads >= maxUploads) throw tooManyUploads()
      uploads += 1
      uploadsOf.set(apiKeyId, count + 1)
      takenBy(request).apiKeyId = apiKeyId
    },

    release(request) {
      const had = taken.get(request)
      if (had === undefined) return
      taken.delete(request)
      usedBytes -= had.sizeBytes
      answerBytes -= had.answerBytes
      if (had.apiKeyId !== undefined) endUpload(had.apiKeyId)
    },
  }
}

function noMemory(): CmsError {
  const detail =
    'The bodies of other requests use all the memory that there is for them. Try again.'
  return new CmsError('unavailable', detail)
}

function noMemoryForAnswer(): CmsError {
  const detail =
    'Large answers that other clients have not yet read use all the memory that there is for them. Try again, or ask for fewer records at once.'
  return new CmsError('unavailable', detail)
}

function tooManyUploads(): CmsError {
  return new CmsError('unavailable', 'As many uploads are running as there may be. Try again.')
}

function tooManyOfKey(most: number): CmsError {
  const detail = `The key may send ${most} large uploads at once. Try again when one of them has ended.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}
