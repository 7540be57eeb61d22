// Compares the audit trail with the changes of a sequence: each change has one row.

import type { Done, Site } from './command.ts'
import type { World } from './world.ts'

/** Returns the identifier of the newest row of the audit trail. */
export async function findLastRow(world: World): Promise<number> {
  const [row] = await readRows(world, 1)
  return row.audit_id
}

export async function compareAudit({ done }: Site, world: World, lastRow: number): Promise<void> {
  const all = await readRows(world, 1_000)
  const rows = all.filter(({ audit_id: id }) => id > lastRow)
  const dues = new Map(done.map((change) => [change.requestId, change]))
  for (const row of rows) {
    const due = dues.get(row.request_id)
    // The operator's own probes are also in the trail.
    if (due === undefined && row.api_key_id !== world.operator.keyId)
      world.complain('audit', `a row tells of what was not done: ${JSON.stringify(row)}`)
  }
  for (const due of done)
    compareRow(
      world,
      due,
      rows.filter((row) => row.request_id === due.requestId && !isTakenAlong(due, row)),
    )
}

/**
 * Records deleted along with the target have rows of their own: the keys of a user, and the content
 * of a folder.
 */
function isTakenAlong({ object, ids, what }: Done, row: any): boolean {
  if (object === 'user') return row.object === 'api_key'
  const isPurge = object === 'asset_category' && what.startsWith('DELETE')
  return (
    isPurge && row.action === 'delete' && !(row.object === object && ids.includes(row.object_id))
  )
}

/** A change that sets the present value leaves no row. */
function compareRow(world: World, due: Done, rows: readonly any[]): void {
  const { userId, keyId, object, ids, what } = due
  const told = rows.flatMap((row) => idsOf(row, object)).sort((left, right) => left - right)
  const isByWhom = rows.every((row) => row.user_id === userId && row.api_key_id === keyId)
  const isOfThem = rows.every((row) => row.object === object)
  const isAll = told.join() === ids.toSorted((left, right) => left - right).join()
  const isIdle = rows.length === 0 && what.startsWith('POST')
  if (isIdle || (isByWhom && isOfThem && isAll)) return
  world.complain(
    'audit',
    `${what} by key ${keyId} of user ${userId} changed ${object} ${ids}, and the rows tell ${JSON.stringify(rows)}`,
  )
}

/** The records of this kind that a row names. */
function idsOf(
  { changes, object_id: first, last_object_id: last }: any,
  object: string,
): readonly number[] {
  const runs =
    changes === null
      ? [[first, last]]
      : changes.flatMap((item: any) => (item.object === object ? item.ids : []))
  return runs.flatMap(([from, to]: [number, number]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
}

async function readRows(world: World, length: number): Promise<readonly any[]> {
  const path = `/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=${length}`
  const { body, text } = await world.ask(world.operator.secret, { method: 'GET', path })
  if (!Array.isArray(body?.audit)) world.fail(`${path} gives no list: ${text}`)
  return body.audit
}
