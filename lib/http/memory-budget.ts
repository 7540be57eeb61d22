// The memory budget of running requests: memory for bodies, memory for responses that clients have not read yet, and the
// number of uploads. Each is limited in total and per key, user and address (quota.ts), so that neither many large bodies
// nor slow readers nor a single key can exhaust it. The server releases what a request holds when its response is sent.
//
// A body reserves its declared size before the first byte is read, so an admitted body can be read to its end. If bodies
// reserved memory as they arrive, many that start together would all be rejected halfway. A slow client with a large
// declared size holds only a part of its own quota, until the body timeout. Small bodies have a separate budget that large
// bodies cannot use.

import { type Counts, type Holder, openShares, type Parts, type Shares } from './quota.ts'

export interface AllowanceLimits {
  /** Memory for all request bodies. */
  readonly bodyMemoryBytes: number
  /** The part of bodyMemoryBytes that is reserved for small bodies. */
  readonly smallBodyMemoryBytes: number
  /** Maximum size of a small body. */
  readonly smallBodyBytes: number
  /** Memory for all responses. */
  readonly answerMemoryBytes: number
  /** Smaller responses do not count. */
  readonly inlineJsonBytes: number
  readonly maxUploads: number
  /** The part of each budget that one key, one user and one address may use. */
  readonly keyShare: number
  readonly userShare: number
  readonly addressShare: number
}

/** The methods throw too-many-requests if a quota is exhausted, unavailable if the whole budget is exhausted. */
export interface Allowance {
  /** Adds bytes to the reservation for the body. */
  takeBody(request: object, holder: Holder, sizeBytes: number): void
  /** Sets the reservation for the response to this total. */
  takeAnswer(request: object, holder: Holder, sizeBytes: number): void
  /** Like takeAnswer, but returns false instead of throwing. */
  tryAnswer(request: object, holder: Holder, sizeBytes: number): boolean
  /** Like takeAnswer, but never fails: for a response that must be sent even beyond the budget. */
  addAnswer(request: object, holder: Holder, sizeBytes: number): void
  /** Counts the request as an upload. */
  takeUpload(request: object, holder: Holder): void
  /** Releases everything that the request holds. */
  release(request: object): void
}

interface Taken {
  readonly holder: Holder
  /** Bytes from the budget for small bodies, and from the budget for other bodies. */
  smallBytes: number
  largeBytes: number
  answerBytes: number
  uploads: number
}

export function openAllowance(limits: AllowanceLimits, counts: Counts): Allowance {
  const shares = openAll(limits, counts)
  const { small, large, answers, uploads } = shares
  const { smallBodyBytes, inlineJsonBytes } = limits
  const taken = new Map<object, Taken>()

  function takenBy(request: object, holder: Holder): Taken {
    const known = taken.get(request)
    if (known !== undefined) return known
    const none = { holder, smallBytes: 0, largeBytes: 0, answerBytes: 0, uploads: 0 }
    taken.set(request, none)
    return none
  }

  function setAnswer(own: Taken, sizeBytes: number): void {
    answers.add(own.holder, sizeBytes - own.answerBytes)
    own.answerBytes = sizeBytes
  }

  return {
    takeBody(request, holder, sizeBytes) {
      const own = takenBy(request, holder)
      const bytes = own.smallBytes + own.largeBytes + sizeBytes
      const isSmall = bytes <= smallBodyBytes && own.largeBytes === 0
      if (isSmall && small.hasRoom(holder, sizeBytes, own.smallBytes)) {
        small.add(holder, sizeBytes)
        own.smallBytes = bytes
      } else takeLarge(shares, own, bytes)
    },

    takeAnswer(request, holder, sizeBytes) {
      if (sizeBytes <= inlineJsonBytes) return
      const own = takenBy(request, holder)
      answers.require(holder, sizeBytes - own.answerBytes, own.answerBytes)
      setAnswer(own, sizeBytes)
    },

    tryAnswer(request, holder, sizeBytes) {
      if (sizeBytes <= inlineJsonBytes) return true
      const own = takenBy(request, holder)
      const hasRoom = answers.hasRoom(holder, sizeBytes - own.answerBytes, own.answerBytes)
      if (hasRoom) setAnswer(own, sizeBytes)
      return hasRoom
    },

    addAnswer(request, holder, sizeBytes) {
      if (sizeBytes > inlineJsonBytes) setAnswer(takenBy(request, holder), sizeBytes)
    },

    takeUpload(request, holder) {
      uploads.require(holder, 1, 0)
      uploads.add(holder, 1)
      takenBy(request, holder).uploads += 1
    },

    release(request) {
      const own = taken.get(request)
      if (own === undefined) return
      taken.delete(request)
      small.give(own.holder, own.smallBytes)
      large.give(own.holder, own.largeBytes)
      answers.give(own.holder, own.answerBytes)
      uploads.give(own.holder, own.uploads)
    },
  }
}

export interface StreamLimits
  extends Pick<AllowanceLimits, 'keyShare' | 'userShare' | 'addressShare'> {
  /** The part of all connections that may be streams. */
  readonly streamShare: number
  /** Memory for events of all streams that clients have not read. */
  readonly streamMemoryBytes: number
}

/** The quotas for open change streams and for the queued bytes of their events. */
export function openStreamShares(
  limits: StreamLimits & { readonly maxConnections: number },
  counts: Counts,
): Readonly<Record<'open' | 'queued', Shares>> {
  const open = openPart(limits, counts)
  return {
    open: open(Math.ceil(limits.maxConnections * limits.streamShare), 'all the change streams'),
    queued: open(limits.streamMemoryBytes, 'all the memory for events'),
  }
}

/** From here on, the whole body counts as large. */
function takeLarge({ small, large }: OfAll, own: Taken, bytes: number): void {
  const moreBytes = bytes - own.largeBytes
  large.require(own.holder, moreBytes, own.largeBytes)
  large.add(own.holder, moreBytes)
  small.give(own.holder, own.smallBytes)
  own.smallBytes = 0
  own.largeBytes = bytes
}

function openPart(
  { keyShare: ofKey, userShare: ofUser, addressShare: ofAddress }: StreamLimits | AllowanceLimits,
  counts: Counts,
): (all: number, what: string) => Shares {
  const parts: Parts = { ofKey, ofUser, ofAddress }
  return (all, what) => openShares({ counts, all, what, parts })
}

type OfAll = Readonly<Record<'small' | 'large' | 'answers' | 'uploads', Shares>>

function openAll(limits: AllowanceLimits, counts: Counts): OfAll {
  const { bodyMemoryBytes, smallBodyMemoryBytes, answerMemoryBytes, maxUploads } = limits
  const open = openPart(limits, counts)
  return {
    small: open(smallBodyMemoryBytes, 'all the memory for small bodies'),
    large: open(bodyMemoryBytes - smallBodyMemoryBytes, 'all the memory for bodies'),
    answers: open(answerMemoryBytes, 'all the memory for large unread responses'),
    uploads: open(maxUploads, 'all the places for large uploads'),
  }
}
