// Carries out the times of files: moves the pointers when a time has come, as the user or key that set the time.
//
// The commit that moves a pointer also clears its time, so an action runs once, whatever process runs it and whenever
// the process stops. In a cluster, one node runs the schedules, and the others stand by: a killed node keeps its lease for
// seconds, and files must not wait for its end. Times that passed while no server ran are carried out at the start, in their order. The clock is
// read again at least four times a second, so a clock that is set ahead or back delays nothing.
//
// An action that cannot be carried out is not repeated: the record says why, until somebody sets another time.

import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError, mayPass } from '../../base/errors.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { type ScheduledAction, TIME_FIELDS, withSchedule } from '../../schema/file-schedule.ts'
import { isStml } from '../../schema/stml.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { commitAudited } from '../trail/audit.ts'
import { type Due, findDue, findStillDue, groupsOf } from './due-files.ts'
import { publishedFile, stagedFile, unpublishedFile } from './publishing.ts'
import { doerOf, requireSetter } from './schedule-authors.ts'
import { requirePage } from './stml-pages.ts'
import { findVersion, putFile } from './versions.ts'

/** Pause after a failure that may pass, such as a full disk. */
const RETRY_MS = 1_000

/** A node that stands by carries out what another node has left for this long. */
const STANDBY_MS = 500

/** A failed action, for the log. */
export interface FailedSchedule {
  readonly asset_file_id: number
  readonly action: ScheduledAction
  readonly at: string
  readonly code: string
  readonly detail: string
  /** An unexpected error; undefined for a refusal. */
  readonly cause: unknown
}

export interface ScheduleStatus {
  readonly done: number
  readonly failed: number
  /** How late the latest action was carried out. */
  readonly lateSeconds: number
}

export interface Schedules {
  /** Carries out the times as they come, until the signal aborts. */
  run(services: Services, signal: AbortSignal): Promise<void>
  /** Carries out the times that no other node has carried out, until the signal aborts. */
  standBy(services: Services, signal: AbortSignal): Promise<void>
  status(): ScheduleStatus
}

export function openSchedules(onFailure: (failed: FailedSchedule) => void): Schedules {
  const status = { done: 0, failed: 0, lateSeconds: 0 }

  async function repeat(services: Services, signal: AbortSignal, delayMs: number): Promise<void> {
    const noteDone = (items: readonly Due[]): void => {
      const last = items.at(-1)
      status.done += items.length
      if (last !== undefined)
        status.lateSeconds = (services.now().getTime() - Date.parse(last.at)) / 1_000
    }
    const noteFailure = ({ due: { id, action, at }, fault }: Faulty): void => {
      const { code, message: detail, cause } = fault
      status.failed += 1
      onFailure({ asset_file_id: id, action, at, code, detail, cause })
    }
    const run = new Run(services, { signal, delayMs, noteDone, noteFailure })
    while (!signal.aborted) {
      let pauseMs = RETRY_MS
      // background.run reports an error, and the loop continues.
      await services.background.run('schedules', async () => {
        pauseMs = await run.carryOut()
      })
      await sleep(pauseMs, undefined, { signal, ref: false })
    }
  }

  return {
    status: () => status,
    run: (services, signal) => repeat(services, signal, 0),
    standBy: (services, signal) => repeat(services, signal, STANDBY_MS),
  }
}

interface RunOptions {
  readonly signal: AbortSignal
  /** Times are carried out this long after they came. */
  readonly delayMs: number
  readonly noteDone: (items: readonly Due[]) => void
  readonly noteFailure: (failed: Faulty) => void
}

class Run {
  readonly #services: Services
  readonly #options: RunOptions

  constructor(services: Services, options: RunOptions) {
    this.#services = services
    this.#options = options
  }

