// Reads of versions: list, read, compare, and restore as a new version.

import { recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { seesDrafts } from '../../auth/key-role.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type AssetFile,
  type AssetFileVersion,
  assetFile,
  VERSION_FIELDS,
} from '../../schema/asset-file.ts'
import { pickFields } from '../../schema/record.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { LabeledContent, Reader } from '../../storage/port.ts'
import type { Context, RecordInput } from '../context.ts'
import { textsInSlices } from '../../schema/time-slicing.ts'
import type { NumberRange } from '../newest-page.ts'
import { selectFields } from '../present.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { describing } from './copy-file.ts'
import { commitChecked } from './stml-pages.ts'
import { findVersions, requireSeenVersion, type VersionPage } from './visible-versions.ts'
import {
  addVersion,
  bytesOf,
  contentName,
  findVersion,
  putFile,
  requireFile,
  requireStillThere,
  requireWhole,
} from './versions.ts'

export interface VersionList extends Omit<VersionPage, 'versions'> {
  /** JSON of each version. */
  readonly texts: readonly (string | Uint8Array)[]
}

export interface ListInput extends NumberRange {
  readonly id: number
  readonly fields: ReadonlySet<string> | undefined
}

export async function listVersions(
  context: Context,
  { id, fields, ...stretch }: ListInput,
): Promise<VersionList> {
  const file = requireFile(context, id, 'view')
  const { versions, ...page } = await findVersions(context, file, stretch)
  const texts = await textsInSlices(versions, (stored) => {
    const version = presentVersion(context, file, stored.value)
    return JSON.stringify(selectFields(version, fields))
  })
  return { ...page, texts }
}

export function readVersion(
  context: Context,
  { id, number }: { readonly id: number; readonly number: number },
): JsonObject {
  const file = requireFile(context, id, 'view')
  const version = requireSeenVersion(context, file, { number, grant: 'view' })
  return presentVersion(context, file, version)
}

/** A version in the form of answers, without fields that only the storage needs. */
function presentVersion(context: Context, file: AssetFile, version: AssetFileVersion): JsonObject {
  const all = {
    ...version,
    ...(!seesNote(context, file, version) && { version_note: null }),
    is_live: file.live_version === version.version,
    is_staged: file.staged_version === version.version,
    is_pinned: isPinned(file, version.version),
  }
  return pickFields(all, VERSION_FIELDS)
}

/** A version saved in another folder has its note from there. */
function seesNote(
  { records, caller }: Context,
  file: AssetFile,
  { parent_category_id: former }: AssetFileVersion,
): boolean {
  const folders = new Set([file.parent_category_id, former])
  return [...folders].every((id) => seesDrafts(grantsAt(records, caller, id)))
}

/** Records of earlier builds lack the list. */
function isPinned({ pinned_versions: pins }: AssetFile, version: number): boolean {
  return (pins as readonly number[] | null | undefined)?.includes(version) === true
}

interface RestoreInput extends RecordInput {
  readonly number: number
}

/** Adds a version with the bytes and the describing fields of an older one; name and folder stay. */
export async function restoreVersion(context: Context, input: RestoreInput): Promise<Stored> {
  return commitChecked(context, {
    find: (reader) => findVersion(reader, input.id, input.number),
    enter: () => requireRestorable(context.records, context, input),
    plan(unit) {
      const { caller, record, old } = requireRestorable(unit, context, input)
      const next = addVersion(unit, {
        file: { ...record, version_note: null, ...describing(old) },
        number: record.version + 1,
        bytes: bytesOf(old),
        owner: caller.user.name,
        now: context.now().toISOString(),
      })
      return putFile(unit, next)
    },
  })
}

function requireRestorable(reader: Reader, context: Context, input: RestoreInput) {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record } = requireRecord(reader, assetFile, input.id)
  requireGrant(reader, caller, 'modify', record.parent_category_id)
  requireFileMatch(input.precondition, { stored, record })
  const wanted = { number: input.number, grant: 'modify' } as const
  const old = requireSeenVersion({ records: reader, caller }, record, wanted)
  requireWhole(old)
  return { caller, record, old }
}

/** A unified diff of two text versions. */
export async function diffVersions(
  context: Context,
  { id, left, right }: { readonly id: number; readonly left: number; readonly right: number },
): Promise<string> {
  const file = requireFile(context, id, 'modify')
  const diff = context.contents.diff(sideOf(context, file, left), sideOf(context, file, right))
  return diff.catch(async (error: unknown) => {
    await requireStillThere(context, id, [left, right])
    throw error
  })
}

function sideOf(context: Context, file: AssetFile, number: number): LabeledContent {
  const version = requireSeenVersion(context, file, { number, grant: 'modify' })
  if (version.is_text)
    return { ...contentName(version), label: `${version.name} (version ${number})` }
  throw new CmsError(
    'invalid-content',
    `Version ${number} is not text, so it cannot be compared. Download both.`,
  )
}
