// The model obeys the laws that hold for every queue, and its results are close to the measurements.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClock, openStation } from '../../bench/model/events.ts'
import { capacityOf } from '../../bench/model/capacity.ts'
import { closedCommits, type OpenLoad, openArrivals } from '../../bench/model/loads.ts'
import { OBSERVED } from '../../bench/model/measured.ts'
import { TIMES } from '../../bench/model/times.ts'
import { openRandom } from '../rigs/random.ts'

const LOAD: OpenLoad = {
  shape: { nodes: 4, databaseCores: 2, times: TIMES },
  perSecond: 10_000,
  readShare: 0.99,
  ms: 2_000,
  seed: 7,
}

function near(value: number, expected: number, share: number): void {
  const within = `${value} is not within ${share * 100} % of ${expected}`
  assert.ok(Math.abs(value / expected - 1) <= share, within)
}

for (const load of [0.3, 0.5, 0.8])
  test(`a station with a random load of ${load * 100} % has the waiting times of the formula`, () => {
    const clock = openClock()
    const station = openStation(clock, 1)
    const random = openRandom(11)
    const exponential = (mean: number): number => -Math.log(1 - random.next()) * mean
    let [visitors, ms] = [0, 0]
    const arrive = (): void => {
      const at = clock.now()
      station.serve(exponential(1), () => {
        visitors += 1
        ms += clock.now() - at
      })
      clock.after(exponential(1 / load), arrive)
    }
    arrive()
    clock.run(300_000)
    near(ms / visitors, 1 / (1 - load), 0.1)
    near(station.busyMs() / clock.now(), load, 0.02)
  })

test('events happen in the order of their time and then of their requests', () => {
  const clock = openClock()
  const random = openRandom(3)
  const seen: { readonly at: number; readonly order: number }[] = []
  for (let order = 0; order < 2_000; order += 1) {
    const at = random.below(100)
    clock.after(at, () => seen.push({ at, order }))
  }
  clock.run(1_000)
  assert.deepEqual(
    seen,
    seen.toSorted((left, right) => left.at - right.at || left.order - right.order),
  )
  assert.equal(seen.length, 2_000)
})

test('the number of concurrent requests is their rate times their duration', () => {
  const { underWay, perSecond } = openArrivals(LOAD)
  near(underWay.counted, underWay.byLaw, 0.03)
  near(perSecond, LOAD.perSecond, 0.03)
})

test('the same seed returns the same figures, and another seed different ones', () => {
  const [one, again] = [openArrivals(LOAD), openArrivals(LOAD)]
  assert.deepEqual(one, again)
  assert.notDeepEqual(openArrivals({ ...LOAD, seed: 8 }).reads, one.reads)
})

test('the model reproduces the figures of one machine within 40 %', () => {
  const times = { ...TIMES, waitMs: 0, networkMs: 0 }
  for (const { nodes, callers, runs } of OBSERVED) {
    const shape = { nodes, databaseCores: 1, times, isOneThread: true }
    near(closedCommits(shape, callers), (runs[0] + runs[1]) / 2, 0.4)
  }
})

test('changes are limited by their lock, and reads by the nodes', () => {
  const asked = { nodes: 10, cores: 8, times: TIMES } as const
  assert.equal(capacityOf({ ...asked, readShare: 0 }).part, 'lock')
  const reads = capacityOf({ ...asked, readShare: 1 })
  assert.equal(reads.part, 'nodes')
  near(capacityOf({ ...asked, nodes: 20, readShare: 1 }).perSecond, 2 * reads.perSecond, 0.001)
})
