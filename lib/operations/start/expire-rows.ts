// Rows that are kept for a time, or are over, go in the background while the server runs.

import type { Services } from '../context.ts'
import { expireSessions } from '../people/expire-sessions.ts'
import { expireAudit } from '../trail/audit-retention.ts'
import { expireDeliveries } from '../webhooks/deliveries.ts'
import { expireRows as expireIdempotency } from '../trail/idempotency.ts'

export function expireRows(
  services: Services,
  { auditDays: days, auditRows: rows }: { readonly auditDays: number; readonly auditRows: number },
): void {
  const { background } = services
  void background.run('expire-audit', (signal) => expireAudit(services, { days, rows }, signal))
  void background.run('expire-idempotency', (signal) => expireIdempotency(services, signal))
  void background.run('expire-sessions', (signal) => expireSessions(services, signal))
  void background.run('expire-deliveries', (signal) => expireDeliveries(services, signal))
}
