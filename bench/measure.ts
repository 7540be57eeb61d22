// Every scenario is measured in three forms: `cold`, the first seconds after a start; `warm`; and `mixed`,
// with concurrent writes to the same table. The server and its limit take turns, and so do warm and mixed, so
// that a slow moment of the machine affects all of them. The report has the median of the rounds.

import { type Figures, type Load, middle } from './load.ts'
import type { Memory } from './processes.ts'
import {
  COLD_SECONDS,
  ROUNDS,
  ROUND_SECONDS,
  WARM_UP_SECONDS,
  WRITES_PER_SECOND,
} from './settings.ts'
import { startWriter, type Writer } from './write-beside.ts'
import type { Written } from './writer.ts'

export type Form = 'cold' | 'warm' | 'mixed'

/**
 * Minimum ratios: cold and warm relative to the limit, mixed relative to the server's own warm
 * rate.
 */
export type Targets = Readonly<Partial<Record<Form, number>>>

/** A server or raw calls to measure. */
export interface Subject {
  fire(seconds: number): Promise<Figures>
  memory(): Memory | undefined
  /** Address and load of the concurrent writer; undefined if nothing is written. */
  readonly writes?: { readonly url: string; readonly load: Load }
  stop(): Promise<void>
}

export interface Contest {
  /** Starts the server on prepared data. */
  readonly start: () => Promise<Subject>
  /** Starts the limit once the server is running; undefined without a limit. */
  readonly startOther: () => Promise<Subject | undefined>
  /** A second limit, which takes turns with warm. */
  readonly rows?: ((seconds: number) => Figures) | undefined
}

/** The middle round, the lowest and highest rate of all rounds, and the memory after the rounds. */
export interface Summary extends Figures {
  readonly low: number
  readonly high: number
  readonly memory: { readonly before: Memory; readonly after: Memory } | undefined
  readonly writes?: Written | undefined
}

export interface FormResult {
  readonly form: Form
  readonly own: Summary
  readonly other: Summary | undefined
  readonly rows?: Figures | undefined
}

export async function measureForms(contest: Contest): Promise<readonly FormResult[]> {
  const own = await startRunner(contest.start)
  let other: Runner | undefined
  try {
    await own.run('cold', COLD_SECONDS)
    other = await startOther(contest.startOther)
    await other?.run('cold', COLD_SECONDS)
    const rows = await rounds(contest, own, other)
    return (['cold', 'warm', 'mixed'] as const).map((form) => ({
      form,
      own: own.summary(form),
      // Nothing is written beside a limit: its rate without writes is the limit for both forms.
      other: other?.summary(form === 'mixed' && !other.canMix ? 'warm' : form),
      ...(form === 'warm' && rows.length > 0 && { rows: middle(rows) }),
    }))
  } finally {
    await own.stop()
    await other?.stop()
  }
}

async function rounds(
  { rows }: Contest,
  own: Runner,
  other: Runner | undefined,
): Promise<readonly Figures[]> {
  const measured: Figures[] = []
  for (const runner of [own, other]) await runner?.warmUp()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const form of ['warm', 'mixed'] as const) {
      await own.run(form, ROUND_SECONDS)
      if (form === 'warm' || other?.canMix) await other?.run(form, ROUND_SECONDS)
    }
    if (rows !== undefined) measured.push(rows(ROUND_SECONDS))
  }
  return measured
}

/** A subject with its figures so far. */
interface Runner {
  readonly canMix: boolean
  warmUp(): Promise<unknown>
  run(form: Form, seconds: number): Promise<void>
  summary(form: Form): Summary
  stop(): Promise<void>
}

async function startOther(start: Contest['startOther']): Promise<Runner | undefined> {
  const subject = await start()
  return subject && runnerOf(subject)
}

async function startRunner(start: Contest['start']): Promise<Runner> {
  return runnerOf(await start())
}

function runnerOf(subject: Subject): Runner {
  const reached: Record<Form, Figures[]> = { cold: [], warm: [], mixed: [] }
  const before = subject.memory()
  const after: Partial<Record<Form, Memory | undefined>> = {}
  let writer: Writer | undefined

  return {
    canMix: subject.writes !== undefined,
    warmUp: () => subject.fire(WARM_UP_SECONDS),
    async run(form, seconds) {
      const fire = (): Promise<Figures> => subject.fire(seconds)
      if (form === 'mixed') writer ??= await writerFor(subject)
      reached[form].push(await (form === 'mixed' && writer ? writer.during(fire) : fire()))
      after[form] = subject.memory()
    },
    summary(form) {
      const rates = reached[form].map(({ perSecond }) => perSecond)
      const last = after[form]
      return {
        ...middle(reached[form]),
        errors: reached[form].reduce((sum, { errors }) => sum + errors, 0),
        low: Math.min(...rates),
        high: Math.max(...rates),
        memory: before && last && { before, after: last },
        ...(form === 'mixed' && { writes: writer?.written() }),
      }
    },
    async stop() {
      await writer?.stop()
      await subject.stop()
    },
  }
}

async function writerFor({ writes }: Subject): Promise<Writer | undefined> {
  const seconds = ROUNDS * ROUND_SECONDS
  return writes && startWriter({ ...writes, perSecond: WRITES_PER_SECOND, seconds })
}
