// Following the changes of the site: from where on, what of them, and what is told to who comes too late.

import { invalidKey, recheck } from '../../auth/caller.ts'
import { holdsNothing, holdsSomewhere, requireGrant } from '../../auth/grants.ts'
import { holdsAll } from '../../auth/delegation.ts'
import { CmsError } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import { readChangeLog } from '../trail/change-log.ts'
import { type ChangeEvent, newestSequence, readChanges, waitForChange } from '../trail/changes.ts'
import type { ChangeFilter, Since } from '../trail/streams.ts'
import { openChangeSight, type ShownChange } from './change-visibility.ts'

export interface Following {
  readonly since: Since
  readonly filter: ChangeFilter
  readonly length: number
  /** How long to wait for the first change; 0: not at all. */
  readonly waitMs: number
}

export interface Followed {
  readonly changes: readonly ShownChange[]
  /** Where to go on. */
  readonly next: string
}

export async function followChanges(
  asked: Context,
  following: Following,
  signal: AbortSignal,
): Promise<Followed> {
  requireFollower(asked, following.filter)
  // Not AbortSignal.timeout(): Node 20 loses one that nobody but AbortSignal.any() has with the next collection of
  // garbage, and it never comes.
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

/** The same caller in the state of now; throws key-invalid where it is let in no more. */
export async function renewed(context: Context): Promise<Context> {
  await context.renew()
  return asShown(context)
}

/** The same for who has renewed already. */
function asShown(context: Context): Context {
  const caller = recheck(context.records, context.caller, context.now())
  if (context.revoking.has(caller.key.api_key_id)) throw invalidKey()
  return caller === context.caller ? context : { ...context, caller }
}

/** The caller as it is now; undefined where it is let in no more, or sees nothing. */
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

/** Throws for who sees nothing at all, or not the folder that is asked for. */
export function requireFollower({ records, caller }: Context, { categoryId }: ChangeFilter): void {
  if (!holdsSomewhere(records, caller, ['view'])) throw holdsNothing()
  if (categoryId !== undefined) requireGrant(records, caller, 'view', categoryId)
}

/** The number behind which to begin. Throws change-log-gone. */
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

/** Throws where something behind the number is gone, or it is none that was given. */
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
  const sight = openChangeSight({ reader, caller, basePath }, filter)
  const seen = new Map<ChangeEvent, ShownChange>()
  const wants = (change: ChangeEvent): boolean => {
    const shown = sight(change)
    if (shown !== undefined) seen.set(change, shown)
    return shown !== undefined
  }
  const page = await readChanges(context, { after, length, wants })
  // Rows that were removed while they were read are a gap, too.
  requireKept(context, after)
  const changes = [...seen].map(([change, shown]) => ({ change, shown }))
  return { ...page, changes: changes.slice(0, length) }
}

/** Numbers of changes are for who sees all of them. */
function logGone(context: Context): CmsError {
  const newest = newestSequence(context)
  const next = positionOf(context, newest)
  const numbers = holdsAll(context.caller) && {
    oldest: readChangeLog(context.records).removed + 1,
    newest,
  }
  return new CmsError(
    'change-log-gone',
    'What has changed since then is not known any more. Read the lists anew, then go on from since=<next> of this answer.',
    { members: { ...numbers, next } },
  )
}

function unknownPosition(): CmsError {
  return new CmsError(
    'bad-request',
    'since is none that this site has given. Take it from page.next, or from the id of an event, as it is.',
  )
}

function numberRefused(): CmsError {
  return new CmsError(
    'bad-request',
    'A number for since is for keys that see the whole site, but for 0, the beginning. Take page.next as it is.',
  )
}
