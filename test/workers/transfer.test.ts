// Arguments and results of a task pass through a structured clone and have the same value as on the
// main thread.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseJson } from '../../lib/http/json.ts'
import { openPool, type Pool } from '../../lib/workers/pool.ts'
import { openRandom, type Random } from '../rigs/random.ts'

const LIMITS = { maxDepth: 32, maxKeys: 1e6 }

let pool: Pool
before(() => {
  pool = openPool(1)
})
after(() => pool.close())

const SCALARS = [
  '0',
  '-0',
  '1e308',
  '5e-324',
  '1e400',
  '9007199254740993',
  'true',
  'null',
  '""',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"é😀"',
  '"\u2028"',
]
const KEYS = ['a', '1', '-1', '', 'length', 'constructor', 'toString', '__proto__', 'é', '\\ud800']

function makeJson(random: Random, depth: number): string {
  const count = random.below(4)
  const kind = depth === 0 ? 0 : random.below(4)
  if (kind === 1) return `[${fill(count, () => makeJson(random, depth - 1))}]`
  if (kind === 2)
    return `{${fill(count, () => `"${random.pick(KEYS)}":${makeJson(random, depth - 1)}`)}}`
  return random.pick(SCALARS)
}

function fill(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join(',')
}

async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (error) {
    const { code, message, facts } = error as any
    return { code, message, errors: facts?.errors, members: facts?.members }
  }
}

test('a body has the same values and faults when a worker parses it', async () => {
  const random = openRandom(1_255_005)
  const seen = { value: 0, code: 0 }
  for (let count = 0; count < 1_000; count += 1) {
    const text = makeJson(random, 3)
    const bytes = Buffer.from(random.below(10) === 0 ? text.slice(0, -1) : text)
    const here = await outcomeOf(() => parseJson(bytes, LIMITS))
    const there = await outcomeOf(() => pool.run('parseBody', { bytes, limits: LIMITS }))
    // Strict equality distinguishes -0 from 0, and an object without a prototype from a plain
    // object.
    assert.deepStrictEqual(there, here, text)
    seen['value' in (here as object) ? 'value' : 'code'] += 1
  }
  assert.ok(seen.value > 300 && seen.code > 100, JSON.stringify(seen))
})

/**
 * Applies a unified diff strictly: the line numbers of its hunks and the sign of each line must be
 * right.
 */
function apply(left: string, patch: string): string {
  const lines = linesOf(left)
  const [, , ...body] = linesOf(patch)
  const result: string[] = []
  let at = 0
  for (const [index, line] of body.entries()) {
    const hunk = /^@@ -(\d+),(\d+) \+\d+,\d+ @@\n$/.exec(line)
    if (hunk !== null) {
      // A hunk without lines names the line before the hunk.
      const from = Number(hunk[2]) === 0 ? Number(hunk[1]) : Number(hunk[1]) - 1
      result.push(...lines.slice(at, from))
      at = from
    } else if (line.startsWith('\\')) {
      // The marker for a missing newline says nothing about the result if it follows a removed
      // line.
      if (body[index - 1]?.startsWith('-') !== true)
        result.push((result.pop() ?? '').replace(/\n$/, ''))
    } else if (line.startsWith('+')) {
      result.push(line.slice(1))
    } else {
      assert.equal(withoutEnd(lines[at]), withoutEnd(line.slice(1)))
      if (line.startsWith(' ')) result.push(line.slice(1))
      at += 1
    }
  }
  return [...result, ...lines.slice(at)].join('')
}

const withoutEnd = (line: string | undefined): string | undefined => line?.replace(/\n$/, '')

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

test('a diff of two texts turns one into the other with any line endings', async () => {
  const random = openRandom(1_255_006)
  const LINES = [
    'a',
    'b',
    '',
    '-a',
    '+a',
    ' a',
    '\\ No newline at end of file',
    '@@ -1,1 +1,1 @@',
    '--- a',
  ]
  const ENDS = ['\n', '\n', '\n', '\r\n', '\r', '\u2028', '\f', '']
  const makeText = (): string =>
    Array.from({ length: random.below(12) }, () => random.pick(LINES) + random.pick(ENDS)).join('')
  for (let count = 0; count < 1_000; count += 1) {
    const [left, right] = [makeText(), makeText()]
    const source = (text: string, name: string) => ({ name, source: Buffer.from(text) })
    const input = { left: source(left, 'a (version 1)'), right: source(right, 'a (version 2)') }
    const patch = await pool.run('diffTexts', input)
    if (left !== right)
      assert.equal(apply(left, patch), right, JSON.stringify([left, right, patch]))
  }
})
