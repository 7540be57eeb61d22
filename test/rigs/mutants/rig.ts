// Mutation testing: faults are put into the code one at a time, and the tests that reach the place
// must detect each fault. Survivors are reported with their place. The order of the tests affects
// only the cost.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRandom } from '../random.ts'
import { buildScript, openCompiler } from './compiler.ts'
import type { Equal } from './equal-entry.ts'
import { findMutations, mutate, type Mutation } from './mutations.ts'
import { openPositions } from './positions.ts'
import { findReach, type Reach } from './reach.ts'
import { type Bounds, openTrial } from './trial.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

export interface MutantsOptions extends Bounds {
  /** The directory of a project that is compiled to dist. */
  readonly project: string
  /** Selects the files to mutate, for example `lib/auth/guard.ts`. */
  readonly isMutated: (file: string) => boolean
  /** Selects the test files to run, for example `dist/test/auth/guard.test.js`. */
  readonly isAsked: (test: string) => boolean
  /** Selects among the mutants that compile; all by default. */
  readonly isTried?: (mutation: Mutation) => boolean
  /** The number of mutants to draw by the seed; all by default. */
  readonly sample?: number
  readonly seed: number
  /** The number of concurrent mutants. */
  readonly jobs: number
  readonly equal: readonly Equal[]
  /** Ends the run after the present mutants; the results so far count. */
  readonly signal?: AbortSignal
  readonly onProgress: (text: string) => void
}

export type Fate = 'killed' | 'late' | 'survived' | 'unreached' | 'equal' | 'refused'

export interface Outcome {
  readonly mutation: Mutation
  readonly fate: Fate
  /** The test that killed the mutant, or the number of tests that did not. */
  readonly by?: string
}

export interface Found {
  readonly outcomes: readonly Outcome[]
  /** Entries for files of this run that match no mutation. */
  readonly unfitting: readonly Equal[]
  /** Tests that fail without any mutant and are therefore not used. */
  readonly failing: readonly string[]
}

export async function runMutants(options: MutantsOptions): Promise<Found> {
  const workspaces = Array.from({ length: options.jobs }, () => openWorkspace(options.project))
  try {
    return await runIn(workspaces, options)
  } finally {
    for (const workspace of workspaces) workspace.close()
  }
}

async function runIn(workspaces: readonly Workspace[], options: MutantsOptions): Promise<Found> {
  const [first] = workspaces
  if (first === undefined) throw new Error('There must be a job.')
  const { tried, refused, unfitting } = choose(first.root, options)
  const outcomes: Outcome[] = refused.map((mutation) => ({ mutation, fate: 'refused' }))
  options.onProgress(`${tried.length} mutants, and ${refused.length} that the compiler refuses`)
  const reaches = await measure({ workspaces, options, scripts: scriptsOf(tried) })
  const passing = reaches.filter(({ isPassing }) => isPassing)
  const trial = openTrial(passing, options)
  const locate = openLocate(first.root)
  let done = 0
  await shareOut(workspaces, {
    items: tried,
    signal: options.signal,
    run: async (mutation, workspace) => {
      const outcome: Outcome = isEqual(mutation, options.equal)
        ? { mutation, fate: 'equal' }
        : { mutation, ...(await trial.judge({ mutation, ...locate(mutation), workspace })) }
      outcomes.push(outcome)
      done += 1
      if (outcome.fate === 'survived' || outcome.fate === 'unreached')
        options.onProgress(describe(outcome))
      if (done % 50 === 0) options.onProgress(`${done} of ${tried.length}`)
    },
  })
  const failing = reaches.filter(({ isPassing }) => !isPassing).map(({ test }) => test)
  return { outcomes, unfitting, failing }
}

export function describe({ mutation, fate, by }: Outcome): string {
  const { file, lineNumber, line, change } = mutation
  return `${fate}${by === undefined ? '' : ` (${by})`} ${file}:${lineNumber}\n  ${line}\n  ${change}`
}

interface Chosen {
  readonly tried: readonly Mutation[]
  /** Mutations that the compiler rejected while the sample was drawn. */
  readonly refused: readonly Mutation[]
  readonly unfitting: readonly Equal[]
}

