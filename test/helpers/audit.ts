// Reads from the audit trail how changes were made.

import assert from 'node:assert/strict'
import type { TestServer } from './server.ts'

/**
 * Asserts that each of the latest changes ran once. A plan runs twice if another plan in its commit
 * is refused after writing, and then uses two row numbers.
 */
export async function assertRanOnce(server: TestServer, count: number): Promise<void> {
  const path = `/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=${count}`
  const { body } = await server.call('GET', path)
  const ids: readonly number[] = body.audit.map((row: any) => row.audit_id)
  assert.equal(ids.length, count)
  assert.equal(Number(ids[0]) - Number(ids.at(-1)), count - 1)
}