  /** Carries out all times that have come; returns the time until the next look. */
  async carryOut(): Promise<number> {
    const { records, now, renew } = this.#services
    const { delayMs } = this.#options
    const find = () => findDue(records, now().getTime() - delayMs)
    try {
      // A node that stands by asks the database only if its copy of the records has such a time.
      const early = delayMs === 0 ? undefined : find()
      if (early?.items.length === 0) return early.nextMs
      await renew()
      for (;;) {
        const { items, nextMs } = find()
        if (items.length === 0) return nextMs
        let isStuck = true
        for (const group of groupsOf(items)) {
          this.#options.signal.throwIfAborted()
          if (await this.#runGroup(group)) isStuck = false
        }
        if (isStuck) return RETRY_MS
      }
    } catch (error) {
      if (this.#options.signal.aborted || mayPass(error)) return RETRY_MS
      throw error
    }
  }

  /** False if nothing was carried out and nothing failed for good. */
  async #runGroup(group: readonly Due[]): Promise<boolean> {
    const whole: Due[] = []
    const faulty: Faulty[] = []
    for (const due of group) {
      const fault = await this.#findFault(due)
      if (fault === undefined) whole.push(due)
      else if (fault !== 'passing') faulty.push({ due, fault })
    }
    await this.#fail(faulty)
    await this.#move(whole)
    return faulty.length + whole.length > 0
  }

  /** Reads the bytes of a page before its commit, because a plan cannot wait. */
  async #findFault({ id, action, version }: Due): Promise<CmsError | 'passing' | undefined> {
    if (action === 'unpublish' || version === null) return undefined
    const found = findVersion(this.#services.records, id, version)
    if (found === undefined || !isStml(found.type)) return undefined
    try {
      await requirePage(this.#services, found)
      return undefined
    } catch (error) {
      return mayPass(error) ? 'passing' : faultOf(error)
    }
  }

  /** One commit for all; if the commit itself is refused, one for each. */
  async #move(group: readonly Due[]): Promise<void> {
    const { action, setter } = group[0] ?? {}
    if (action === undefined) return
    const services = this.#services
    const plan = (unit: Unit): readonly Moved[] =>
      group.map((due) => ({ due, outcome: moveOne(unit, services, due) }))
    try {
      const moved = await commitAudited(services, { doer: doerOf(setter, action), plan })
      this.#options.noteDone(
        moved.flatMap(({ due, outcome }) => (outcome === 'moved' ? [due] : [])),
      )
      await this.#fail(
        moved.flatMap(({ due, outcome }) =>
          typeof outcome === 'string' ? [] : [{ due, fault: outcome }],
        ),
      )
    } catch (error) {
      if (mayPass(error)) throw error
      if (group.length > 1) for (const due of group) await this.#move([due])
      else await this.#fail(group.map((due) => ({ due, fault: faultOf(error) })))
    }
  }

  /** Clears times that cannot be kept, and stores why. All have the same action and author. */
  async #fail(faulty: readonly Faulty[]): Promise<void> {
    const [first] = faulty
    if (first === undefined) return
    const { now } = this.#services
    const plan = (unit: Unit): readonly Faulty[] =>
      faulty.filter((one) => failOne(unit, one, now().toISOString()))
    const doer = doerOf(first.due.setter, 'schedule_failed')
    const failed = await commitAudited(this.#services, { doer, plan })
    for (const one of failed) this.#options.noteFailure(one)
  }
}

interface Faulty {
  readonly due: Due
  readonly fault: CmsError
}

interface Moved {
  readonly due: Due
  /** A fault was found before anything was written. */
  readonly outcome: 'moved' | 'changed' | CmsError
}

/** Moves the pointer in the newest state, unless the time was changed meanwhile. */
function moveOne(
  unit: Unit,
  services: Pick<Services, 'now' | 'revoking'>,
  due: Due,
): Moved['outcome'] {
  const file = findStillDue(unit, due)
  if (file === undefined) return 'changed'
  try {
    const caller = requireSetter(unit, services, { due, file })
    const moved = movedFile(file, due, { unit, caller, now: services.now().toISOString() })
    putFile(unit, withoutTime(moved, due.action))
    return 'moved'
  } catch (error) {
    // putFile writes, and only the address can be refused after that: the whole commit is given up.
    if (!(error instanceof CmsError) || error.code === 'address-taken' || mayPass(error))
      throw error
    return error
  }
}

function movedFile(
  file: AssetFile,
  { action, version }: Due,
  showing: Omit<Parameters<typeof publishedFile>[1], 'number'>,
): AssetFile {
  if (action === 'unpublish') return unpublishedFile(file, showing.now)
  const shown = { ...showing, number: version ?? undefined }
  return action === 'publish' ? publishedFile(file, shown) : stagedFile(file, shown)
}

function failOne(unit: Unit, { due, fault }: Faulty, now: string): boolean {
  const { id, action, at, version } = due
  const file = findStillDue(unit, due)
  if (file === undefined) return false
  const { code, message: detail } = fault
  unit.put(assetFile.recordType, [id], {
    ...withoutTime(file, action),
    schedule_failed_at: now,
    schedule_fault: { action, at, version, code, detail },
  })
  return true
}

function withoutTime(file: AssetFile, action: ScheduledAction): AssetFile {
  return {
    ...withSchedule(file),
    [TIME_FIELDS[action]]: null,
    ...(action === 'publish' && { publish_version: null }),
    ...(action === 'stage' && { stage_version: null }),
  }
}

function faultOf(error: unknown): CmsError {
  if (error instanceof CmsError) return error
  const detail = 'An unexpected error, which the log of the server describes.'
  return new CmsError('internal', detail, { cause: error })
}