/** Chooses the mutants of this run and their order. */
function choose(root: string, options: MutantsOptions): Chosen {
  const { isMutated, isTried = () => true, sample = Number.POSITIVE_INFINITY, equal } = options
  const compiler = openCompiler(root)
  const tried = new Set<Mutation>()
  const refused: Mutation[] = []
  try {
    const files = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
      .map((path) => `lib/${path}`)
      .filter((file) => file.endsWith('.ts') && isMutated(file))
      .toSorted()
    const mutations = files.flatMap((file) => findMutations(file, compiler.read(file)))
    const lots = sample === Number.POSITIVE_INFINITY ? mutations : shuffle(mutations, options.seed)
    for (const mutation of lots.filter(isTried)) {
      if (tried.size >= sample) break
      const { file } = mutation
      const text = mutate(readFileSync(join(root, file), 'utf8'), mutation)
      if (compiler.refuses({ file, text })) refused.push(mutation)
      else tried.add(mutation)
    }
    const unfitting = equal.filter(
      (entry) => files.includes(entry.file) && !mutations.some((each) => isEqual(each, [entry])),
    )
    return { tried: mutations.filter((each) => tried.has(each)), refused, unfitting }
  } finally {
    compiler.close()
  }
}

/** The order is the same for the same seed. */
function shuffle(mutations: readonly Mutation[], seed: number): readonly Mutation[] {
  const random = openRandom(seed)
  return mutations
    .map((mutation) => ({ mutation, lot: random.next() }))
    .toSorted((left, right) => left.lot - right.lot)
    .map(({ mutation }) => mutation)
}

function isEqual(mutation: Mutation, equal: readonly Equal[]): boolean {
  return equal.some(
    ({ file, line, change }) =>
      file === mutation.file && line === mutation.line && change === mutation.change,
  )
}

function scriptsOf(mutations: readonly Mutation[]): readonly string[] {
  return [...new Set(mutations.map(({ file }) => scriptOf(file)))]
}

function scriptOf(file: string): string {
  return `dist/${file.replace(/\.ts$/, '.js')}`
}

interface Measured {
  readonly workspaces: readonly Workspace[]
  readonly options: MutantsOptions
  readonly scripts: readonly string[]
}

async function measure({ workspaces, options, scripts }: Measured): Promise<readonly Reach[]> {
  const { project, isAsked, onProgress } = options
  // The tests are listed in a copy, because a build may be running in the project.
  const root = workspaces[0]?.root ?? project
  const tests = readdirSync(join(root, 'dist', 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `dist/test/${path}`)
    .filter((test) => test.endsWith('.test.js') && isAsked(test))
    .toSorted()
  const reaches: Reach[] = []
  await shareOut(workspaces, {
    items: tests,
    signal: options.signal,
    run: async (test, workspace) => {
      const reach = await findReach(test, { project, workspace, scripts })
      reaches.push(reach)
      if (reaches.length % 20 === 0)
        onProgress(`reach of ${reaches.length} of ${tests.length} tests`)
    },
  })
  return reaches
}

export interface Located {
  readonly script: string
  /** The offset in the compiled script. */
  readonly offset: number
  /** The script with the mutant. */
  readonly code: string
}

function openLocate(root: string): (mutation: Mutation) => Located {
  const opened = new Map<string, { text: string; offsetOf: (offset: number) => number }>()

  return (mutation) => {
    const { file, start } = mutation
    const script = scriptOf(file)
    const text = opened.get(file)?.text ?? readFileSync(join(root, file), 'utf8')
    const offsetOf = opened.get(file)?.offsetOf ?? openPositions(text, join(root, script))
    opened.set(file, { text, offsetOf })
    return { script, offset: offsetOf(start), code: buildScript(mutate(text, mutation)) }
  }
}

interface Work<T> {
  readonly items: readonly T[]
  readonly signal: AbortSignal | undefined
  readonly run: (item: T, workspace: Workspace) => Promise<void>
}

/** Gives each workspace the next item when it is free. */
async function shareOut<T>(workspaces: readonly Workspace[], work: Work<T>): Promise<void> {
  const left = work.items.values()
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (const item of left) {
        if (work.signal?.aborted === true) return
        await work.run(item, workspace)
      }
    }),
  )
}
