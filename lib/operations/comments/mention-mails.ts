// Mails to users whom comments mention, and to those who wrote in a thread that has a new reply. The commit of a comment stores a row for each mail; the row is removed after the
// mail was sent, so mails survive a stop. In a cluster one process sends. A crash between the answer of the mail server
// and the commit repeats the mail under the same Message-ID.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Mail, Mailer, MailFailure } from '../../outgoing/mail.ts'
import { pendingMail } from '../../schema/comment.ts'
import type { Unit } from '../../storage/port.ts'
import type { HeldLease } from '../background/leases.ts'
import type { Context, Services } from '../context.ts'
import { newestSequence, waitForChange } from '../trail/changes.ts'
import { buildMail, type MailSettings } from './mention-message.ts'

interface Told {
  /** The comment. */
  readonly id: number
  readonly told: Iterable<number>
  readonly mentioned: readonly number[]
}

/** Called in the commit of the comment. Beyond the limits, a mention gets no mail. A writer has a limit, so that mails of others have room. */
export function planMails(
  unit: Unit,
  { limits, now, caller }: Pick<Context, 'limits' | 'now' | 'caller'>,
  { id, told, mentioned }: Told,
): void {
  const { user_id: writer_id } = caller.user
  const most = limits.mailsOfWriter
  let own = unit.lookup(pendingMail, 'writer', [writer_id], most).length
  for (const userId of told) {
    if (own >= most || unit.count(pendingMail) >= limits.mailsWaiting) return
    own += 1
    const date_added = now().toISOString()
    const is_reply = !mentioned.includes(userId)
    const waiting = { attempts: 0, date_retry: null }
    unit.put(pendingMail, [id, userId], { writer_id, is_reply, date_added, ...waiting })
  }
}

export interface MailStatus {
  readonly sent: number
  /** Failed attempts. */
  readonly failed: number
}

export interface MailState {
  readonly state: 'sending' | 'waiting' | 'given_up'
  readonly comment_id: number
  readonly user_id: number
  readonly reason?: string | undefined
}

export interface MentionMails {
  /** Sends while this process owns the work. */
  readonly run: (services: Services, lease: Lease) => Promise<void>
  readonly status: () => MailStatus
}

type Lease = Pick<HeldLease, 'signal' | 'require'>

export interface MentionMailOptions extends MailSettings {
  readonly mailer: Mailer
  /** Reports each mail that is given up, and each change between sending and waiting. */
  readonly onState: (told: MailState) => void
}

export function openMentionMails(options: MentionMailOptions): MentionMails {
  const counts = { sent: 0, failed: 0 }

  return {
    status: () => counts,
    async run(services, lease) {
      const { signal } = lease
      const sending = new Sending(services, { ...options, lease, counts })
      while (!signal.aborted && !services.changeWatch.closing.aborted) {
        const seen = newestSequence(services)
        let restMs: number | undefined = services.limits.mailRetryMs
        // An error is logged, and the next round runs as usual.
        await services.background.run('mail', async () => {
          restMs = await sending.sendDue()
        })
        const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false })
        if (restMs !== undefined) await pause(restMs)
        else
          await waitForChange(services, seen, signal).catch(() =>
            pause(services.limits.mailRetryMs),
          )
      }
    },
  }
}

interface SendingOptions extends MentionMailOptions {
  readonly lease: Lease
  readonly counts: { sent: number; failed: number }
}

type Row = Parameters<typeof buildMail>[1]

const MINUTE_MS = 60_000
/** When the server stops, a mail in transfer has this time to finish. */
const STOP_MS = 5_000
/** The delay doubles with each attempt, up to this multiple of the first delay. */
const MAX_FACTOR = 64

class Sending {
  readonly #services: Services
  readonly #options: SendingOptions
  /** Times of the mails of the last minute, on the monotonic clock. */
  #sentAt: readonly number[] = []
  /** Consecutive attempts without an answer of the mail server. */
  #misses = 0
  #isWaiting = false

  constructor(services: Services, options: SendingOptions) {
    this.#services = services
    this.#options = options
  }

  /** Returns the milliseconds until the next round; undefined if no mail is left. */
  async sendDue(): Promise<number | undefined> {
    const { records, limits, renew } = this.#services
    const { signal } = this.#options.lease
    await renew()
    let left = 0
    for (const [commentId, userId] of records.list(pendingMail, [])) {
      if (signal.aborted) return limits.mailRetryMs
      const failure = await this.#handle([Number(commentId), Number(userId)])
      if (failure === undefined) continue
      left += 1
      if (failure === 'unreachable') return this.#delayMs(this.#misses)
    }
    return left === 0 ? undefined : limits.mailRetryMs
  }

