// Where a file or a file group is used. Pages lead to a file, file groups list it, and entries refer to it; pages show a file group as
// a menu. An address counts if it leads to the file now, under its present name, a former name or the name of a draft. Only what the caller may see is listed.

import { grantsAt } from '../../auth/grants.ts'
import { seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import type { Site } from '../../config/flag-values.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import {
  hashOfKey,
  keyOfGroup,
  LINK_KEYS,
  LINK_SEARCH,
  linkKeys,
  type LinkRow,
  linkRow,
} from '../../schema/link-index.ts'
import { inMatch } from '../../schema/match.ts'
import { pickFields } from '../../schema/record.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'
import { MAX_USES } from '../../shared/limits.ts'
import { presentValue } from '../present.ts'
import type { Context } from '../context.ts'
import { fileVisibility } from '../files/file-visibility.ts'
import { groupRules } from '../files/file-groups.ts'
import { findUnread, isAllIndexed, readUnread } from '../files/link-rows.ts'
import { referrersOf } from '../references/dependents.ts'
import { referringColumns } from '../references/reference-columns.ts'
import { viewOf } from '../visibility.ts'
import { keysOfFile } from './link-keys.ts'
import { type LinkTarget, type LinkTargets, openLinkTargets } from './link-targets.ts'
import { findShowingPages, type Shown } from './showing-pages.ts'

/** Fields of a page in the answer. */
export const USING_FIELDS = ['asset_file_id', 'name', 'title', 'type', 'path', 'state'] as const

export interface UsedOnInput {
  readonly id: number
  readonly length: number
  readonly cursor: string | undefined
  /** Only the live pages that show the file: see showing-pages.ts. */
  readonly isShown: boolean
}

export interface UsedOn {
  readonly pages: readonly JsonObject[]
  /** Only with the first pages, as the entries. */
  readonly file_groups: readonly { readonly file_group_id: number; readonly name: string }[]
  readonly entries: readonly UsingEntry[]
  /** Undefined on the last page. */
  readonly next: string | undefined
  readonly isComplete: boolean
}

interface UsingEntry {
  readonly object: 'datatable' | 'calendar'
  readonly module_id: number
  readonly module_name: string
  readonly entry_id: number
  readonly column: string
}

export async function findUses(
  context: Context,
  sites: readonly Site[],
  input: UsedOnInput,
): Promise<UsedOn> {
  const file = fileVisibility.seen.requireRead(context, input.id).value
  const isBehind = await readPages(context, file.parent_category_id)
  if (input.isShown) return showingPages(context, { kind: 'include', ...input }, isBehind)
  const asked = {
    keys: keysOfFile(context.records, file),
    isTarget: (target: LinkTarget) =>
      target.kind === 'file' && target.file.asset_file_id === input.id,
  }
  const { pages, next } = await findPages(context, sites, { ...asked, ...input })
  const isFirst = input.cursor === undefined
  const groups = isFirst ? await groupsOf(context, input.id) : NONE
  const entries = isFirst ? await entriesOf(context, input.id) : NONE
  return {
    pages,
    file_groups: groups.found,
    entries: entries.found,
    next,
    isComplete: !isBehind && groups.isWhole && entries.isWhole && isAllIndexed(context),
  }
}

/** The pages with the menu of a file group. */
export async function findMenuPages(
  context: Context,
  sites: readonly Site[],
  input: UsedOnInput,
): Promise<Pick<UsedOn, 'pages' | 'next' | 'isComplete'>> {
  const group = groupRules.seen.requireRead(context, input.id).value
  const isBehind = await readPages(context, Number(group['parent_category_id']))
  if (input.isShown) return showingPages(context, { kind: 'menu', ...input }, isBehind)
  const asked = {
    keys: [keyOfGroup(input.id)],
    isTarget: (target: LinkTarget) => target.kind === 'group' && target.id === input.id,
  }
  const found = await findPages(context, sites, { ...asked, ...input })
  return { ...found, isComplete: !isBehind && isAllIndexed(context) }
}

