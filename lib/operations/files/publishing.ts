// Publish, stage, unpublish, unstage: they move pointers in one record and touch no bytes.

import { recheck } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { noSuchRecord, requireGrant } from '../../auth/grants.ts'
import type { Holder } from '../../auth/key-role.ts'
import { type AssetFile, type AssetFileVersion, assetFile } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordInput } from '../context.ts'
import { requireFreeName } from './addresses.ts'
import {
  type FileState,
  findLatest,
  findVersion,
  movePointer,
  putFile,
  requireWhole,
} from './versions.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { withoutUnpublish } from './schedules.ts'
import { requireSeenVersion } from './visible-versions.ts'
import { commitChecked } from './stml-pages.ts'

export interface MoveInput extends RecordInput {
  /** The folder below which the file must still lie; if it does not, the file counts as missing. */
  readonly within?: number
}

interface ShowInput extends MoveInput {
  /** Undefined stands for the latest version. */
  readonly version: number | undefined
}

export async function publish(context: Context, input: ShowInput): Promise<Stored> {
  const { id, version: number } = input
  return changeShown(context, input, {
    grant: 'publish',
    find: (reader) =>
      number === undefined ? findLatest(reader, id) : findVersion(reader, id, number),
    changed: (file, now, changing) => publishedFile(file, { ...changing, now, number }),
  })
}

/** The file with the version live; throws if the caller may not see the version, or the version cannot go live. */
export function publishedFile(file: AssetFile, { unit, caller, now, number }: Showing): AssetFile {
  const wanted = { number: number ?? file.version, grant: 'publish' } as const
  const shown = requireSeenVersion({ records: unit, caller }, file, wanted)
  requireWhole(shown)
  const { parent_category_id: categoryId, asset_file_id: ownId } = file
  // The record's own name is reserved already; only another name may be taken by now.
  if (shown.name !== file.name)
    requireFreeName(unit, caller, assetFile, { categoryId, name: shown.name, ownId })
  return movePointer(file, 'publish', { now, version: number })
}

/** The stage is never behind the live site: throws invalid-content for a version before the live one. */
export async function stage(context: Context, input: ShowInput): Promise<Stored> {
  const { id, version: number } = input
  return changeShown(context, input, {
    grant: 'stage',
    find: (reader) =>
      number === undefined ? findLatest(reader, id) : findVersion(reader, id, number),
    changed: (file, now, changing) => stagedFile(file, { ...changing, now, number }),
  })
}

/** Like publishedFile, for the stage. */
export function stagedFile(file: AssetFile, { unit, caller, now, number }: Showing): AssetFile {
  const wanted = { number: number ?? file.version, grant: 'stage' } as const
  requireSeenVersion({ records: unit, caller }, file, wanted)
  requireNotBehind(file, wanted.number)
  return movePointer(file, 'stage', { now, version: number })
}

function requireNotBehind({ live_version: live }: AssetFile, number: number): void {
  if (live === null || number >= live) return
  const detail = `is older than version ${live}, which is live, and the stage is never behind the live site: publish version ${number}, or stage version ${live} or a later one`
  refuseField('version', detail)
}

/** Takes a file off the site; it stays on stage. */
export async function unpublish(context: Context, input: MoveInput): Promise<Stored> {
  return change(context, input, 'publish', (file, now) =>
    unpublishedFile(withoutUnpublish(file), now),
  )
}

export function unpublishedFile(file: AssetFile, now: string): AssetFile {
  if (file.live_version === null) return file
  return {
    ...file,
    live_version: null,
    fileState: 'stage',
    date_published: null,
    date_modified: now,
  }
}

/** Takes a file off the stage; a live version stays on stage. */
export async function unstage(context: Context, input: MoveInput): Promise<Stored> {
  return change(context, input, 'stage', (file, now) => {
    const { live_version: live } = file
    if (file.staged_version === live) return file
    return {
      ...file,
      staged_version: live,
      fileState: live === null ? null : 'publish',
      date_staged: live === null ? null : now,
      date_modified: now,
    }
  })
}

interface Changing {
  readonly unit: Unit
  readonly caller: Holder
}

interface Showing extends Changing {
  readonly now: string
  /** Undefined stands for the latest version. */
  readonly number: number | undefined
}

type Changed = (file: AssetFile, now: string, changing: Changing) => AssetFile

async function change(
  context: Context,
  input: MoveInput,
  grant: FileState,
  changed: Changed,
): Promise<Stored> {
  return context.records.commit((unit) => planChange(unit, context, { ...input, grant, changed }))
}

interface PointerMove {
  readonly grant: FileState
  readonly find: (reader: Reader) => AssetFileVersion | undefined
  readonly changed: Changed
}

/** Like change, for changes that show a version. */
async function changeShown(
  context: Context,
  input: MoveInput,
  { find, ...pointer }: PointerMove,
): Promise<Stored> {
  const { grant } = pointer
  return commitChecked(context, {
    find,
    enter() {
      const { caller, record } = enterFile(context.records, context, { ...input, grant })
      const number = find(context.records)?.version ?? record.version
      requireSeenVersion({ records: context.records, caller }, record, { number, grant })
    },
    plan: (unit) => planChange(unit, context, { ...input, ...pointer }),
  })
}

interface Entering extends MoveInput {
  readonly grant: FileState
}

function enterFile(
  reader: Reader,
  context: Context,
  { id, grant, precondition, within }: Entering,
) {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record } = requireRecord(reader, assetFile, id)
  if (within !== undefined) requireWithin(reader, record, within)
  requireGrant(reader, caller, grant, record.parent_category_id)
  requireFileMatch(precondition, { stored, record })
  return { caller, stored, record }
}

function requireWithin(
  reader: Reader,
  { parent_category_id: id }: AssetFile,
  within: number,
): void {
  const chain = chainOf(reader, id) ?? []
  if (!chain.some((folder) => folder.asset_category_id === within)) throw noSuchRecord()
}

function planChange(
  unit: Unit,
  context: Context,
  { changed, ...entering }: Entering & { readonly changed: Changed },
): Stored {
  const { caller, stored, record } = enterFile(unit, context, entering)
  const next = changed(record, context.now().toISOString(), { unit, caller })
  return next === record ? stored : putFile(unit, next)
}