  #delayMs(attempts: number): number {
    return this.#services.limits.mailRetryMs * Math.min(2 ** (attempts - 1), MAX_FACTOR)
  }

  /** Returns undefined if the row was removed. */
  async #handle(row: Row): Promise<'later' | 'unreachable' | undefined> {
    const { records, limits, retentionClock } = this.#services
    const pending = records.get(pendingMail, ...row)?.value
    if (pending === undefined) return undefined
    if (retentionClock.since(pending.date_added) > limits.mailGiveUpMs) {
      await this.#giveUp(row, 'It could not be sent in time.')
      return undefined
    }
    if (!this.#isDue(pending.date_retry)) return 'later'
    const build = (): Mail | undefined => buildMail(records, row, { ...this.#options, pending })
    // A mail that nobody may get does not wait, and uses no turn. Rights may change during the wait.
    if (build() !== undefined) await this.#waitForTurn()
    const mail = build()
    if (mail === undefined) {
      await records.commit((unit) => unit.remove(pendingMail, ...row))
      return undefined
    }
    return this.#settle(row, await this.#send(mail))
  }

  /** A clock that is set back delays a mail no longer than the longest delay. */
  #isDue(dateRetry: string | null): boolean {
    if (dateRetry === null) return true
    const restMs = Date.parse(dateRetry) - this.#services.now().getTime()
    return restMs <= 0 || restMs > this.#delayMs(Number.POSITIVE_INFINITY)
  }

  async #waitForTurn(): Promise<void> {
    const { mailsPerMinute: most } = this.#services.limits
    const { signal } = this.#options.lease
    this.#sentAt = this.#sentAt.slice(-most)
    const [first] = this.#sentAt
    const restMs = first === undefined ? 0 : first + MINUTE_MS - performance.now()
    if (this.#sentAt.length === most && restMs > 0)
      await sleep(restMs, undefined, { signal, ref: false })
  }

  async #send(mail: Mail): Promise<MailFailure | 'stopped' | undefined> {
    const { mailer, lease } = this.#options
    lease.require()
    this.#sentAt = [...this.#sentAt, performance.now()]
    const end = new AbortController()
    const timers = [setTimeout(() => end.abort(), this.#services.limits.mailTimeoutMs)]
    const onStop = (): void => void timers.push(setTimeout(() => end.abort(), STOP_MS))
    lease.signal.addEventListener('abort', onStop, { once: true })
    try {
      const failure = await mailer.send(mail, end.signal)
      return failure !== undefined && lease.signal.aborted ? 'stopped' : failure
    } finally {
      lease.signal.removeEventListener('abort', onStop)
      for (const timer of timers) clearTimeout(timer)
    }
  }

  async #settle(
    row: Row,
    failure: MailFailure | 'stopped' | undefined,
  ): Promise<'later' | 'unreachable' | undefined> {
    const { records } = this.#services
    const { counts } = this.#options
    if (failure === 'stopped') return 'later'
    const isUnreachable = failure?.kind === 'unreachable'
    this.#misses = isUnreachable ? this.#misses + 1 : 0
    if (failure === undefined) {
      counts.sent += 1
      this.#tell('sending', row)
      await records.commit((unit) => unit.remove(pendingMail, ...row))
      return undefined
    }
    const { kind, reason } = failure
    if (kind === 'refused') {
      await this.#giveUp(row, reason)
      return undefined
    }
    counts.failed += 1
    this.#tell('waiting', row, reason)
    await records.commit((unit) => this.#putOff(unit, row))
    return kind
  }

  #putOff(unit: Unit, row: Row): void {
    const pending = unit.get(pendingMail, ...row)?.value
    if (pending === undefined) return
    const attempts = pending.attempts + 1
    const nextMs = this.#services.now().getTime() + this.#delayMs(attempts)
    const date_retry = new Date(nextMs).toISOString()
    unit.put(pendingMail, row, { ...pending, attempts, date_retry })
  }

  async #giveUp(row: Row, reason: string): Promise<void> {
    const { onState, counts } = this.#options
    counts.failed += 1
    const [comment_id, user_id] = row
    onState({ state: 'given_up', comment_id, user_id, reason })
    await this.#services.records.commit((unit) => unit.remove(pendingMail, ...row))
  }

  #tell(state: 'sending' | 'waiting', [comment_id, user_id]: Row, reason?: string): void {
    if ((state === 'waiting') === this.#isWaiting) return
    this.#isWaiting = state === 'waiting'
    this.#options.onState({ state, comment_id, user_id, reason })
  }
}
