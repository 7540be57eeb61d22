// Follows the changes of the site: the starting point, the filter, and the error for a position that is too old.

import { withMembers } from '../../base/with-members.ts'
import { invalidKey, recheck } from '../../auth/caller.ts'
import { holdsNothing, holdsSomewhere, requireGrant } from '../../auth/grants.ts'
import { holdsAll } from '../../auth/delegation.ts'
import { CmsError } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import { readChangeLog } from '../trail/change-log.ts'
import {
  type ChangeEvent,
  newestSequence,
  readChanges,
  sequenceBefore,
  waitForChange,
} from '../trail/changes.ts'
import type { ChangeFilter, Since } from '../trail/streams.ts'
import { openChangeView, type ShownChange } from './change-visibility.ts'

export interface Following {
  readonly since: Since
  readonly filter: ChangeFilter
  readonly length: number
  /** Time to wait for the first change; 0 does not wait. */
  readonly waitMs: number
}

export interface Followed {
  readonly changes: readonly ShownChange[]
  /** The position for the next request. */
  readonly next: string
}

export async function followChanges(
  asked: Context,
  following: Following,
  signal: AbortSignal,
): Promise<Followed> {
  requireFollower(asked, following.filter)
  // Not AbortSignal.timeout(): in Node 20, a timeout signal that only AbortSignal.any() references is
  // garbage-collected and never fires.
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), following.waitMs)
  try {
    return await followUntil(asked, following, AbortSignal.any([signal, over.signal]))
  } finally {
    clearTimeout(timer)
  }
}

async function followUntil(
  asked: Context,
  { since, filter, length, waitMs }: Following,
  late: AbortSignal,
): Promise<Followed> {
  let context = asked
  let after = startOf(context, since)
  for (;;) {
    const { changes, position, isEnd } = await readShown(context, { after, filter, length })
    after = position
    const isOver = waitMs === 0 || late.aborted || context.changeWatch.closing.aborted
    if (changes.length > 0 || !isEnd || isOver)
      return { changes: changes.map(({ shown }) => shown), next: positionOf(context, after) }
    await waitForChange(context, after, late)
    context = await renewed(context)
  }
}

/** The same caller in the present state; throws key-invalid if the key is no longer valid. */
export async function renewed(context: Context): Promise<Context> {
  await context.renew()
  return asShown(context)
}

/** Like renewed, for callers that have renewed already. */
function asShown(context: Context): Context {
  const caller = recheck(context.records, context.caller, context.now())
  if (context.revoking.has(caller.key.api_key_id)) throw invalidKey()
  return caller === context.caller ? context : withMembers(context, { caller })
}

/** The caller in the present state; undefined if the key is no longer valid, or sees nothing. */
export function follower(context: Context): Context | undefined {
  try {
    const now = asShown(context)
    return holdsSomewhere(now.records, now.caller, ['view']) ? now : undefined
  } catch (error) {
    if (isInvalidKey(error)) return undefined
    throw error
  }
}

export function isInvalidKey(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'key-invalid'
}

/** Throws if the caller sees nothing at all, or not the requested folder. */
export function requireFollower({ records, caller }: Context, { categoryId }: ChangeFilter): void {
  if (!holdsSomewhere(records, caller, ['view'])) throw holdsNothing()
  if (categoryId !== undefined) requireGrant(records, caller, 'view', categoryId)
}

/**
 * The position before the first change that was made at a time or later. Throws like requireFollower, and
 * change-log-gone if such changes may have been removed.
 */
export async function positionAt(
  context: Context,
  filter: ChangeFilter,
  date: string,
): Promise<string> {
  requireFollower(context, filter)
  const sequence = await sequenceBefore(context, date)
  const { removed, removed_until: until } = readChangeLog(context.records)
  // Every row that is left is younger than the time, and a removed one may be, too.
  if (removed > 0 && sequence <= removed && (until === undefined || until >= date))
    throw logGone(context)
  return positionOf(context, sequence)
}

/** The sequence number after which to begin. Throws change-log-gone. */
export function startOf(context: Context, since: Since): number {
  if (since === undefined) return newestSequence(context)
  if (typeof since === 'number') {
    if (since !== 0 && !holdsAll(context.caller)) throw numberRefused()
    requireKept(context, since)
    return since
  }
  const position = context.positions.read(since)
  if (position === undefined) throw unknownPosition()
  if (position.epoch !== readChangeLog(context.records).epoch) throw logGone(context)
  requireKept(context, position.sequence)
  return position.sequence
}

/** Throws if changes after the number were removed, or if the number was never assigned. */
function requireKept(context: Context, after: number): void {
  const { removed } = readChangeLog(context.records)
  if (after < removed || after > newestSequence(context)) throw logGone(context)
}

export function positionOf({ positions, records }: Context, sequence: number): string {
  return positions.write({ epoch: readChangeLog(records).epoch, sequence })
}

export interface ShownPage {
  readonly changes: readonly { readonly change: ChangeEvent; readonly shown: ShownChange }[]
  readonly position: number
  readonly isEnd: boolean
}

interface Page {
  readonly after: number
  readonly filter: ChangeFilter
  readonly length: number
}

export async function readShown(
  context: Context,
  { after, filter, length }: Page,
): Promise<ShownPage> {
  const { records: reader, caller, basePath } = context
  const view = openChangeView({ reader, caller, basePath }, filter)
  const seen = new Map<ChangeEvent, ShownChange>()
  const wants = (change: ChangeEvent): boolean => {
    const shown = view(change)
    if (shown !== undefined) seen.set(change, shown)
    return shown !== undefined
  }
  const page = await readChanges(context, { after, length, wants })
  // Rows removed during the read are a gap, too.
  requireKept(context, after)
  const changes = [...seen].map(([change, shown]) => ({ change, shown }))
  return { ...page, changes: changes.slice(0, length) }
}

/** Sequence numbers are only for callers who see all changes. */
function logGone(context: Context): CmsError {
  const newest = newestSequence(context)
  const next = positionOf(context, newest)
  const numbers = holdsAll(context.caller) && {
    oldest: readChangeLog(context.records).removed + 1,
    newest,
  }
  return new CmsError(
    'change-log-gone',
    'The changes since then are no longer stored. Read the lists again, then continue with since=<next> from this response.',
    { members: { ...numbers, next } },
  )
}

function unknownPosition(): CmsError {
  return new CmsError(
    'bad-request',
    'The value of since was not issued by this site. Copy it unchanged from page.next or from the id of an event.',
  )
}

function numberRefused(): CmsError {
  return new CmsError(
    'bad-request',
    'A number for since requires a key that sees the whole site; only 0, the beginning, is open to every key. Copy page.next unchanged.',
  )
}
