// Reads the files that will be published, unpublished or staged, and the files for which this failed.

import type { Api } from '../../client/api.ts'
import { localOf } from '../content/local-time.ts'
import { type FileRecord, searchFiles } from '../content/records.ts'

const KINDS = [
  { kind: 'publish', field: 'publish_at', badge: 'live' },
  { kind: 'unpublish', field: 'unpublish_at', badge: 'draft' },
  { kind: 'stage', field: 'stage_at', badge: 'staged' },
] as const

/** Files of each kind. */
export const MOST = 100

export interface Planned {
  readonly file: FileRecord
  readonly at: string
  readonly kind: (typeof KINDS)[number]
}

export interface Period {
  /** Instants; undefined: without a bound. */
  readonly from: number | undefined
  readonly to: number | undefined
}

export async function readPlanned(api: Api, { from, to }: Period, signal: AbortSignal) {
  const isWithin = {
    $ne: null,
    ...(from !== undefined && { $gte: new Date(from).toISOString() }),
    ...(to !== undefined && { $lt: new Date(to).toISOString() }),
  }
  const search = (field: string, match: object) =>
    searchFiles(api, { qry: { [field]: match }, orderStr: field, length: MOST }, signal)
  const [failed, ...pages] = await Promise.all([
    search('schedule_failed_at', { $ne: null }),
    ...KINDS.map(({ field }) => search(field, isWithin)),
  ])
  const planned = KINDS.flatMap((kind, at) =>
    (pages[at]?.rows ?? []).flatMap((file): readonly Planned[] => {
      const { [kind.field]: time } = file
      return time === null ? [] : [{ file, at: time, kind }]
    }),
  )
  return {
    days: byDay(planned),
    failed: failed?.rows ?? [],
    hasMore: pages.some(({ next }) => next !== null),
  }
}

/** The actions of each local day, in the order of their times. */
function byDay(planned: readonly Planned[]): readonly (readonly [string, readonly Planned[]])[] {
  const days = new Map<string, Planned[]>()
  for (const one of planned.toSorted((left, right) => (left.at < right.at ? -1 : 1))) {
    const day = localOf(one.at).slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days]
}
