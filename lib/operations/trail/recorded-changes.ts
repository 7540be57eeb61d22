// Describes the changes of a commit: each record that the API shows and that the commit put or removed, once. Records
// with the same description are grouped, as runs of identifiers.

import { apiKey } from '../../schema/api-key.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { OBJECTS } from '../../schema/catalog.ts'
import { isSame } from '../../schema/check.ts'
import { type Comment, comment } from '../../schema/comment.ts'
import { entryTypeName, parseEntryTypeName } from '../../schema/entry.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { fileLink } from '../../schema/file-link.ts'
import { MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import { type SecondFactor, secondFactor, user, userLink, userPassword } from '../../schema/user.ts'
import type { RecordedChange, RecordedName } from '../../schema/recorded-change.ts'
import type { RecordType, Stored } from '../../schema/values.ts'
import type { Change, Reader } from '../../storage/port.ts'
import { folderOfTarget } from '../comment-targets.ts'
import { fieldsOf } from './changed-fields.ts'
import { isImplied } from './implied-changes.ts'
import { describeFile } from './recorded-files.ts'
import {
  type FoldersTo,
  nameOf,
  openFolders,
  type RemovedVersions,
  removedVersions,
} from './recorded-names.ts'

export interface Committed {
  /** The state after the commit. */
  readonly reader: Pick<Reader, 'get' | 'count'>
  readonly changes: readonly Change[]
  /** The folder of the requested change, if these changes only follow from it. */
  readonly through?: number | undefined
}

/**
 * The last change is the requested one, because every operation puts or removes that record last. Empty if nothing is
 * recorded.
 */
export function describeChanges(committed: Committed): readonly RecordedChange[] {
  const records = recordsOf(committed.changes)
  const [only, ...others] = records
  if (only !== undefined && others.length === 0) return [describeOne(only, committed)]
  const groups = new Map<string, Group>()
  const naming = openNaming(committed)
  let last: Group | undefined
  let previous: Changed | undefined
  for (const record of records) {
    if (last !== undefined && previous !== undefined && isAlike(record, previous)) {
      addTo(last.ids, record.id)
      continue
    }
    previous = record
    const { name, folders } = naming(record)
    const details = { ...describe(record, committed), ...folders }
    const key = JSON.stringify([details, name === undefined])
    last = groups.get(key) ?? { details, ids: [], names: [] }
    groups.set(key, last)
    addTo(last.ids, record.id)
    if (name !== undefined) last.names.push(name)
  }
  return [...groups.values()]
    .toSorted((left, right) => Number(left === last) - Number(right === last))
    .map(({ details, ids, names }) => ({ ...details, ids, ...(names.length > 0 && { names }) }))
}

/** Most commits change one record. */
function describeOne(record: Changed, committed: Committed): RecordedChange {
  const { name, folders } = openNaming(committed)(record)
  const details = { ...describe(record, committed), ...folders }
  const ids: RecordedChange['ids'] = [[record.id, record.id]]
  return { ...details, ids, ...(name !== undefined && { names: [name] }) }
}

/** Whether both are entries of a module that a list created or deleted, whose descriptions differ only in the identifier. */
function isAlike(record: Changed, previous: Changed): boolean {
  if (record.module === undefined || record.type !== previous.type) return false
  const action = actionOf(record)
  return action !== 'update' && action === actionOf(previous)
}

type ChangeDetails = Omit<RecordedChange, 'ids' | 'names'>

interface Group {
  readonly details: ChangeDetails
  readonly ids: [first: number, last: number][]
  /** One for each identifier, or none. */
  readonly names: RecordedName[]
}

interface Naming {
  readonly name?: RecordedName
  readonly folders?: Pick<RecordedChange, 'folders' | 'previous_folders'>
}

/** The names and folders of records that were deleted, renamed or moved. */
function openNaming({ reader, changes }: Committed): (record: Changed) => Naming {
  let foldersTo: FoldersTo | undefined
  let versions: RemovedVersions | undefined
  return (record) => {
    // Entries have no name of their own, although a column may be called name.
    if (APART.has(record.type) || record.module !== undefined) return {}
    foldersTo ??= openFolders(reader)
    versions ??= removedVersions(changes)
    const [old, now] = [record.before, record.stored].map((item) => folderOf(item?.value))
    const isMoved = record.before !== undefined && record.stored !== undefined && old !== now
    const name = nameOf({ ...record, isMoved }, { reader, versions })
    if (name === undefined) return {}
    const own = find(foldersTo, now ?? old)
    const previous = isMoved ? find(foldersTo, old) : undefined
    return {
      name,
      folders: {
        ...(own !== undefined && { folders: own }),
        ...(previous !== undefined && { previous_folders: previous }),
      },
    }
  }
}

function find(foldersTo: FoldersTo, id: number | undefined): ReturnType<FoldersTo> {
  return id === undefined ? undefined : foldersTo(id)
}

function addTo(ids: Group['ids'], id: number): void {
  const run = ids.at(-1)
  if (run?.[1] === id - 1) run[1] = id
  else ids.push([id, id])
}

interface Kind {
  /** The name in the API. */
  readonly object: string
  readonly module: { readonly kind: ModuleKind; readonly moduleId: number } | undefined
  /** With an identifier behind it, a key of the record among all records. */
  readonly prefix: string
}

/** A record before and after the commit. */
interface Changed extends Omit<Kind, 'prefix'> {
  readonly id: number
  readonly type: RecordType
  readonly before: Stored<object> | undefined
  readonly stored: Stored<object> | undefined
  /** Changes of the user's password and second factor, which are stored separately. */
  readonly besides: readonly Change[]
}

/** In the order of their last change. */
function recordsOf(changes: readonly Change[]): readonly Changed[] {
  const [only] = changes
  if (only !== undefined && changes.length === 1) {
    const kind = findKind(only.type)
    return kind === undefined || isImplied(only, changes) ? [] : [merge(undefined, kind, only)]
  }
  const records = new Map<string, Changed>()
  for (const change of changes) {
    const kind = findKind(change.type)
    if (kind === undefined || isImplied(change, changes)) continue
    const key = `${kind.prefix}${change.ids[0]}`
    const known = records.get(key)
    if (known !== undefined) records.delete(key)
    records.set(key, merge(known, kind, change))
  }
  return [...records.values()]
}

function merge(known: Changed | undefined, { object, module }: Kind, change: Change): Changed {
  const { type, ids, before, stored } = change
  const isApart = APART.has(type)
  const besides = known?.besides ?? []
  if (known !== undefined && isApart) return { ...known, besides: [...besides, change] }
  const first = known === undefined || APART.has(known.type) ? before : known.before
  const id = Number(ids[0])
  return { object, module, id, type, before: first, stored, besides: isApart ? [change] : besides }
}

const APART: ReadonlySet<RecordType> = new Set<RecordType>([userPassword, userLink, secondFactor])

/** Record types that the API shows, with their object names. */
const OBJECT_NAMES: ReadonlyMap<string, string> = new Map([
  ...[...OBJECTS, fileLink].map(({ name, recordType }) => [recordType.name, name] as const),
  [userPassword.name, user.name],
  [userLink.name, user.name],
  [secondFactor.name, user.name],
])

/** Cache by record type; a record type is the same object while it is used. */
const KINDS = new WeakMap<RecordType, Kind | 'hidden'>()

/** Whether answers and the audit trail name records of the type. */
export function isNamedType(type: RecordType): boolean {
  return findKind(type) !== undefined
}

function findKind(type: RecordType): Kind | undefined {
  const kind = KINDS.get(type) ?? readKind(type) ?? 'hidden'
  KINDS.set(type, kind)
  return kind === 'hidden' ? undefined : kind
}

function readKind({ name }: RecordType): Kind | undefined {
  const object = OBJECT_NAMES.get(name)
  if (object !== undefined) return { object, module: undefined, prefix: `${object}/` }
  const module = parseEntryTypeName(name)
  if (module === undefined) return undefined
  const entry = `${module.kind}_entry`
  return { object: entry, module, prefix: `${entry}/${module.moduleId}/` }
}

function describe(record: Changed, committed: Committed): ChangeDetails {
  const { object, module } = record
  const fields = changedFields(record)
  return {
    object,
    ...(module !== undefined && { module_id: module.moduleId }),
    action: actionOf(record),
    ...placeOf(record, committed),
    ...(object === fileGroup.name && throughOf(committed)),
    ...(object === assetFile.name && describeFile(record, committed.changes)),
    ...(fields !== undefined && { changed_fields: fields }),
    ...entriesOf(record, committed),
  }
}

/** A deleted module takes its entries along; they are removed after this commit. */
function entriesOf(
  { object, id, stored }: Changed,
  { reader }: Committed,
): Pick<RecordedChange, 'entries'> | undefined {
  const kind = MODULE_KINDS.find((name) => name === object)
  if (kind === undefined || stored !== undefined) return undefined
  return { entries: reader.count({ name: entryTypeName(kind, id), indexes: [] }) }
}

function actionOf({ type, before, stored }: Changed): 'create' | 'update' | 'delete' {
  if (APART.has(type)) return 'update'
  if (stored === undefined) return 'delete'
  return before === undefined ? 'create' : 'update'
}

type Place = Pick<RecordedChange, 'asset_category_id' | 'previous_category_id'>

function placeOf({ object, module, id, before, stored }: Changed, { reader }: Committed): Place {
  if (object === user.name || object === apiKey.name) return {}
  if (module !== undefined) {
    const found = reader.get(MODULE_OBJECTS[module.kind].recordType, module.moduleId)
    const folder = found?.value['parent_category_id']
    return typeof folder === 'number' ? { asset_category_id: folder } : {}
  }
  if (object === comment.name) {
    const found = (stored ?? before)?.value as Comment | undefined
    const folder = found && folderOfTarget(reader, found.target)
    return folder === undefined ? {} : { asset_category_id: folder }
  }
  const [old, now] = [before, stored].map((item) => folderOf(item?.value))
  const folder = object === assetCategory.name ? id : (now ?? old)
  const isMoved = before !== undefined && stored !== undefined && old !== now
  return {
    ...(folder !== undefined && { asset_category_id: folder }),
    ...(isMoved && old !== undefined && { previous_category_id: old }),
  }
}

function folderOf(record: object | undefined): number | undefined {
  const { parent_category_id: id } = (record ?? {}) as Partial<AssetCategory>
  return id ?? undefined
}

/** For a group that loses a deleted file: callers who did not see the file did not see it in the group. */
function throughOf({
  changes,
  through,
}: Committed): Pick<RecordedChange, 'through_category_id'> | undefined {
  const file = changes.find(({ type }) => type.name === assetFile.recordType.name)
  const folder = through ?? folderOf(file?.before?.value)
  return folder === undefined ? undefined : { through_category_id: folder }
}

/** Undefined for a record that was created or deleted. */
function changedFields(record: Changed): readonly string[] | undefined {
  const { type, before, stored, besides } = record
  const own = APART.has(type) ? [] : fieldsOf(type, before, stored)
  return own && [...own, ...besides.flatMap(fieldsBesides)]
}

function fieldsBesides({ type, before, stored }: Change): readonly string[] {
  if (type === userPassword) return Object.keys(stored?.value ?? {})
  if (type === userLink) return ['date_link_expires']
  // Uses the names of the API.
  const [old, now] = [before?.value, stored?.value] as readonly (SecondFactor | undefined)[]
  return [
    ...(old?.secret === now?.secret ? [] : ['second_factor']),
    ...(isSame(old?.recovery_codes, now?.recovery_codes) ? [] : ['recovery_codes']),
  ]
}
