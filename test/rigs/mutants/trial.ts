// Runs the tests that reach a mutant until a test fails: first the tests that killed neighbors,
// then the nearest and fastest tests. The bounds limit the cost of a survivor; they count the
// normal duration of the tests.

import { basename, dirname } from 'node:path'
import type { Mutation } from './mutations.ts'
import { isReached, type Reach } from './reach.ts'
import type { Workspace } from './workspace.ts'

export interface Attempt {
  readonly mutation: Mutation
  readonly script: string
  readonly offset: number
  readonly code: string
  readonly workspace: Workspace
}

export interface Verdict {
  readonly fate: 'killed' | 'late' | 'survived' | 'unreached'
  readonly by?: string
}

export interface Trial {
  judge(attempt: Attempt): Promise<Verdict>
}

/** The number of latest killers that run first. */
const MAX_KILLERS = 3

/** Far above the normal duration of a test, because the machine may be busy. */
const LIMIT_MS = 20_000
const LIMIT_FACTOR = 6

/** The limits for a mutant: the number of tests, and the sum of their normal durations. */
export interface Bounds {
  readonly most: number
  readonly mostMs: number
}

/** A mutant survives if all tests within the bounds pass. */
export function openTrial(reaches: readonly Reach[], bounds: Bounds): Trial {
  /**
   * The latest killers for each script, newest first: neighboring mutants mostly die by the same
   * test.
   */
  const killers = new Map<string, readonly string[]>()

  function order(script: string, reached: readonly Reach[]): readonly Reach[] {
    const latest = killers.get(script) ?? []
    const rankOf = ({ test, elapsedMs }: Reach): number =>
      latest.includes(test)
        ? latest.indexOf(test)
        : elapsedMs * distanceOf(test, script) + latest.length
    return reached.toSorted((left, right) => rankOf(left) - rankOf(right))
  }

  return {
    async judge({ script, offset, code, workspace }) {
      const reached = reaches.filter((reach) => isReached(reach, { script, offset }))
      if (reached.length === 0) return { fate: 'unreached' }
      const asked = bound(order(script, reached), bounds)
      workspace.put(script, code)
      try {
        for (const { test, elapsedMs } of asked) {
          const limitMs = LIMIT_MS + LIMIT_FACTOR * elapsedMs
          const ending = await workspace.run(test, { limitMs })
          if (ending === 'passed') continue
          const others = (killers.get(script) ?? []).filter((each) => each !== test)
          killers.set(script, [test, ...others].slice(0, MAX_KILLERS))
          return { fate: ending === 'late' ? 'late' : 'killed', by: test }
        }
      } finally {
        workspace.restore()
      }
      return { fate: 'survived', by: `${asked.length} of ${reached.length} tests` }
    },
  }
}

/**
 * The weight of a test's duration: lowest for the test of this file, then for tests of the same
 * room or name, then for others.
 */
function distanceOf(test: string, script: string): number {
  const place = script.replace('dist/lib/', 'dist/test/').replace('.js', '')
  if (test === `${place}.test.js`) return 0.1
  return test.startsWith(`${dirname(place)}/`) || test.includes(basename(place)) ? 0.5 : 1
}

function bound(reaches: readonly Reach[], { most, mostMs }: Bounds): readonly Reach[] {
  let leftMs = mostMs
  return reaches.slice(0, most).filter(({ elapsedMs }, index) => {
    leftMs -= elapsedMs
    return index === 0 || leftMs >= 0
  })
}
