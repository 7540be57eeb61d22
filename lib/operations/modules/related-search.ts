// Searches through references: finds the related records first, then searches by their identifiers, which are indexed. Only
// records that the caller sees take part, so that nothing hidden can be found out by a match.

import { holdsEverywhere } from '../../auth/grants.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { andThen } from '../../base/and-then.ts'
import { CmsError } from '../../base/errors.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { type References } from '../../schema/columns/column.ts'
import { referencesOf } from '../../schema/expand.ts'
import {
  and,
  inMatch,
  type Match,
  type RelatedMatch,
  type RelatedRecords,
  valueOf,
} from '../../schema/match.ts'
import type { RelatedField, RelatedFields } from '../../schema/qry-related.ts'
import {
  BYTES_PER_SLICE,
  END_OF_SLICE,
  inSlices,
  type Pause,
  settled,
} from '../../schema/time-slicing.ts'
import type {
  JsonObject,
  RecordType,
  Searchable,
  SearchedBy,
  SearchField,
} from '../../schema/values.ts'
import { MAX_LIST_LENGTH, MAX_RELATED_RECORDS } from '../../shared/limits.ts'
import type { Page, Query } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { fileVisibility } from '../files/file-visibility.ts'
import { comparedOf } from '../present.ts'
import { viewOf } from '../visibility.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { PUBLIC_FILE_FIELDS } from './reference-targets.ts'

/** The references that a qry on the entries of the module may follow, as the caller sees them. */
export function relatedFieldsOf(following: Following, module: Module): RelatedFields {
  return {
    find: (name) => findForward(following, module, name) ?? findBack(following, module, name),
  }
}

function findForward(following: Following, module: Module, name: string): RelatedField | undefined {
  const reference = referencesOf(module.entry).find(({ column }) => column === name)
  const field = module.entry.object.searchable.get(name)
  if (reference === undefined || field === undefined) return undefined
  const { references, isMany: isList } = reference
  const { object, module_id: moduleId } = references
  return {
    field,
    from: { object, moduleId, column: null },
    isList,
    target: () => targetOf(following, references),
  }
}

function targetOf(
  following: Following,
  { object, module_id: id }: Pick<References, 'object' | 'module_id'>,
): ReturnType<RelatedField['target']> {
  if (object === 'asset_file')
    return { fields: fileFields(following.context), objectName: assetFile.name, related: undefined }
  const module = following.find(object, id ?? 0)
  if (module === undefined) return undefined
  const { searchable: fields, name: objectName } = module.entry.object
  return { fields, objectName, related: relatedFieldsOf(following, module) }
}

/** datatable_5.post: the column post of datatable 5. */
const BACK_REFERENCE = /^(datatable|calendar)_(\d{1,15})\.(.+)$/s

function findBack(following: Following, module: Module, name: string): RelatedField | undefined {
  const [, kind, number, column = ''] = BACK_REFERENCE.exec(name) ?? []
  if (kind !== 'datatable' && kind !== 'calendar') return undefined
  const moduleId = Number(number)
  const other = following.find(kind, moduleId)
  const isBack = ({ object, module_id: id }: References): boolean =>
    object === module.kind && id === module.id
  const reference =
    other &&
    referencesOf(other.entry).find((each) => each.column === column && isBack(each.references))
  const field = [...module.entry.object.searchable.values()].find(({ isId }) => isId === true)
  if (reference === undefined || field === undefined) return undefined
  return {
    field,
    from: { object: kind, moduleId, column },
    isList: true,
    target: () => targetOf(following, { object: kind, module_id: moduleId }),
  }
}

/** How the records of one condition on related records were found. */
export interface RelatedStep extends SearchedBy {
  readonly object: string
  /** Null for files. */
  readonly module_id: number | null
  readonly examined: number
  readonly returned: number
}

interface ResolvedQuery {
  readonly query: Query
  /** Empty unless the query asks for its plan. */
  readonly steps: readonly RelatedStep[]
}

/** The query with the identifiers of related records. A query without related conditions is returned as it is. */
export function withRelated(
  following: Following,
  query: Query,
): ResolvedQuery | Promise<ResolvedQuery> {
  const { match, explain } = query
  if (match === undefined || !hasRelated(match)) return { query, steps: [] }
  const steps: RelatedStep[] = []
  const resolving = { following, explain, steps, spent: { records: 0 } }
  // Without a pause, the list and the records that it refers to are read from one state.
  return andThen(inSlices(resolve(resolving, match)), (resolved) => ({
    query: { ...query, match: resolved, asked: match },
    steps,
  }))
}

interface Resolving {
  readonly following: Following
  readonly explain: boolean | undefined
  readonly steps: RelatedStep[]
  /** Examined in all conditions so far. */
  readonly spent: { records: number }
}

function hasRelated(match: Match): boolean {
  if (match.op === 'and' || match.op === 'or') return match.parts.some(hasRelated)
  return match.op === 'not' ? hasRelated(match.part) : match.op === 'related'
}

