// Verifies references between records: the records that a record refers to must exist. Each fault has a repair.

import { apiKey, apiKeySecret, session } from '../../schema/api-key.ts'
import { audit } from '../../schema/audit.ts'
import { assetCategory, formerPlaces, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import { type Comment, comment, findTarget, orphanedComments } from '../../schema/comment.ts'
import { folderTombstone } from '../../schema/change-log.ts'
import { entryTypeName } from '../../schema/entry.ts'
import { formerAddress, liveName, stagedName } from '../../schema/file-address.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { fileLink } from '../../schema/file-link.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import { deletedHistory, entriesOfHistory, type PastValues } from '../../schema/past-values.ts'
import type { Work } from '../../schema/pending-work.ts'
import type { Reader } from '../port.ts'
import type { KvReader } from '../records/kv.ts'
import type { Id, JsonObject, RecordType } from '../../schema/values.ts'
import { trashPart } from '../../schema/trash.ts'
import { recordKey, rowRange } from '../records/format.ts'
import type { RecordFault } from './faults.ts'

interface Found {
  readonly ids: readonly Id[]
  readonly record: object
}

/**
 * Names of deleted records whose remains a piece of pending work removes; they count as existing. Their owner deleted
 * them on purpose, and a repair must not bring them back.
 */
export type Clearing = ReadonlySet<string>

export function clearingOf(works: readonly Work[]): Clearing {
  return new Set(
    works.flatMap((work) => {
      if (work.kind === 'purge') return [nameOf(assetCategory.recordType, work.asset_category_id)]
      return work.kind === 'forget' ? [nameOf(assetFile.recordType, work.asset_file_id)] : []
    }),
  )
}

function nameOf({ name }: RecordType, id: Id): string {
  return `${name}/${id}`
}

/** Files and folders of earlier builds with the same number: a known condition, not a fault. */
export function sharedNumbers(records: Pick<Reader, 'get' | 'list'>): readonly string[] {
  return records.list(assetCategory.recordType, []).flatMap(([key]) => {
    const id = Number(key)
    const file = records.get(assetFile.recordType, id)?.value
    if (file === undefined) return []
    return [
      `asset_file ${id} and asset_category ${id} have the same number, so /file/${id}/${file.name} answers the file and other names answer files in the folder`,
    ]
  })
}

export function referenceFaults(
  kv: KvReader,
  type: RecordType,
  { ids, record, clearing }: Found & { readonly clearing: Clearing },
): readonly RecordFault[] {
  const has: Has = (other, ...[id = 0, ...rest]) =>
    kv.get(recordKey(kv, other, [id, ...rest])) !== undefined ||
    (rest.length === 0 && clearing.has(nameOf(other, id)))
  const who = `${type.name} ${ids.join('/')}`
  const owner = OWNERS.get(type.name) ?? ownerOfHistory(type.name, ids)
  if (owner !== undefined) {
    // Rows that belong to a record in the trash stay.
    const detail = owner(record, (other, ...of) => has(other, ...of) || isInTrash(kv, other, of))
    if (detail === undefined) return []
    const mend = { action: 'remove-record', type: type.name, ids } as const
    return [{ kind: 'reference', detail: `${who} ${detail}`, mend }]
  }

  const own = OWN_REFERENCES.get(type.name)?.(record, has) ?? []
  const findings = [...folderFindings(type, record as JsonObject, has), ...own]
  const lost = findings.filter(({ values }) => values === undefined)
  const mended = findings.filter(({ values }) => values !== undefined)
  return [
    ...lost.map(({ detail }) => ({ kind: 'record', detail: `${who} ${detail}` }) as const),
    ...(mended.length === 0 ? [] : [changeFault(who, { type, ids, record }, mended)]),
  ]
}

/**
 * Combines all findings in a record into one fault with one repair: a repair puts the whole record, so a second repair
 * would undo the first.
 */
function changeFault(
  who: string,
  { type, ids, record }: Found & { readonly type: RecordType },
  findings: readonly Finding[],
): RecordFault {
  const next = findings.reduce((before, { values }) => ({ ...before, ...values }), record)
  return {
    kind: 'reference',
    detail: `${who} ${findings.map(({ detail }) => detail).join(', and ')}`,
    mend: { action: 'put-record', type: type.name, ids, record: next },
  }
}

function isInTrash(kv: KvReader, { name }: RecordType, [id = 0, ...rest]: readonly Id[]): boolean {
  if (rest.length > 0) return false
  return kv.count({ ...rowRange(kv, trashPart, { index: 'of', values: [name, id] }), limit: 1 }) > 0
}

/** Whether a record exists. */
type Has = (type: RecordType, ...ids: readonly Id[]) => boolean

interface Finding {
  readonly detail: string
  /** Repaired values of the record; undefined if they are unknown. */
  readonly values?: object
}

type FindAll<T> = (record: T, has: Has) => readonly Finding[]
/** Describes what is wrong with the owner of a record. */
type FindOwner<T> = (record: T, has: Has) => string | undefined

/** Record types that belong to an owner and are removed with it. */
const OWNERS: ReadonlyMap<string, FindOwner<object>> = new Map<string, FindOwner<object>>([
  ofType(assetFileVersion, ({ asset_file_id: id }, has) =>
    has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone',
  ),
  ofType(liveName, ({ asset_file_id: id }, has) =>
    has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone',
  ),
  ofType(stagedName, ({ asset_file_id: id }, has) =>
    has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone',
  ),
  ofType(formerAddress, ({ asset_file_id: id }, has) =>
    has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone',
  ),
  ofType(fileLink.recordType, ({ asset_file_id: id }, has) =>
    has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone',
  ),
  ofType(comment.recordType, commentFault),
  ofType(formerPlaces, ({ asset_category_id: id }, has) =>
    has(assetCategory.recordType, id) ? undefined : 'belongs to a folder that is gone',
  ),
  ofType(apiKeySecret, ({ api_key_id: id }, has) =>
    has(apiKey.recordType, id) ? undefined : 'belongs to a key that is gone',
  ),
  ofType(session, ({ api_key_id: id }, has) =>
    has(apiKey.recordType, id) ? undefined : 'belongs to a key that is gone',
  ),
])

function commentFault({ target: text, reply_to: first }: Comment, has: Has): string | undefined {
  const target = findTarget(text)
  if (target === undefined) return `has the invalid target ${text}`
  const { kind, id } = target
  if (has(orphanedComments, text) || has(orphanedComments, `${kind}/${id}`)) return undefined
  if (first !== null && !has(comment.recordType, first)) return 'replies to a comment that is gone'
  if (kind === 'asset_file')
    return has(assetFile.recordType, id) ? undefined : 'belongs to a file that is gone'
  const isThere =
    has(MODULE_OBJECTS[kind].recordType, id) &&
    has({ name: entryTypeName(kind, id), indexes: [] }, target.entryId)
  return isThere ? undefined : 'belongs to an entry that is gone'
}

/** For the history of entries: the entry, and the row of the audit trail with the author. */
function ownerOfHistory(name: string, [id = 0]: readonly Id[]): FindOwner<object> | undefined {
  const entries = entriesOfHistory(name)
  if (entries === undefined) return undefined
  return (record, has) => {
    const { audit_id: row } = record as PastValues
    if (!has({ name: entries, indexes: [] }, id) && !has(deletedHistory, name, id))
      return 'belongs to an entry that is gone'
    return has(audit.recordType, row) ? undefined : `belongs to audit row ${row}, which is gone`
  }
}

/** Record types with references other than a folder. */
const OWN_REFERENCES: ReadonlyMap<string, FindAll<object>> = new Map<string, FindAll<object>>([
  ofType(fileGroup.recordType, (group, has) => {
    const members = group.asset_file_ids ?? []
    const kept = members.filter((id) => has(assetFile.recordType, id))
    return kept.length === members.length
      ? []
      : [{ detail: 'holds files that are gone', values: { asset_file_ids: kept } }]
  }),
  ofType(assetFile.recordType, pointerFindings),
])

function ofType<T extends object, F>(
  { name }: RecordType<T>,
  find: (record: T, has: Has) => F,
): readonly [string, (record: object, has: Has) => F] {
  // Called only with records of this type.
  return [name, (record, has) => find(record as T, has)]
}

function pointerFindings(file: AssetFile, has: Has): readonly Finding[] {
  const isThere = (version: number | null): boolean =>
    version === null || has(assetFileVersion, file.asset_file_id, version)
  if (!isThere(file.version)) return [{ detail: `has no latest version ${file.version}` }]
  const isLiveThere = isThere(file.live_version)
  const isStagedThere = isThere(file.staged_version)
  if (isLiveThere && isStagedThere) return []

  // Same result as an unpublish (operations/files/publishing.ts): the state follows the remaining pointer.
  const live_version = isLiveThere ? file.live_version : null
  const staged_version = isStagedThere ? file.staged_version : null
  const fileState = live_version !== null ? 'publish' : staged_version !== null ? 'stage' : null
  const values = {
    live_version,
    staged_version,
    fileState,
    date_published: live_version === null ? null : file.date_published,
    date_staged: staged_version === null ? null : file.date_staged,
  }
  return [{ detail: 'points to a version that is gone', values }]
}

/** For all records that lie in a folder. The record of a deleted folder names its parent, which may also be deleted. */
function folderFindings(type: RecordType, record: JsonObject, has: Has): readonly Finding[] {
  if (!RECORD_TYPES.includes(type) || type.name === folderTombstone.name) return []
  const parent = record['parent_category_id']
  if (typeof parent !== 'number' || has(assetCategory.recordType, parent)) return []
  if (type.name === assetCategory.name && record['asset_category_id'] === ROOT_CATEGORY_ID)
    return []
  const name =
    `recovered-${type.name}-${String(record[`${type.name}_id`])}-${String(record['name'])}`.slice(
      0,
      200,
    )
  const values = { parent_category_id: ROOT_CATEGORY_ID, name }
  return [{ detail: `lies in folder ${parent}, which is gone`, values }]
}
