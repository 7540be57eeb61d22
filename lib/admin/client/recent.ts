// The records that the user opened last in this browser. The frame notes the path of each opened page.

import { ADMIN_PATH, pageOf } from './address.ts'
import { parseJson, readStored, writeStored } from './stored.ts'

/** A record whose page the user opened. */
export interface Opened {
  readonly object: 'asset_file' | 'asset_category' | 'datatable' | 'calendar'
  readonly object_id: number
}

const PATHS: readonly (readonly [RegExp, Opened['object']])[] = [
  [/^\/content\/file\/(\d+)/, 'asset_file'],
  [/^\/content\/(\d+)/, 'asset_category'],
  [/^\/data\/(\d+)/, 'datatable'],
  [/^\/calendars\/(\d+)/, 'calendar'],
]

const MOST = 12

const nameOf = (userId: number): string => `cms${ADMIN_PATH}.recent.${userId}`

/** Pages that show no record are not noted. */
export function noteOpened(userId: number, path: string): void {
  const opened = openedAt(pageOf(path))
  if (opened === undefined) return
  const others = recentlyOpened(userId).filter((each) => !isSame(each, opened))
  writeStored(nameOf(userId), JSON.stringify([opened, ...others].slice(0, MOST)))
}

/** Newest first. The records may have been deleted since. */
export function recentlyOpened(userId: number): readonly Opened[] {
  const stored = parseJson(readStored(nameOf(userId)))
  return Array.isArray(stored) ? stored.filter(isOpened) : []
}

function openedAt(page: string): Opened | undefined {
  for (const [path, object] of PATHS) {
    const id = path.exec(page)?.[1]
    if (id !== undefined) return { object, object_id: Number(id) }
  }
  return undefined
}

function isSame(one: Opened, other: Opened): boolean {
  return one.object === other.object && one.object_id === other.object_id
}

function isOpened(value: unknown): value is Opened {
  if (typeof value !== 'object' || value === null) return false
  const { object, object_id: id } = value as Readonly<Record<string, unknown>>
  return PATHS.some(([, each]) => each === object) && Number.isSafeInteger(id)
}
