// Work that happens once, however many servers write the records of a site, and what each of them does of it. Here alone is
// told whether there are others.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Limits } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import {
  type Held,
  openOwnLeases,
  openSharedLeases,
  withOwner,
} from '../operations/background/leases.ts'
import type { Services } from '../operations/context.ts'
import { expireRows } from '../operations/start/expire-rows.ts'
import { resumeWork } from '../operations/start/resume.ts'
import type { Sender } from '../operations/webhooks/sender.ts'
import type { Nodes, Storage, Watch } from '../storage/engine.ts'

export function openWork(
  { records, nodes }: Pick<Storage, 'records' | 'nodes'>,
  { nodeLivesMs: livesMs }: Limits,
): Pick<Services, 'records' | 'leases'> {
  if (nodes === undefined) return { records, leases: openOwnLeases(records) }
  const own = withOwner(records, nodes.own)
  return { records: own, leases: openSharedLeases({ records: own, life: nodes, livesMs }) }
}

export interface WorkParts {
  readonly services: Services
  readonly webhooks: Sender
  readonly nodes: Nodes | undefined
  readonly watch: Pick<Watch, 'scrub'>
  readonly log: Log
  readonly kept: Parameters<typeof expireRows>[1]
}

/** To be called when the server listens. All of it ends with the background work. */
export function beginWork({ services, webhooks, nodes, watch, log, kept }: WorkParts): void {
  const { background, leases } = services
  expireRows(services, kept)
  webhooks.know(services)
  void background.run('webhooks', (signal) =>
    leases.hold('webhooks', signal, (held) =>
      webhooks.run({ ...services, records: held.records }, held),
    ),
  )
  if (nodes === undefined) return
  void background.run('take-over', (signal) =>
    leases.watch(signal, () => background.run('take-over', () => takeOver(services, log))),
  )
  void background.run('orphans', (signal) =>
    leases.hold('orphans', signal, (held) => clearOrphans({ services, nodes, log }, held)),
  )
  const { scrub } = watch
  if (scrub === undefined) return
  void background.run('scrub', (signal) => leases.hold('scrub', signal, scrub))
}

async function takeOver(services: Services, log: Log): Promise<void> {
  const resumed = await resumeWork(services)
  if (resumed > 0) log.info({ resumed }, 'the work of a server that has ended is gone on with')
}

/** They have to be a day old. */
const ORPHANS_EVERY_MS = 24 * 3_600_000

async function clearOrphans(
  { services, nodes, log }: Pick<WorkParts, 'services' | 'log'> & { readonly nodes: Nodes },
  { records, signal }: Held,
): Promise<void> {
  for (;;) {
    // A fault is reported, and does not end it for good.
    await services.background.run('orphans', async () => {
      const found = await nodes.removeOrphans({ records, signal })
      log.info(found, 'contents that no version names were looked for')
    })
    await sleep(ORPHANS_EVERY_MS, undefined, { signal, ref: false })
  }
}
