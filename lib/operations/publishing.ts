// Publish, stage, unpublish: pointers move in one record, and no byte is touched.

import { type Caller, recheck } from '../auth/caller.ts'
import { requireGrant } from '../auth/grants.ts'
import { type AssetFile, assetFile } from '../schema/asset-file.ts'
import type { Stored, Unit } from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { type FileState, movePointer } from './pointers.ts'
import { requireFileMatch, requireRecord } from './require.ts'
import { requireSeenVersion } from './seen-versions.ts'
import { putFile, requireWhole } from './versions.ts'

export interface MoveInput {
  readonly id: number
  readonly precondition: Precondition | undefined
}

export async function publish(
  context: Context,
  input: MoveInput & { readonly version: number | undefined },
): Promise<Stored> {
  return change(context, input, 'publish', (file, now, { unit, caller }) => {
    const wanted = { number: input.version ?? file.version, grant: 'publish' } as const
    requireWhole(requireSeenVersion({ records: unit, caller }, file, wanted))
    return movePointer(file, 'publish', { now, version: input.version })
  })
}

export async function stage(context: Context, input: MoveInput): Promise<Stored> {
  return change(context, input, 'stage', (file, now) => movePointer(file, 'stage', { now }))
}

/** Takes a file off the site; it stays on stage. */
export async function unpublish(context: Context, input: MoveInput): Promise<Stored> {
  return change(context, input, 'publish', (file, now) => {
    if (file.live_version === null) return file
    return {
      ...file,
      live_version: null,
      fileState: 'stage',
      date_published: null,
      date_modified: now,
    }
  })
}

interface Changing {
  readonly unit: Unit
  readonly caller: Caller
}

type Changed = (file: AssetFile, now: string, changing: Changing) => AssetFile

async function change(
  context: Context,
  input: MoveInput,
  grant: FileState,
  changed: Changed,
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<AssetFile>(unit, assetFile, input.id)
    requireGrant(unit, caller, grant, record.parent_category_id)
    requireFileMatch(input.precondition, { stored, record })

    const next = changed(record, context.now().toISOString(), { unit, caller })
    return next === record ? stored : putFile(unit, next)
  })
}