async function showingPages(
  context: Context,
  { length, ...shown }: Shown & Pick<UsedOnInput, 'length'>,
  isBehind: boolean,
): Promise<UsedOn> {
  const { pages, isComplete } = await findShowingPages(context, shown, length)
  const { records } = context
  const rows = pages.flatMap(({ asset_file_id: pageId }) => {
    const stored = records.get(assetFile.recordType, pageId)
    if (stored === undefined) return []
    const value = presentValue(viewOf(context), fileVisibility, stored)
    const { version, live_version: live, staged_version: staged } = stored.value
    const uses = { in_live: true, in_staged: staged === live, in_latest: version === live }
    return [{ ...pickFields(value, USING_FIELDS), ...uses }]
  })
  const isWhole = isComplete && !isBehind && isAllIndexed(context)
  return { pages: rows, file_groups: [], entries: [], next: undefined, isComplete: isWhole }
}

/**
 * True if pages are left whose links are unknown. Only versions that the caller sees are read and count, so that a save elsewhere
 * changes nothing. A request of a caller who may only view writes nothing.
 */
async function readPages(context: Context, folderId: number): Promise<boolean> {
  const { records } = context
  const visible = openVisibleFolders(records, context.caller)
  const isSeen = (pageId: number, version: number): boolean => {
    const page = records.get(assetFile.recordType, pageId)?.value
    const grants = page && visible.grantsAt(page.parent_category_id)
    return grants?.has('view') === true && (seesDrafts(grants) || version === page?.live_version)
  }
  try {
    if (seesDrafts(visible.grantsAt(folderId))) return await readUnread(context, isSeen)
  } catch (error) {
    if (!(error instanceof CmsError && UNWRITABLE.has(error.code))) throw error
  }
  const { found, isCut } = await findUnread(records, 1, isSeen)
  return isCut || found.length > 0
}

const UNWRITABLE: ReadonlySet<string> = new Set(['read-only', 'disk-full'])

interface Asked {
  /** The link index has the pages under these keys. */
  readonly keys: readonly string[]
  readonly isTarget: (target: LinkTarget) => boolean
}

/** A search is for records of JSON objects, which interfaces of this kind are not. */
const ROWS = linkRow as unknown as RecordType<JsonObject>

async function findPages(context: Context, sites: readonly Site[], asked: Asked & UsedOnInput) {
  const { records, cursors } = context
  const { length, cursor } = asked
  const uses = openUses(context, openLinkTargets(context, sites), asked)
  const page = await records.search(ROWS, LINK_SEARCH, {
    match: inMatch(LINK_KEYS, [...uses.keys]),
    orderBy: null,
    length,
    cursor: cursor === undefined ? undefined : cursors.decrypt(cursor),
    isVisible: (row) => uses.isSeen(row as unknown as LinkRow),
    examine: (row) => uses.examine(row as unknown as LinkRow),
  })
  const { next } = page
  return {
    pages: page.records.flatMap(({ value }) => uses.show(value as unknown as LinkRow)),
    next: next === undefined ? undefined : cursors.encrypt(next),
  }
}

/** Addresses that are compared before the search may pause. */
const ADDRESSES_PER_STEP = 32
const NO_VERSIONS: ReadonlySet<number> = new Set()