function* resolve(resolving: Resolving, match: Match): Generator<Pause, Match> {
  switch (match.op) {
    case 'and':
    case 'or': {
      const parts: Match[] = []
      for (const part of match.parts) parts.push(yield* resolve(resolving, part))
      return match.op === 'and' ? and(...parts) : { op: 'or', parts }
    }
    case 'not':
      return { op: 'not', part: yield* resolve(resolving, match.part) }
    case 'related':
      return inMatch(match.field, yield* findIds(resolving, match))
    default:
      return match
  }
}

/** The identifiers that the field may have. Throws too-large if more than MAX_RELATED_RECORDS match, records or identifiers. */
function* findIds(resolving: Resolving, { from, match }: RelatedMatch): Generator<Pause, number[]> {
  const { following, explain, steps, spent } = resolving
  const { records: reader, limits, caller } = following.context
  // Hidden files influence which index is read; of a table, the caller sees all entries.
  const isTold = explain === true && (from.moduleId !== null || holdsEverywhere(caller, 'view'))
  const source = sourceOf(following, from)
  if (source === undefined) return []
  const found = yield* resolve(resolving, match)
  const ids = new Set<number>()
  let [records, examined] = [0, 0]
  let plan: SearchedBy | undefined
  let cursor: string | undefined
  do {
    const query = {
      ...source.narrow(found),
      orderBy: null,
      onlyIds: source.referencesIn === undefined,
      length: MAX_LIST_LENGTH,
      cursor,
      explain: isTold,
    }
    const page: Page = yield* settled(reader.search(source.type, source.searchable, query))
    cursor = page.next
    records += page.ids.length
    examined += page.scanned
    spent.records += page.scanned
    plan ??= page.plan
    // All conditions together examine as many records as one page of a list.
    const isSpent = page.isSpent === true || spent.records > limits.scannedRecords
    if (records > MAX_RELATED_RECORDS || (isSpent && cursor !== undefined)) throw tooMany(from)
    for (const id of yield* idsOf(source, page)) ids.add(id)
    // One record with a list refers to many.
    if (ids.size > MAX_RELATED_RECORDS) throw tooMany(from)
  } while (cursor !== undefined)
  if (plan !== undefined) {
    const { object, moduleId: module_id } = from
    steps.push({ object, module_id, ...plan, examined, returned: records })
  }
  return [...ids]
}

/** Parses the records of a page only if their references are wanted. */
function* idsOf(
  { type, referencesIn }: Source,
  { records, ids }: Page,
): Generator<Pause, readonly number[]> {
  yield
  if (referencesIn === undefined) return ids
  const found: number[] = []
  let sliceBytes = 0
  for (const { value, sizeBytes } of records) {
    found.push(...referencesIn(type.upgrade?.(value) ?? value))
    sliceBytes += sizeBytes
    if (sliceBytes < BYTES_PER_SLICE) yield
    else {
      yield END_OF_SLICE
      sliceBytes = 0
    }
  }
  return found
}

function tooMany({ object, moduleId, column }: RelatedRecords): CmsError {
  const place = moduleId === null ? 'files' : `entries of ${object} ${moduleId}`
  const through = column === null ? '' : ` through ${column}`
  return new CmsError(
    'too-large',
    `A condition of qry on ${place}${through} matches more than ${MAX_RELATED_RECORDS}, or has to examine too many. Narrow it, with a column that is indexed.`,
  )
}

interface Source {
  readonly type: RecordType<JsonObject>
  readonly searchable: Searchable
  /** The query for the matching records that the caller sees. */
  readonly narrow: (match: Match) => Pick<Query, 'match' | 'isVisible' | 'compared' | 'masked'>
  /** Undefined if the identifiers of the records themselves are wanted. */
  readonly referencesIn: ((record: JsonObject) => readonly number[]) | undefined
}

function sourceOf({ context, find }: Following, from: RelatedRecords): Source | undefined {
  const { object, moduleId, column } = from
  if (object === 'asset_file') return fileSource(context)
  const module = find(object, moduleId ?? 0)
  if (module === undefined) return undefined
  const { recordType: type, searchable } = module.entry.object
  return {
    type,
    searchable,
    narrow: (match) => ({ match: and(module.filter, match) }),
    referencesIn:
      column === null
        ? undefined
        : (record) =>
            [valueOf(record, column)].flat().flatMap((id) => (id === null ? [] : Number(id))),
  }
}

function fileSource(context: Context): Source {
  const { records, caller } = context
  const type = assetFile.recordType as RecordType<JsonObject>
  const visible = openVisibleFolders(records, caller)
  const isAnonymous = caller.isAnonymous === true
  const isVisible = (file: JsonObject): boolean =>
    visible.grantsAt(Number(file['parent_category_id'])).has('view') &&
    !(isAnonymous && file['live_version'] === null)
  return {
    type,
    searchable: fileFields(context),
    narrow: (match) => ({
      match,
      isVisible,
      ...comparedOf(viewOf(context), fileVisibility, { match, length: 1 }),
    }),
    referencesIn: undefined,
  }
}

/** Readers without a key search by what they see. */
export function fileFields({ caller }: Pick<Context, 'caller'>): Searchable {
  if (caller.isAnonymous !== true) return assetFile.searchable
  const shown = (field: SearchField): boolean => PUBLIC_FILE_FIELDS.includes(field.name)
  return new Map([...assetFile.searchable].filter(([, field]) => shown(field)))
}
