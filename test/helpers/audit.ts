// What the audit trail tells of how changes were made.

import assert from 'node:assert/strict'
import type { TestServer } from './server.ts'

/**
 * The latest changes, so many of them, ran once each: a plan that runs twice, as another that rode in its commit was
 * refused after it had written, takes two numbers of rows.
 */
export async function assertRanOnce(server: TestServer, count: number): Promise<void> {
  const path = `/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=${count}`
  const { body } = await server.call('GET', path)
  const ids: readonly number[] = body.audit.map((row: any) => row.audit_id)
  assert.equal(ids.length, count)
  assert.equal(Number(ids[0]) - Number(ids.at(-1)), count - 1)
}
