// The tables of a report: shares, ratios, and missed targets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Form, Summary } from '../../bench/measure.ts'
import { compare, type Report, type Result, toMarkdown } from '../../bench/report.ts'
import { digest, summarize } from '../../bench/summary.ts'

function reached(perSecond: number, p99: number): Summary {
  const common = { generator: 'wrk', p50: 1, cpuUs: 20, errors: 0, memory: undefined } as const
  return { ...common, perSecond, p99, low: perSecond, high: perSecond }
}

function result(form: Form, own: Summary, other: Summary): Result {
  return {
    ...{ name: 'read-record', title: 'read a record', connections: 50, addresses: 10_000 },
    ...{ targets: { warm: 0.6, mixed: 0.75 }, form, own, other },
  }
}

function report(results: readonly Result[], peers: readonly Result[] = []): Report {
  return { commit: 'abc', machine: 'here', results, peers, pairs: [], facts: [] }
}

const LIMIT = reached(10_000, 1)

/** The rows below the last heading. */
function misses(told: string): readonly string[] {
  return told.split('### Missed targets\n\n').at(-1)?.split('\n').slice(2) ?? []
}

test('figures within their targets are not reported as missed', () => {
  const told = toMarkdown(
    report([result('warm', reached(6_000, 2), LIMIT), result('mixed', reached(4_500, 6), LIMIT)]),
  )
  assert.match(told, /### Missed targets\n\nNothing\.$/)
  assert.match(told, /\| 6,000 \| 6,000 to 6,000 \| 10,000 \| 0\.60 \|/)
  assert.match(told, /\| read a record \| 4,500 \| 0\.75 \| 10,000 \| 0\.45 \|/)
})

test('a missed ratio, share of warm and p99 are reported', () => {
  const told = toMarkdown(
    report([result('warm', reached(5_000, 2), LIMIT), result('mixed', reached(1_000, 7), LIMIT)]),
  )
  assert.deepEqual(misses(told), [
    '| read a record | Warm | ≥ 0.6 times | 0.50 |',
    '| read a record | Beside 100 writes a second in the same table | ≥ 0.75 of warm | 0.20 |',
    '| read a record | Beside 100 writes a second in the same table | p99 ≤ 3 × warm | 3.5 × |',
  ])
})

test('a target without a peer is judged by its maximum', () => {
  const pair = { name: 'start', own: 400, other: 100, unit: 'ms', most: 300 }
  const told = toMarkdown({ ...report([]), pairs: [pair] })
  assert.match(
    told,
    /\| start \|.*\| 400 ms \| 100 ms \| 4\.00 \| at most 300 ms: \*\*missed\*\* \|/,
  )
  assert.match(
    told,
    /### Beside PocketBase\n\nWrites of cms-server are on disk .* PocketBase syncs nothing/,
  )
  assert.deepEqual(misses(told), ['| start |  | at most 300 ms | 400 |'])
})

test('the summary shows chosen rows of the peer, warm and during writes', () => {
  const peers = [
    result('warm', reached(6_000, 2), reached(3_000, 9)),
    result('mixed', reached(4_500, 6), reached(2_000, 9)),
  ]
  const named = peers.map((peer) => ({ ...peer, name: 'peers/record/many' }))
  const told = summarize(report([], [...peers, ...named]))
  const cells = '6,000, 2 | 4,500 (0.75), 6 | 3,000 | 2,000 | 2.00 |'
  assert.deepEqual(told.split('\n').slice(4), [
    `| read an entry, 10,000 different entries | ${cells}`,
  ])
  assert.ok(digest(report([], peers)).includes(`| read a record | ${cells}`))
})

test('the digest has one row for a scenario, with its rate in each state', () => {
  const told = digest(
    report([
      result('warm', reached(6_000, 2), LIMIT),
      result('mixed', reached(4_500, 6), LIMIT),
      result('cold', reached(3_000, 9), LIMIT),
    ]),
  )
  assert.ok(told.includes('| read a record | 6,000 | 0.60 | 2 | 4,500 (0.75), 6 | 3,000 |'), told)
})

test('a comparison is judged by the ratio to its limit', () => {
  const was = report([result('warm', reached(6_000, 2), LIMIT)])
  const same = report([result('warm', reached(3_000, 2), reached(5_000, 1))])
  const slower = report([result('warm', reached(6_000, 2), reached(20_000, 1))])
  assert.match(compare(was, same), /^Nothing changed by more than 5 %/)
  assert.match(
    compare(was, slower),
    /\| SLOWER \| read a record \| warm \| 0\.60 \| 0\.30 \| -50 % \|/,
  )
})
