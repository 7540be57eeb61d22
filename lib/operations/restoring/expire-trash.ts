// Removes items of the trash for good when their days are over, and empties the trash on request.

import { recheck } from '../../auth/caller.ts'
import { type Doer, NOBODY } from '../../schema/audit.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import { trash, type TrashItem } from '../../schema/trash.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { ChangeContext, Services } from '../context.ts'
import { newWorkId, runWork } from '../pending-work.ts'
import { commitAudited, doerOf } from '../trail/audit.ts'
import { trashDaysOf } from '../trash/trash-items.ts'
import { trashRules } from '../trash/trash-visibility.ts'
import { beginDiscard, discardTask, isNeeded } from './discard-item.ts'

const DAY_MS = 86_400_000
const EXPIRE_EVERY_MS = 60_000
/** Items of one commit. */
const BATCH = 20

/** Removes expired items, now and every minute, until the signal aborts. */
export async function expireTrash(services: Services, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'expire-trash', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeExpired(services, signal))
}

async function removeExpired(services: Services, signal: AbortSignal): Promise<void> {
  const { records, retentionClock } = services
  const days = trashDaysOf(records, services)
  const isExpired = ({ date_added }: TrashItem): boolean =>
    retentionClock.since(date_added) >= days * DAY_MS
  await discardAll(services, { isWanted: isExpired, doer: NOBODY, signal })
}

interface Wanted {
  readonly isWanted: (item: TrashItem, reader: Reader) => boolean
  readonly doer: Doer
  readonly signal: AbortSignal
}

interface Begun {
  readonly workId: string
  readonly trashId: number
}

/** Removes all complete items that are wanted. */
async function discardAll(services: Services, { isWanted, doer, signal }: Wanted): Promise<void> {
  for await (const found of itemsIn(services, isWanted)) {
    signal.throwIfAborted()
    const plan = (unit: Unit) => beginAll(unit, { found, isWanted, doer })
    await runAll(services, await commitAudited(services, { doer, plan }), doer)
  }
}

function beginAll(
  unit: Unit,
  { found, isWanted, doer }: Omit<Wanted, 'signal'> & { readonly found: readonly number[] },
): readonly Begun[] {
  return found.flatMap((trashId) => {
    const item = unit.get(trash.recordType, trashId)?.value
    if (item === undefined || !isRemovable(unit, item) || !isWanted(item, unit)) return []
    const workId = newWorkId()
    beginDiscard(unit, { workId, trashId, doer })
    return [{ workId, trashId }]
  })
}

async function runAll(services: Services, begun: readonly Begun[], doer: Doer): Promise<void> {
  for (const { workId, trashId } of begun) {
    const work = { kind: 'discard', trash_id: trashId, doer } as const
    await runWork(services, discardTask(services, workId, work))
  }
}

function isRemovable(reader: Reader, item: TrashItem): boolean {
  return item.state === 'complete' && !isNeeded(reader, item)
}

/** In the order of identifiers, in time slices. */
async function* itemsIn(
  { records }: Pick<Services, 'records'>,
  isWanted: Wanted['isWanted'],
): AsyncGenerator<readonly number[]> {
  const { recordType, searchable } = trash
  let cursor: string | undefined
  do {
    const page = await records.search(recordType, searchable, { length: BATCH, cursor })
    const ids = page.records
      .filter(({ value }) => isRemovable(records, value) && isWanted(value, records))
      .map(({ value }) => value.trash_id)
    if (ids.length > 0) yield ids
    cursor = page.next
  } while (cursor !== undefined)
}

interface EmptyInput {
  /** Items with a higher number stay: they were deleted after the caller has looked. */
  readonly through: number | undefined
  readonly isDryRun: boolean
}

export interface EmptyOutcome extends JsonObject {
  /** Items that the request removes; in a dry run, items that it would remove. */
  readonly count: number
  /** The bytes of their contents. */
  readonly size: number
  /** The highest number of these items; null if there are none. */
  readonly through: number | null
  readonly dry_run: boolean
}

/** Removes all complete items that the caller sees. Their records and bytes follow in the background. */
export async function emptyTrash(
  context: ChangeContext,
  { through: most, isDryRun }: EmptyInput,
): Promise<EmptyOutcome> {
  const { items, size } = await countItems(context, most ?? Number.MAX_SAFE_INTEGER)
  const through = items.at(-1) ?? null
  const outcome = { count: items.length, size, through, dry_run: isDryRun }
  if (isDryRun || through === null) return outcome
  const doer = doerOf(context.origin)
  const begun: Begun[] = []
  for (let done = 0; done < items.length; done += BATCH) {
    const found = items.slice(done, done + BATCH)
    const plan = (unit: Unit): Emptied => ({
      outcome,
      begun: beginAll(unit, { found, isWanted: isAnyItem, doer }),
    })
    // The first commit of a request gets its row in the audit trail from the request.
    const some = done === 0 ? context.records.commit(plan) : commitAudited(context, { doer, plan })
    begun.push(...(await some).begun)
  }
  void runAll(context, begun, doer)
  return outcome
}

/** The value of the first commit, which is stored for a retry of the request. */
interface Emptied {
  readonly outcome: EmptyOutcome
  readonly begun: readonly Begun[]
}

/** The outcome of an earlier request. Without a commit it removed nothing, so counting again is the same. */
export async function replayEmpty(
  context: ChangeContext,
  input: EmptyInput,
  stored: unknown,
): Promise<EmptyOutcome> {
  const { outcome } = (stored ?? {}) as Partial<Emptied>
  if (outcome !== undefined) return outcome
  return { ...(await emptyTrash(context, { ...input, isDryRun: true })), dry_run: input.isDryRun }
}

function isAnyItem(): boolean {
  return true
}

async function countItems(
  context: ChangeContext,
  through: number,
): Promise<{ readonly items: readonly number[]; readonly size: number }> {
  const { records } = context
  void recheck(records, context.caller, context.now())
  const isSeen = trashRules.seen.visibility(context)
  const slice = openTimeSlice()
  const items: number[] = []
  let size = 0
  for await (const ids of itemsIn(context, (item) => item.trash_id <= through)) {
    for (const id of ids) {
      if (slice.isOver(0)) await slice.next()
      const stored: Stored<TrashItem> | undefined = records.get(trash.recordType, id)
      if (stored === undefined || isSeen?.(stored.value) === false) continue
      items.push(id)
      size += stored.value.size
    }
  }
  return { items, size }
}