/** For one answer. */
function openUses(context: Context, targets: LinkTargets, asked: Asked) {
  const { records, caller } = context
  const visible = openVisibleFolders(records, caller)
  const keys = new Set(asked.keys.map(hashOfKey))

  const pageOf = ({ asset_file_id: pageId }: LinkRow): Stored<AssetFile> | undefined =>
    records.get(assetFile.recordType, pageId)

  /** The numbers of the versions that use the target, by page. */
  const using = new Map<number, ReadonlySet<number>>()

  /** Callers who may only view do not learn what a draft contains. */
  function* usingVersions(row: LinkRow): Generator<void, ReadonlySet<number>> {
    const numbers = new Set<number>()
    const page = pageOf(row)?.value
    if (page === undefined) return numbers
    const { parent_category_id: folderId, live_version: live } = page
    const isAll = seesDrafts(visible.grantsAt(folderId))
    for (const { version, addresses } of row.versions)
      if ((isAll || version === live) && (yield* isUsing(folderId, addresses ?? [])))
        numbers.add(version)
    return numbers
  }

  function* isUsing(folderId: number, addresses: readonly string[]): Generator<void, boolean> {
    for (const [at, address] of addresses.entries()) {
      if (at % ADDRESSES_PER_STEP === 0) yield
      if (leadsHere(folderId, address)) return true
    }
    return false
  }

  function leadsHere(folderId: number, address: string): boolean {
    if (!linkKeys(address).some((key) => keys.has(hashOfKey(key)))) return false
    return asked.isTarget(targets.find(folderId, address))
  }

  return {
    keys,
    isSeen(row: LinkRow): boolean {
      const page = pageOf(row)?.value
      return page !== undefined && visible.grantsAt(page.parent_category_id).has('view')
    },
    *examine(row: LinkRow): Generator<void, boolean> {
      const numbers = yield* usingVersions(row)
      if (numbers.size > 0) using.set(row.asset_file_id, numbers)
      return numbers.size > 0
    },
    show(row: LinkRow): readonly JsonObject[] {
      const stored = pageOf(row)
      if (stored === undefined) return []
      const { live_version: live, staged_version: staged, version } = stored.value
      const numbers = using.get(row.asset_file_id) ?? NO_VERSIONS
      return [
        {
          ...pickFields(presentValue(viewOf(context), fileVisibility, stored), USING_FIELDS),
          in_live: live !== null && numbers.has(live),
          in_staged: staged !== null && numbers.has(staged),
          in_latest: numbers.has(version),
        },
      ]
    },
  }
}

/** A part of the answer. */
interface Found<T> {
  readonly found: readonly T[]
  /** False if there are more, or while the index of a column is being built. */
  readonly isWhole: boolean
}

const NONE: Found<never> = { found: [], isWhole: true }

async function groupsOf(
  { records, caller }: Context,
  id: number,
): Promise<Found<UsedOn['file_groups'][number]>> {
  const { recordType, searchable } = fileGroup
  const visible = openVisibleFolders(records, caller)
  const field = searchable.get('asset_file_ids')
  const page = await records.search(recordType, searchable, {
    match: field && inMatch(field, [id]),
    orderBy: null,
    length: MAX_USES,
    isVisible: ({ parent_category_id: folderId }) => visible.grantsAt(folderId).has('view'),
  })
  const found = page.records.map(({ value: { file_group_id, name } }) => ({ file_group_id, name }))
  return { found, isWhole: page.next === undefined }
}

async function entriesOf(context: Context, id: number): Promise<Found<UsingEntry>> {
  const { records, caller } = context
  const target = { object: 'asset_file', module_id: null, id } as const
  const found: UsingEntry[] = []
  const slice = openTimeSlice()
  let isWhole = true
  for (const referring of referringColumns(context, records, target)) {
    if (slice.isOver(0)) await slice.next()
    const { kind: object, id: moduleId, record } = referring.module
    if (!grantsAt(records, caller, record.parent_category_id).has('view')) continue
    const { column, isIndexed } = referring.column
    if (!isIndexed) {
      isWhole = false
      continue
    }
    const use = { object, module_id: moduleId, module_name: record.name, column: column.name }
    for (const { id: entry_id } of referrersOf(records, referring, target, MAX_USES + 1))
      found.push({ ...use, entry_id })
    if (found.length > MAX_USES) return { found: found.slice(0, MAX_USES), isWhole: false }
  }
  return { found, isWhole }
}
