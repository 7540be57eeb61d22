// The short form of the fuzzers (test/rigs/README.md): every sample of the corpus and some thousand
// mutations, once with a fixed seed and once with the seed of the run.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QRY_GROUPS, QRY_OPERATORS } from '../../lib/schema/qry.ts'
import { fuzz, type Fuzzer, refusalOf } from './fuzz/engine.ts'
import { FUZZERS, samplesOf } from './fuzz/fuzzers.ts'
import { qry } from './fuzz/qry.ts'
import { SEED } from '../helpers/seed.ts'

const MAX_RUNS = 2_000
const MAX_MS = 400
const SEEDS = [1, SEED]

/** The rows of the fault table that each parser covers. */
const ROWS: Readonly<Record<string, string>> = {
  json: 'B1, B2, B5, B6',
  qry: 'B10',
  schema: 'B12',
  names: 'N3',
  target: 'N1',
  disposition: 'N6',
  etags: 'E1',
  range: 'E3',
  form: 'M1, M4',
  'form-built': 'M13, M15',
  stml: 'B14',
}

for (const fuzzer of FUZZERS) {
  const rows = ROWS[fuzzer.name]
  for (const seed of SEEDS) {
    test(`${rows === undefined ? '' : `${rows}: `}${fuzzer.name} keeps its promise whatever it reads (seed ${seed})`, async () => {
      const samples = samplesOf(fuzzer)
      const { failure, runs } = await fuzz(fuzzer, {
        seed,
        samples,
        maxRuns: MAX_RUNS,
        maxMs: MAX_MS,
      })
      if (failure !== undefined) throw failed(failure)
      assert.ok(runs >= samples.length, 'the whole corpus was read')
    })
  }
}

test('the corpus of qry uses every operator, and the reference parser knows each', async () => {
  const samples = samplesOf(qry)
  for (const name of [...QRY_GROUPS, ...QRY_OPERATORS]) {
    const asking = samples.filter((sample) => sample.includes(`"${name}"`))
    const told: string[] = []
    for (const sample of asking) told.push(await qry.check(sample))
    // The digits describe which records the search finds, for example 01001.
    assert.ok(
      told.some((words) => /^[01]+ /.test(words)),
      name,
    )
  }
})

function failed({ input, error }: { readonly input: string; readonly error: unknown }): Error {
  return new Error(`The input is ${JSON.stringify(input)}`, { cause: error })
}

describe('the fuzzer', () => {
  const samples = ['key=value', 'a=b;c=d']
  const faulty = (check: Fuzzer['check']): Fuzzer => ({
    name: 'faulty',
    dictionary: ['=', ';'],
    check,
  })

  test('finds a nested fault and minimizes its input', async () => {
    const reader = faulty((text) => {
      const count = text.split(';;').length
      assert.ok(count < 4, 'reads too much')
      return `${count}`
    })
    const { failure, runs } = await fuzz(reader, { seed: 1, samples, maxRuns: 200_000 })
    assert.equal(failure?.input, ';;;;;;', `after ${runs} runs`)
  })

  test('generates the same inputs with the same seed', async () => {
    const inputs = async (seed: number): Promise<string[]> => {
      const seen: string[] = []
      const reader = faulty((text) => `${seen.push(text) % 3}`)
      await fuzz(reader, { seed, samples, maxRuns: 100 })
      return seen
    }
    assert.deepEqual(await inputs(5), await inputs(5))
    assert.notDeepEqual(await inputs(5), await inputs(6))
  })

  test('treats every error except a refusal as a crash', () => {
    assert.throws(() => refusalOf(new TypeError('x is undefined')), /x is undefined/)
  })
})
