// `npm run rig:mutants -- --room auth --seed 7`: see test/rigs/README.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EQUAL } from './equal.ts'
import type { Mutation } from './mutations.ts'
import { describe, type Fate, runMutants } from './rig.ts'

/** Quick rigs that test only parsers and frames. */
const QUICK_RIGS = ['dist/test/rigs/fuzz.test.js', 'dist/test/rigs/frames.test.js']

/**
 * Tests of texts or of build products, and whole rigs; they do not judge the behavior of the code.
 */
const NEVER_ASKED = [
  'dist/test/architecture.test.js',
  'dist/test/links.test.js',
  'dist/test/docs/generators.test.js',
  'dist/test/packaging/',
  'dist/test/rigs/',
]

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: '' },
    file: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: 'all' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    again: { type: 'boolean', default: false },
  },
})

const project = join(import.meta.dirname, '../../../..')
const memory = join(project, '.mutants', 'survivors.json')
const before = readSurvivors()
const isMutated = (file: string): boolean =>
  values.file.length > 0 ? values.file.includes(file) : file.startsWith(`lib/${values.room}`)

// An interrupted run finishes the present mutants and reports its results.
const cut = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => cut.abort())

const { outcomes, unfitting, failing } = await runMutants({
  project,
  isMutated,
  isAsked: (test) =>
    (QUICK_RIGS.includes(test) || !NEVER_ASKED.some((path) => test.startsWith(path))) &&
    (values.tests.length === 0 || values.tests.some((word) => test.includes(word))),
  ...(values.again && { isTried: (mutation: Mutation) => before.includes(nameOf(mutation)) }),
  ...(values.sample !== 'all' && { sample: Number(values.sample) }),
  seed: Number(values.seed),
  most: Number(values.most),
  mostMs: 1_000 * Number(values.seconds),
  jobs: Number(values.jobs),
  equal: EQUAL,
  signal: cut.signal,
  onProgress: (text) => console.log(text),
})

const living = outcomes.filter(({ fate }) => fate === 'survived' || fate === 'unreached')
keepSurvivors()
show()
if (living.length > 0 || unfitting.length > 0) process.exitCode = 1

function show(): void {
  console.log(`\nseed ${values.seed}: what lives`)
  for (const outcome of living) console.log(describe(outcome))
  for (const test of failing) console.log(`fails without a mutant: ${test}`)
  for (const { file, line, change } of unfitting)
    console.log(`equal, but no longer there: ${file}\n  ${line}\n  ${change}`)
  const folders = [...new Set(outcomes.map(({ mutation }) => mutation.file.split('/')[1] ?? ''))]
  console.log('\n| room | mutants | killed | by time | survived | not reached | equal | score |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const folder of folders.toSorted()) console.log(rowOf(folder))
}

function rowOf(folder: string): string {
  const fates = outcomes
    .filter(({ mutation }) => mutation.file.split('/')[1] === folder)
    .map(({ fate }) => fate)
  const count = (fate: Fate): number => fates.filter((each) => each === fate).length
  const dead = count('killed') + count('late')
  const all = dead + count('survived') + count('unreached')
  const counts = [
    `${all + count('equal')} (and ${count('refused')} refused by the compiler)`,
    count('killed'),
    count('late'),
    count('survived'),
    count('unreached'),
    count('equal'),
  ]
  return `| ${folder} | ${counts.join(' | ')} | ${((100 * dead) / all).toFixed(1)} % |`
}

function nameOf({ file, line, change }: Mutation): string {
  return [file, line, change].join('\n')
}

function readSurvivors(): readonly string[] {
  try {
    return JSON.parse(readFileSync(memory, 'utf8')) as readonly string[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Keeps the survivors for `--again`: those of this run, and those that this run did not reach. */
function keepSurvivors(): void {
  const judged = new Set(outcomes.map(({ mutation }) => nameOf(mutation)))
  // The file is read again because another run may have ended meanwhile.
  const others = readSurvivors().filter((name) => !judged.has(name))
  mkdirSync(join(project, '.mutants'), { recursive: true })
  const names = [...others, ...living.map(({ mutation }) => nameOf(mutation))]
  writeFileSync(memory, JSON.stringify(names, null, 2))
}
