// Reads what happened since a time. Changes of the same record by the same person, and of entries of the same module, are
// one line.

import { type Api, dataOf } from '../../client/api.ts'
import type { operations } from '../../client/interface.d.ts'
import { findNames, type Names } from '../../client/record-names.ts'

type Change =
  operations['follow_changes']['responses'][200]['content']['application/json']['change'][number]

const OBJECTS =
  'asset_file,asset_category,file_group,datatable,datatable_entry,calendar,calendar_entry'
const PAGE_LENGTH = 1_000
/** A program that writes all day must not make a page read all of its changes. */
const MOST_PAGES = 3

export interface ChangeLine {
  /** The newest change of the line. */
  readonly change: Change
  /** The changed records. */
  readonly ids: ReadonlySet<number>
}

export interface ChangesSince {
  readonly since: string
  /** Only changes in this folder and below. */
  readonly folderId?: number
  /** The names of a user whose changes are left out, with those of nobody. */
  readonly without?: readonly string[]
  readonly most: number
}

export interface FoundChanges {
  /** Newest first; at most as many as asked. */
  readonly lines: readonly ChangeLine[]
  /** Number of all lines. */
  readonly count: number
  readonly names: Names
  /** There are more changes than one search reads. */
  readonly hasMore: boolean
}

export async function findChanges(
  api: Api,
  { most, without, ...asked }: ChangesSince,
  signal: AbortSignal,
): Promise<FoundChanges> {
  const { changes, hasMore } = await readChanges(api, asked, signal)
  const wanted =
    without === undefined
      ? changes
      : changes.filter(({ user_name: name }) => name !== null && !without.includes(name))
  const all = joined(wanted)
  const lines = all.slice(0, most)
  const names = await findNames(
    api,
    lines.map(({ change }) => change),
    signal,
  )
  return { lines, count: all.length, names, hasMore }
}

async function readChanges(
  api: Api,
  { since, folderId }: Pick<ChangesSince, 'since' | 'folderId'>,
  signal: AbortSignal,
) {
  const changes: Change[] = []
  let next = since
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = {
      since: next,
      object: OBJECTS,
      length: PAGE_LENGTH,
      ...(folderId !== undefined && { asset_category_id: folderId }),
    }
    const found = await dataOf(api.GET('/change', { signal, params: { query } }))
    changes.push(...found.change)
    if (found.change.length < PAGE_LENGTH) return { changes, hasMore: false }
    next = found.page.next
  }
  return { changes, hasMore: true }
}

function joined(changes: readonly Change[]): readonly ChangeLine[] {
  const lines = new Map<string, ChangeLine>()
  for (const change of changes.toReversed()) {
    const key = keyOf(change)
    const line = lines.get(key)
    const ids = new Set(line?.ids).add(change.object_id)
    lines.set(key, { change: line?.change ?? change, ids })
  }
  return [...lines.values()]
}

export function keyOf({
  user_name: user,
  object,
  object_id: id,
  module_id: moduleId,
  action,
}: Change) {
  return moduleId === null
    ? `${user} ${object} ${id}`
    : `${user} ${object} of ${moduleId} ${action}`
}
