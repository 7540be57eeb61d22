// Removes expired rows in the background while the server runs; in a cluster, one process does it.

import type { Services } from '../context.ts'
import { expireSessions } from '../people/session-records.ts'
import { expireAudit } from '../trail/audit-retention.ts'
import { expireDeliveries } from '../webhooks/delivery-log.ts'
import { expireRows as expireIdempotency } from '../trail/idempotency.ts'

export function expireRows(
  services: Services,
  { auditDays: days, auditRows: rows }: { readonly auditDays: number; readonly auditRows: number },
): void {
  const run = (name: string, work: Work): void =>
    void services.background.run(name, (signal) =>
      services.leases.hold(name, signal, (held) =>
        work({ ...services, records: held.records }, held.signal),
      ),
    )
  run('expire-audit', (own, signal) => expireAudit(own, { days, rows }, signal))
  run('expire-idempotency', expireIdempotency)
  run('expire-sessions', expireSessions)
  run('expire-deliveries', expireDeliveries)
}

type Work = (services: Services, signal: AbortSignal) => Promise<void>
