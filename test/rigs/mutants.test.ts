// The short form of the rig (test/rigs/README.md): the mutations of a text, and a project of two
// files with known killed and surviving mutants.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { temporaryDirectory } from '../helpers/server.ts'
import { openCompiler } from './mutants/compiler.ts'
import { findMutations } from './mutants/mutations.ts'
import { type Outcome, runMutants } from './mutants/rig.ts'

const ROOT = join(import.meta.dirname, '../../..')

const LIMIT = `// A room with a limit.
export function isWithin(size: number, limit: number): boolean {
  return size <= limit
}

export function find(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  return words[0]?.trim()
}

export function nobodyAsks(size: number): boolean {
  return size > 1
}
`

const LIMIT_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, isWithin } from '../../lib/room/limit.ts'

test('the limit is within', () => {
  assert.ok(isWithin(1, 1))
  assert.ok(!isWithin(2, 1))
})
test('the first is found', () => assert.equal(find([' a ']), 'a'))
test('nothing is found in nothing', () => {
  find([])
})
`

const project = makeProject({
  'lib/room/limit.ts': LIMIT,
  'test/room/limit.test.ts': LIMIT_TEST,
})
after(() => rmSync(project, { recursive: true }))

function makeProject(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  for (const name of ['package.json', 'tsconfig.json'])
    copyFileSync(join(ROOT, name), join(directory, name))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: directory,
  })
  return directory
}

function changesOf(text: string): readonly string[] {
  writeFileSync(join(project, 'lib/room/limit.ts'), text)
  const compiler = openCompiler(project)
  try {
    const source = compiler.read('lib/room/limit.ts')
    return findMutations('lib/room/limit.ts', source).map(({ change }) => change)
  } finally {
    compiler.close()
    writeFileSync(join(project, 'lib/room/limit.ts'), LIMIT)
  }
}

const CHANGES: readonly (readonly [name: string, text: string, changes: readonly string[]])[] = [
  [
    'a condition becomes true or false, and a bound is off by one',
    'if (a < 1) b()',
    ['a < 1 → a <= 1', 'a < 1 → false', 'a < 1 → true', '1 → 2'],
  ],
  [
    'a loop is skipped, because an endless loop shows nothing',
    'while (a.has(b)) a.delete(b)',
    ['a.has(b) → false', 'a.delete(b) → {}'],
  ],
  [
    'both sides of a choice, and what stands for nothing',
    'const a = b && c ? d ?? e : !f',
    ['b && c → b || c', 'b && c → false', 'b && c → true', 'd ?? e → d', '!f → f'],
  ],
  [
    'statements and blocks are removed',
    'function a() {\n  b = 0\n  throw c\n}',
    ['{ b = 0 throw c } → {}', 'b = 0 → {}', '0 → 1', 'throw c → {}'],
  ],
  [
    'texts, lists, patterns and calls that pass on',
    "const a = ['b'].filter(/^c+$/i)",
    [
      "['b'] → []",
      "['b'].filter(/^c+$/i) → ['b']",
      "'b' → ''",
      '/^c+$/i → /^c*$/i',
      '/^c+$/i → /^c+$/',
      '/^c+$/i → /^c+/i',
      '/^c+$/i → /c+$/i',
    ],
  ],
  [
    'prose, imports and types are left alone',
    "import a from 'b'\ntype C = 'd'\nthrow new CmsError('e', `f`)\nconst g = { title: 'h' }\nconst i = 'Wait for a while.'",
    ["throw new CmsError('e', `f`) → {}"],
  ],
]

for (const [name, text, changes] of CHANGES)
  test(name, () => assert.deepEqual(changesOf(text).toSorted(), changes.toSorted()))

describe('a run', () => {
  const tell = ({ mutation, fate }: Outcome): string => `${fate}: ${mutation.change}`
  const run = (equal: Parameters<typeof runMutants>[0]['equal']) =>
    runMutants({
      project,
      isMutated: () => true,
      isAsked: () => true,
      seed: 1,
      most: 25,
      mostMs: 60_000,
      jobs: 1,
      equal,
      onProgress: () => undefined,
    })

  test('kills detected mutants, and reports surviving, unreached and invalid ones', async () => {
    const there = {
      file: 'lib/room/limit.ts',
      line: 'return words[0]?.trim()',
      change: '0 → 1',
      reason: 'it is not, but the entry is found',
    }
    const gone = { ...there, line: 'return words[1]' }
    const { outcomes, unfitting, failing } = await run([there, gone])

    assert.deepEqual(outcomes.map(tell).toSorted(), [
      'equal: 0 → 1',
      'killed: 0 → 1',
      'killed: size <= limit → size < limit',
      'killed: words.length === 0 → true',
      'killed: words.length === 0 → words.length !== 0',
      'killed: words[0]?.trim() → undefined',
      'killed: words[0]?.trim() → words[0]',
      'refused: ?. → .',
      'refused: return size <= limit → {}',
      'refused: return size > 1 → {}',
      'refused: return words[0]?.trim() → {}',
      'refused: size <= limit → undefined',
      'refused: size > 1 → undefined',
      'refused: { if (words.length === 0) return undefined return words[0]?.trim() } → {}',
      'survived: words.length === 0 → false',
      'unreached: 1 → 2',
      'unreached: size > 1 → size >= 1',
    ])
    assert.deepEqual(unfitting, [gone])
    assert.deepEqual(failing, [])
  })
})
