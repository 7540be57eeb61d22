// Delays of retries: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, then daily, as Standard Webhooks proposes.
// Random jitter lengthens each delay, so that a receiver that comes back is not called by all senders at once.

/** Multiples of the first delay. */
const FACTORS = [1, 60, 360, 1_440, 3_600, 7_200, 10_080, 14_400, 17_280]
const JITTER = 0.1
/** Upper limit for the Retry-After of a receiver. */
const MAX_ASKED_MS = 24 * 3_600_000

export interface Failed {
  /** Number of failed attempts so far, including this one. */
  readonly attempts: number
  readonly firstRetryMs: number
  /** The header as sent by the receiver. */
  readonly retryAfter: string | undefined
  readonly now: Date
}

export function retryDelayMs({ attempts, firstRetryMs, retryAfter, now }: Failed): number {
  const factor = FACTORS[Math.min(attempts, FACTORS.length) - 1] ?? 1
  const ownMs = firstRetryMs * factor * (1 + Math.random() * JITTER)
  return Math.max(ownMs, askedMs(retryAfter, now))
}

/** Seconds, or a date (RFC 9110, 10.2.3). Invalid values are ignored. */
function askedMs(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_ASKED_MS)
}

/** The longest possible delay, whatever is stored and however the clock was set since. */
export function longestDelayMs(firstRetryMs: number): number {
  return Math.max(firstRetryMs * (FACTORS.at(-1) ?? 1) * (1 + JITTER), MAX_ASKED_MS)
}
