// Records which test reaches which code: each test file runs once without a mutant while V8 counts.
// The results are kept next to the project in `.mutants/reach`, a file for each test. They are
// valid as long as the test and the mutated files are unchanged.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workspace } from './workspace.ts'

export interface Reach {
  /** For example `dist/test/auth/guard.test.js`. */
  readonly test: string
  /** The hash of the test file. */
  readonly hash: string
  readonly elapsedMs: number
  /** A test that fails without a mutant cannot judge mutants. */
  readonly isPassing: boolean
  /** The coverage of each loaded script of lib, by path. */
  readonly scripts: Readonly<Record<string, Ran>>
}

interface Ran {
  readonly hash: string
  /** Ascending offsets at which executed ranges begin and end, alternately. */
  readonly edges: readonly number[]
}

export interface ReachOptions {
  /** The project whose directory holds the results. */
  readonly project: string
  readonly workspace: Workspace
  /** Scripts in dist that will be mutated. */
  readonly scripts: readonly string[]
}

const LIMIT_MS = 300_000

/** Returns the coverage of a test, from the kept results or by running the test. */
export async function findReach(test: string, options: ReachOptions): Promise<Reach> {
  const { project, workspace, scripts } = options
  const directory = join(project, '.mutants', 'reach')
  const path = join(directory, `${test.replaceAll('/', '~')}.json`)
  const kept = readKept(path)
  const isFresh = ({ hash, scripts: ran }: Reach): boolean =>
    hash === hashOf(join(workspace.root, test)) &&
    scripts.every((script) => {
      const before = ran[script]?.hash
      return before === undefined || before === hashOf(join(workspace.root, script))
    })
  if (kept !== undefined && isFresh(kept)) return kept

  const reach = await measure(test, workspace)
  mkdirSync(directory, { recursive: true })
  writeFileSync(path, JSON.stringify(reach))
  return reach
}

export function isReached(
  { scripts }: Reach,
  { script, offset }: { script: string; offset: number },
): boolean {
  const edges = scripts[script]?.edges ?? []
  return edges.filter((edge) => edge <= offset).length % 2 === 1
}

function readKept(path: string): Reach | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Reach
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function measure(test: string, workspace: Workspace): Promise<Reach> {
  const coverage = mkdtempSync(join(tmpdir(), 'cms-coverage-'))
  try {
    const beganMs = performance.now()
    const ending = await workspace.run(test, { limitMs: LIMIT_MS, coverage })
    return {
      test,
      hash: hashOf(join(workspace.root, test)),
      elapsedMs: Math.round(performance.now() - beganMs),
      isPassing: ending === 'passed',
      scripts: readCoverage(coverage, workspace.root),
    }
  } finally {
    rmSync(coverage, { recursive: true, force: true })
  }
}

interface Counted {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** Merges the coverage of all processes. */
function readCoverage(directory: string, root: string): Record<string, Ran> {
  const ran = new Map<string, Uint8Array>()
  const base = `file://${join(root, 'dist', 'lib')}/`
  for (const name of readdirSync(directory)) {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as {
      readonly result: readonly Counted[]
    }
    for (const { url, functions } of result) {
      if (!url.startsWith(base)) continue
      const script = fileURLToPath(url).slice(root.length + 1)
      const painted = paint(functions.flatMap(({ ranges }) => ranges))
      const before = ran.get(script)
      ran.set(
        script,
        before === undefined ? painted : painted.map((at, i) => at | (before[i] ?? 0)),
      )
    }
  }
  const entries = [...ran].map(
    ([script, painted]) =>
      [script, { hash: hashOf(join(root, script)), edges: edgesOf(painted) }] as const,
  )
  return Object.fromEntries(entries)
}

/** Marks each byte with 1 if its innermost range was executed. */
function paint(ranges: readonly Range[]): Uint8Array {
  const ordered = ranges.toSorted(
    (left, right) => left.startOffset - right.startOffset || right.endOffset - left.endOffset,
  )
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)))
  for (const { startOffset, endOffset, count } of ordered)
    painted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return painted
}

function edgesOf(painted: Uint8Array): readonly number[] {
  const edges: number[] = []
  for (let at = 0; at <= painted.length; at++)
    if ((painted[at] ?? 0) !== (painted[at - 1] ?? 0)) edges.push(at)
  return edges
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}
