// References between records: what a record names must be there. Each fault says how it is mended.

import { apiKey, apiKeySecret } from '../../schema/api-key.ts'
import { assetCategory, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import { fileGroup } from '../../schema/file-group.ts'
import type { KvReader } from '../records/kv.ts'
import type { Id, JsonObject, RecordType } from '../../schema/values.ts'
import { recordKey } from '../records/format.ts'
import type { RecordFault } from './faults.ts'

export interface Found {
  readonly ids: readonly Id[]
  readonly record: object
}

export function referenceFaults(
  kv: KvReader,
  type: RecordType,
  { ids, record }: Found,
): readonly RecordFault[] {
  const who = `${type.name} ${ids.join('/')}`
  const look: Look = {
    has: (other, ...otherIds) => kv.get(recordKey(other, otherIds)) !== undefined,
    fault: (detail, next) => ({
      kind: 'reference',
      detail: `${who} ${detail}`,
      mend: { action: 'put-record', type: type.name, ids, record: next },
    }),
    gone: (detail) => ({
      kind: 'reference',
      detail: `${who} ${detail}`,
      mend: { action: 'remove-record', type: type.name, ids },
    }),
  }
  const own = OWN_REFERENCES.get(type.name)
  if (own !== undefined) return own(record, look)
  return RECORD_TYPES.includes(type) ? parentFaults(type, record as JsonObject, look) : []
}

interface Look {
  /** Whether there is such a record. */
  readonly has: (type: RecordType, ...ids: readonly Id[]) => boolean
  /** Mended by putting the next record in its place. */
  readonly fault: (detail: string, next: object) => RecordFault
  /** Mended by removing the record. */
  readonly gone: (detail: string) => RecordFault
}

type FindFaults<T> = (record: T, look: Look) => readonly RecordFault[]

/** Kinds of record that name others besides a folder. */
const OWN_REFERENCES: ReadonlyMap<string, FindFaults<object>> = new Map([
  ofType(assetFileVersion, ({ asset_file_id: id }, { has, gone }) =>
    has(assetFile.recordType, id) ? [] : [gone('belongs to a file that is gone')],
  ),
  ofType(apiKeySecret, ({ api_key_id: id }, { has, gone }) =>
    has(apiKey.recordType, id) ? [] : [gone('belongs to a key that is gone')],
  ),
  ofType(fileGroup.recordType, (group, { has, fault }) => {
    const members = group.asset_file_ids ?? []
    const kept = members.filter((id) => has(assetFile.recordType, id))
    return kept.length === members.length
      ? []
      : [fault('holds files that are gone', { ...group, asset_file_ids: kept })]
  }),
  ofType(assetFile.recordType, pointerFaults),
])

function ofType<T extends object>(
  { name }: RecordType<T>,
  find: FindFaults<T>,
): readonly [string, FindFaults<object>] {
  // It is asked about records of this type alone.
  return [name, (record, look) => find(record as T, look)]
}

function pointerFaults(file: AssetFile, look: Look): readonly RecordFault[] {
  const isThere = (version: number | null): boolean =>
    version === null || look.has(assetFileVersion, file.asset_file_id, version)
  const faults = parentFaults(assetFile.recordType, file, look)
  if (!isThere(file.version))
    return [
      ...faults,
      {
        kind: 'record',
        detail: `asset_file ${file.asset_file_id} has no latest version ${file.version}`,
      },
    ]
  if (isThere(file.live_version) && isThere(file.staged_version)) return faults
  const live_version = isThere(file.live_version) ? file.live_version : null
  const staged_version = isThere(file.staged_version) ? file.staged_version : null
  return [
    ...faults,
    look.fault('points to a version that is gone', { ...file, live_version, staged_version }),
  ]
}

/** While a deleted subtree is being cleared away its top is gone on purpose: see pending work. */
function parentFaults(
  type: RecordType,
  record: JsonObject,
  { has, fault }: Look,
): readonly RecordFault[] {
  const parent = record['parent_category_id']
  if (typeof parent !== 'number' || has(assetCategory.recordType, parent)) return []
  if (type.name === assetCategory.name && record['asset_category_id'] === ROOT_CATEGORY_ID)
    return []
  const name =
    `recovered-${type.name}-${String(record[`${type.name}_id`])}-${String(record['name'])}`.slice(
      0,
      200,
    )
  return [
    fault(`lies in folder ${parent}, which is gone`, {
      ...record,
      parent_category_id: ROOT_CATEGORY_ID,
      name,
    }),
  ]
}
