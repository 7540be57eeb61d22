// One mutant against the tests that reach it: the nearest first, until one fails. What killed others of the same file is
// asked early. A survivor costs no more than a bound, which counts what the tests take by themselves.

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

const MAX_TESTS = 25
const MAX_TESTS_MS = 120_000

/** Far above what a test takes: others may use the machine, too. */
const LIMIT_MS = 20_000
const LIMIT_FACTOR = 6

export function openTrial(reaches: readonly Reach[]): Trial {
  const kills = new Map<string, number>()

  function order(script: string, reached: readonly Reach[]): readonly Reach[] {
    const ranked = reached.map((reach) => ({
      reach,
      rank: rankOf(reach.test, script) - (kills.get(`${script} ${reach.test}`) ?? 0),
    }))
    return ranked
      .toSorted(
        (left, right) => left.rank - right.rank || left.reach.elapsedMs - right.reach.elapsedMs,
      )
      .map(({ reach }) => reach)
  }

  return {
    async judge({ script, offset, code, workspace }) {
      const reached = reaches.filter((reach) => isReached(reach, { script, offset }))
      if (reached.length === 0) return { fate: 'unreached' }
      const asked = bound(order(script, reached))
      workspace.put(script, code)
      try {
        for (const { test, elapsedMs } of asked) {
          const limitMs = LIMIT_MS + LIMIT_FACTOR * elapsedMs
          const ending = await workspace.run(test, { limitMs })
          if (ending === 'passed') continue
          const place = `${script} ${test}`
          kills.set(place, (kills.get(place) ?? 0) + 1)
          return { fate: ending === 'late' ? 'late' : 'killed', by: test }
        }
      } finally {
        workspace.restore()
      }
      return { fate: 'survived', by: `${asked.length} of ${reached.length} tests` }
    },
  }
}

/** Lower is nearer: the test of this file, one of its room, one of its name elsewhere, any. */
function rankOf(test: string, script: string): number {
  const place = script.replace('dist/lib/', 'dist/test/').replace('.js', '')
  if (test === `${place}.test.js`) return -1_000
  if (test.startsWith(`${dirname(place)}/`)) return 100
  return test.includes(basename(place)) ? 200 : 300
}

function bound(reaches: readonly Reach[]): readonly Reach[] {
  let leftMs = MAX_TESTS_MS
  return reaches.slice(0, MAX_TESTS).filter(({ elapsedMs }, index) => {
    leftMs -= elapsedMs
    return index === 0 || leftMs >= 0
  })
}
