// Background work that must run on one server of a site only. In a cluster, the servers coordinate by leases. Only this
// file distinguishes between a single server and a cluster.

import { setTimeout as sleep } from 'node:timers/promises'
import { openTextCipher } from '../auth/site-cipher.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import {
  type HeldLease,
  openOwnLeases,
  openSharedLeases,
  withOwner,
} from '../operations/background/leases.ts'
import type { Services } from '../operations/context.ts'
import { type MentionMails, openMentionMails } from '../operations/comments/mention-mails.ts'
import { openSchedules, type Schedules } from '../operations/files/schedule-runs.ts'
import { expireRows, resumeWork } from '../operations/start/resume.ts'
import type { LineState } from '../operations/webhooks/delivery-progress.ts'
import { openSender, type Sender } from '../operations/webhooks/sender.ts'
import { openAddresses } from '../outgoing/addresses.ts'
import { openMailer } from '../outgoing/mail.ts'
import { openPoster } from '../outgoing/post.ts'
import type { Nodes, Storage, Watch } from '../storage/engine.ts'

export function openLeasedWork(
  { records, nodes }: Pick<Storage, 'records' | 'nodes'>,
  { nodeLivesMs: livesMs }: Limits,
): Pick<Services, 'records' | 'leases'> {
  if (nodes === undefined) return { records, leases: openOwnLeases(records) }
  const own = withOwner(records, nodes.own)
  return { records: own, leases: openSharedLeases({ records: own, life: nodes, livesMs }) }
}

export interface LeasedWork {
  readonly webhooks: Sender
  readonly schedules: Schedules
  /** Undefined if the server sends no mail. */
  readonly mails: MentionMails | undefined
}

interface WorkParts extends LeasedWork {
  readonly services: Services
  readonly nodes: Nodes | undefined
  readonly watch: Pick<Watch, 'scrub'>
  readonly log: Log
  readonly kept: Parameters<typeof expireRows>[1]
}

/** Called when the server listens. All work started here ends with services.background. */
export function beginWork({
  services,
  webhooks,
  schedules,
  mails,
  nodes,
  watch,
  log,
  kept,
}: WorkParts): void {
  const { background, leases } = services
  expireRows(services, kept)
  webhooks.know(services)
  void background.run('webhooks', (signal) =>
    leases.hold('webhooks', signal, (lease) =>
      webhooks.run({ ...services, records: lease.records }, lease),
    ),
  )
  void background.run('schedules', (signal) =>
    leases.hold('schedules', signal, (lease) =>
      schedules.run({ ...services, records: lease.records }, lease.signal),
    ),
  )
  if (mails !== undefined) {
    void background.run('mail', (signal) =>
      leases.hold('mail', signal, (lease) =>
        mails.run({ ...services, records: lease.records }, lease),
      ),
    )
  }
  if (nodes === undefined) return
  void background.run('schedules', (signal) => schedules.standBy(services, signal))
  void background.run('take-over', (signal) =>
    leases.watch(signal, () => background.run('take-over', () => takeOver(services, log))),
  )
  void background.run('orphans', (signal) =>
    leases.hold('orphans', signal, (lease) => clearOrphans({ services, nodes, log }, lease)),
  )
  const { scrub } = watch
  if (scrub === undefined) return
  void background.run('scrub', (signal) => leases.hold('scrub', signal, scrub))
}

async function takeOver(services: Services, log: Log): Promise<void> {
  const resumed = await resumeWork(services)
  if (resumed > 0) log.info({ resumed }, 'resumed pending work of a stopped server')
}

/** An orphan is removed only after a day. */
const ORPHANS_EVERY_MS = 24 * 3_600_000

async function clearOrphans(
  { services, nodes, log }: Pick<WorkParts, 'services' | 'log'> & { readonly nodes: Nodes },
  { records, signal }: HeldLease,
): Promise<void> {
  for (;;) {
    // background.run reports an error, and the loop continues.
    await services.background.run('orphans', async () => {
      const found = await nodes.removeOrphans({ records, signal })
      log.info(found, 'orphan sweep finished')
    })
    await sleep(ORPHANS_EVERY_MS, undefined, { signal, ref: false })
  }
}

/** Builds the runner of schedules and logs each action that could not be carried out. */
export function openScheduledWork(log: Log): Schedules {
  return openSchedules(({ cause, ...failed }) =>
    log.warn({ ...failed, ...(cause !== undefined && { err: cause }) }, 'scheduled action failed'),
  )
}

/** Undefined if no mail server is configured. Logs changes of the state of the mail server, and mails that are given up. */
export function openMail(
  { mail: { server, from, language }, baseUrl }: Pick<Config, 'mail' | 'baseUrl'>,
  log: Log,
): MentionMails | undefined {
  if (server === undefined || from === undefined) return undefined
  return openMentionMails({
    mailer: openMailer({ server, from }),
    from,
    language,
    baseUrl,
    onState(told) {
      if (told.state === 'given_up') log.error(told, 'mail given up; no more attempts are made')
      else if (told.state === 'waiting') log.warn(told, 'mail delivery failed; retrying')
      else log.info(told, 'mail server accepts mail')
    },
  })
}

interface WebhookParts {
  readonly config: Pick<Config, 'webhookAllow'>
  readonly log: Log
  readonly limits: Limits
  readonly siteKey: Uint8Array
}

/** Builds the webhook sender and logs changes of its state. */
export function openWebhooks({ config, log, limits, siteKey }: WebhookParts): Sender {
  return openSender({
    cipher: openTextCipher(siteKey, 'webhook secret'),
    poster: openPoster({
      addresses: openAddresses(config.webhookAllow),
      timeoutMs: limits.webhookTimeoutMs,
      maxAnswerBytes: limits.webhookAnswerBytes,
      keptAnswerBytes: limits.keptWebhookAnswerBytes,
    }),
    atOnce: limits.webhooksAtOnce,
    onState: (told) => tell(log, told),
    onError: (error) => log.error({ err: error }, 'webhook sender failed'),
  })
}

/** Logs one line per change of state, not per attempt. */
function tell(log: Log, told: LineState): void {
  if (told.state === 'given_up') log.error(told, 'webhook given up; no more deliveries are sent')
  else if (told.state === 'waiting') log.warn(told, 'webhook delivery failed; retrying')
  else log.info(told, 'webhook accepts deliveries again')
}
