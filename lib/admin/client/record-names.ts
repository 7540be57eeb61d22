// Reads the current names of records of several kinds: one request for each kind.

import { type Api, dataOf } from './api.ts'

/** By object and identifier: `asset_file/5`. */
export type Names = ReadonlyMap<string, string>

/** A record, or an entry of a module, which is described by the name of its module. */
export interface NamedRecord {
  readonly object?: string
  readonly object_id?: number
  readonly module_id?: number | null
}

/** Kinds whose records have names. */
const NAMED = [
  'asset_file',
  'asset_category',
  'file_group',
  'datatable',
  'calendar',
  'user',
  'api_key',
] as const

/** The key of the name of a record in `Names`; undefined for kinds without names. */
export function nameKey({ object, object_id: id, module_id: moduleId }: NamedRecord) {
  const kind = NAMED.find((each) => each === object?.replace(/_entry$/, ''))
  const wanted = kind === object ? id : moduleId
  return kind === undefined || typeof wanted !== 'number' ? undefined : `${kind}/${wanted}`
}

/** Records that do not exist or are invisible to the user have no name. */
export async function findNames(
  api: Api,
  records: readonly NamedRecord[],
  signal: AbortSignal,
): Promise<Names> {
  const asked = new Set(records.map(nameKey))
  const found = await Promise.all(
    NAMED.map(async (kind) => {
      const ids = [...asked].flatMap((key) =>
        key?.startsWith(`${kind}/`) === true ? [Number(key.slice(kind.length + 1))] : [],
      )
      return ids.length === 0 ? [] : namesOf(api, { kind, ids, signal })
    }),
  )
  return new Map(found.flat())
}

interface Asked {
  readonly kind: (typeof NAMED)[number]
  readonly ids: readonly number[]
  readonly signal: AbortSignal
}

/** A refused search finds nothing. */
async function namesOf(
  api: Api,
  { kind, ids, signal }: Asked,
): Promise<readonly (readonly [string, string])[]> {
  const id = `${kind}_id`
  const qry = JSON.stringify({ [id]: { $in: ids } })
  const query = { qry, length: ids.length, fields: `${id},name` }
  const read = dataOf<object>(api.GET(`/${kind}`, { signal, params: { query } }))
  const found = await read.catch((error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof Error && error.name === 'NoConnection') throw error
    return {}
  })
  const records: Readonly<Record<string, unknown>> = { ...found }
  const list = records[kind]
  return (Array.isArray(list) ? list : []).flatMap((record: Readonly<Record<string, unknown>>) => {
    const name = record['name']
    return typeof name === 'string' ? [[`${kind}/${String(record[id])}`, name] as const] : []
  })
}
