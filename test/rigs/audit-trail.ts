// Compares the audit trail with the oracle of the kill rig. Each acknowledged write has exactly one
// row, and replaying all rows yields the stored state: no change without a row, no row without its
// change.

import assert from 'node:assert/strict'
import { type Answer, send } from '../helpers/server.ts'
import type { Known } from './known-files.ts'

interface Pointers {
  readonly version: number
  readonly live: number | null
}

export interface Trail {
  /** The expected rows of writes acknowledged since the last comparison, by request identifier. */
  readonly expected: Map<string, { readonly id?: number; readonly version?: number }>
  /** The files that result from the rows up to `lastId`. */
  readonly files: Map<number, Pointers>
  lastId: number
}

export function newTrail(): Trail {
  return { expected: new Map(), files: new Map(), lastId: 0 }
}

/** Must be called with the answer of each write that has changed something. */
export function noteWrite({ expected }: Trail, { headers, body }: Answer): void {
  const of = { id: body?.asset_file_id, version: body?.version }
  expected.set(String(headers['x-request-id']), of)
}

export interface Comparison {
  readonly url: string
  readonly key: string
  /** The stored state while no write is under way. */
  readonly known: Known
  /** The maximum number of committed writes whose answer was lost: one for each client. */
  readonly clients: number
}

export async function compareTrail(
  trail: Trail,
  { url, key, known, clients }: Comparison,
): Promise<void> {
  const rows = await readRows(trail, url, key)
  for (const [requestId, { id, version }] of trail.expected) {
    const own = rows.filter((row) => row.request_id === requestId)
    assert.equal(own.length, 1, `${own.length} rows of ${requestId}`)
    if (id !== undefined) assert.deepEqual([own[0].object_id, own[0].version], [id, version])
  }
  const others = rows.filter((row) => !trail.expected.has(row.request_id))
  assert.ok(others.length <= clients, `${others.length} rows of requests without an answer`)
  trail.expected.clear()

  for (const row of rows) replay(trail.files, row)
  const found = [...known.files].map(([id, { version, live }]) => [id, { version, live }] as const)
  assert.deepEqual(new Map([...trail.files].toSorted(byId)), new Map(found.toSorted(byId)))
}

function byId(left: readonly [number, unknown], right: readonly [number, unknown]): number {
  return left[0] - right[0]
}

async function readRows(trail: Trail, url: string, key: string): Promise<readonly any[]> {
  const qry = JSON.stringify({ audit_id: { $gt: trail.lastId }, object: 'asset_file' })
  const path = `/api/v2/audit?length=1000&orderStr=audit_id&qry=${encodeURIComponent(qry)}`
  const { status, body, text } = await send(url, 'GET', path, { key })
  assert.deepEqual([status, body?.page?.next], [200, null], text)
  trail.lastId = body.audit.at(-1)?.audit_id ?? trail.lastId
  return body.audit
}

function replay(files: Map<number, Pointers>, row: any): void {
  const { action, object_id: id, version, fileState } = row
  const before = files.get(id)
  if (action === 'delete') {
    assert.ok(before !== undefined, `${id} is deleted and was not there`)
    files.delete(id)
    return
  }
  const isSave = action !== 'publish'
  assert.equal(version, (before?.version ?? 0) + (isSave ? 1 : 0), `${action} of ${id}`)
  files.set(id, { version, live: fileState === 'publish' ? version : (before?.live ?? null) })
}
