// What requests may hold while they run: memory for their bodies, memory for answers that wait until their
// clients have read them, and uploads on their way to the disk. Each is bounded for all together and for whoever
// sends (quota.ts), so that neither many large bodies, nor clients that do not read, nor one key can use up
// what is there for all. What a request has taken is given back when its answer is sent, whatever became of it.
//
// A body takes the size that it tells before its first byte is asked for: one that is let in is read to its end.
// Taken as they come, many that begin together would all be refused in their middle. Who tells a size and is
// slow holds a part of its own share meanwhile, and no longer than a body may take. Small bodies have memory
// of their own, which no large one touches.

import { type Holder, openShares, type Parts, type Shares } from './quota.ts'

export interface AllowanceLimits {
  /** Of the bodies of all requests together. */
  readonly bodyMemoryBytes: number
  /** Of it for small bodies alone. */
  readonly smallBodyMemoryBytes: number
  /** The largest of them. */
  readonly smallBodyBytes: number
  /** Of the answers of all requests together. */
  readonly answerMemoryBytes: number
  /** Smaller answers do not count. */
  readonly inlineJsonBytes: number
  readonly maxUploads: number
  /** What one key, one user and one address may have of each. */
  readonly keyShare: number
  readonly userShare: number
  readonly addressShare: number
}

/** Each throws too-many-requests where a share is used up, unavailable where it is all that there is. */
export interface Allowance {
  /** The body of the request has so many bytes more. */
  takeBody(request: object, holder: Holder, sizeBytes: number): void
  /** The answer has so many bytes in memory, all in all. */
  takeAnswer(request: object, holder: Holder, sizeBytes: number): void
  /** The same, but false where there is no room for it. */
  tryAnswer(request: object, holder: Holder, sizeBytes: number): boolean
  /** The same for an answer that must not be refused: the answers after it have less room. */
  addAnswer(request: object, holder: Holder, sizeBytes: number): void
  /** The request is an upload. */
  takeUpload(request: object, holder: Holder): void
  /** Gives back all that the request has taken. */
  release(request: object): void
}

interface Taken {
  readonly holder: Holder
  /** Of the memory for small bodies, and of that for the others. */
  smallBytes: number
  largeBytes: number
  answerBytes: number
  uploads: number
}

export function openAllowance(limits: AllowanceLimits): Allowance {
  const shares = openAll(limits)
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
  /** Of all connections, the part that may be streams. */
  readonly streamShare: number
  /** Of all streams together: bytes that their clients have not read. */
  readonly streamMemoryBytes: number
}

/** Streams of changes that are open, and the bytes that wait for their clients. */
export function openStreamShares(
  limits: StreamLimits,
  maxConnections: number,
): Readonly<Record<'open' | 'queued', Shares>> {
  const all = Math.ceil(maxConnections * limits.streamShare)
  return {
    open: openPart(limits, all, 'all the streams of changes'),
    queued: openPart(limits, limits.streamMemoryBytes, 'all the memory for events'),
  }
}

/** All of the body counts as large from here on. */
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
  all: number,
  what: string,
): Shares {
  return openShares({ all, what, parts: { ofKey, ofUser, ofAddress } satisfies Parts })
}

type OfAll = Readonly<Record<'small' | 'large' | 'answers' | 'uploads', Shares>>

function openAll(limits: AllowanceLimits): OfAll {
  const { bodyMemoryBytes, smallBodyMemoryBytes, answerMemoryBytes, maxUploads } = limits
  const open = (all: number, what: string): Shares => openPart(limits, all, what)
  return {
    small: open(smallBodyMemoryBytes, 'all the memory for small bodies'),
    large: open(bodyMemoryBytes - smallBodyMemoryBytes, 'all the memory for bodies'),
    answers: open(answerMemoryBytes, 'all the memory for large answers that were not read yet'),
    uploads: open(maxUploads, 'all the places for large uploads'),
  }
}
