// Runs the compiled tests in four processes at a time: all files, or with arguments the files whose paths contain
// one of the words (`npm test -- http/json`). A run that finds no tests would pass, so a run of all files
// fails below a minimum number of tests.
//
// A process runs several files one after another, each as a suite. A process per file would spend
// 1.5 s of processor time on each file to load the server, more than most files need for their tests.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Raised from time to time. A much lower number means that test files are missing. */
const LEAST_TESTS = 7_000

/** Twice the cores of a small machine: with three processes, a quarter of the processor time was idle. */
const CONCURRENCY = 4

const FILES_PER_PROCESS = 15

/** The folders with the longest files run first, so that no long file runs alone at the end. */
const FIRST = ['rigs', 'admin', 'storage', 'docs']

/**
 * Folders and files whose tests store data and examine no disk: their temporary files are in memory if there is enough. A site has
 * 256 directories. On a busy ext4 disk, their creation and removal take 31 to 124 ms of processor time, in memory 6 ms.
 * The tests of LMDB, of files and of backups stay on the disk, and so do the rigs of the disk.
 */
const IN_MEMORY = [
  'admin',
  'api',
  'auth',
  'calendar',
  'cli',
  'client',
  'docs',
  'http',
  'operations',
  'processes',
  'rigs/authority.test.js',
  'rigs/folder-references.test.js',
  'rigs/hostile.test.js',
  'rigs/interference.test.js',
  'rigs/linear.test.js',
  'rigs/model.test.js',
  'rigs/openapi.test.js',
  'rigs/references.test.js',
  'rigs/same-origin.test.js',
  'rigs/trash.test.js',
  'rigs/values.test.js',
  'rigs/worst.test.js',
  'storage/distributed',
  'storage/integrity',
  'storage/moving',
  'storage/records',
]
const MEMORY = '/dev/shm'
const LEAST_MEMORY_BYTES = 8 * 1024 ** 3

/** Limit for one test and for a whole process; a hanging test fails, and the other processes continue. */
const TIMEOUT_MS = 1_200_000

/**
 * Shown characters of one failure: its name, its location, the expected result, and the first stack
 * frames.
 */
const MAX_FAILURE_LENGTH = 3_000

/** A failed test may leave a server open, which would keep its process until the limit above. */
const OPEN_MS = 30_000

const SHOWN_SLOWEST = 10

const HERE = import.meta.dirname

const words = process.argv.slice(2)
const files = findFiles()
process.exitCode = files.length === 0 ? fail('No test file has such a path.') : run()

function run(): number {
  const directory = mkdtempSync(join(tmpdir(), 'cms-report-'))
  const inMemory = mkdtempSync(join(findMemory(), 'cms-tests-'))
  // The database of a test runs as another user.
  chmodSync(inMemory, 0o755)
  const report = join(directory, 'report.tap')
  try {
    const status = runGroups(writeGroups(directory, inMemory), report)
    const told = readFileSync(report, 'utf8')
    const count = Number(/^# tests (\d+)$/m.exec(told)?.[1] ?? 0)
    if (status !== 0) repeatFailures(told)
    printSlowest(told)
    // The closing lines stand last, where people and programs look for them.
    console.log(told.slice(told.lastIndexOf('\n# tests ') + 1))
    if (status !== 0 || words.length > 0 || count >= LEAST_TESTS) return status
    return fail(`Only ${count} tests ran; there are at least ${LEAST_TESTS}.`)
  } finally {
    for (const each of [directory, inMemory])
      rmSync(each, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Paths relative to this folder. */
function findFiles(): readonly string[] {
  return readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .toSorted()
}

/** Writes a module for each process, which imports its files. Returns the paths of the modules. */
function writeGroups(directory: string, inMemory: string): readonly string[] {
  const later = files.filter((path) => !FIRST.includes(folderOf(path)))
  const first = FIRST.map((folder) => files.filter((path) => folderOf(path) === folder))
  const groups = [...first, later].flatMap(chunksOf)
  const temporaryOf = (path: string): string =>
    IN_MEMORY.some((name) => path === name || path.startsWith(`${name}/`)) ? inMemory : tmpdir()
  return groups.map((group, at) => {
    const path = join(directory, `${String(at).padStart(3, '0')}.mjs`)
    writeFileSync(path, moduleOf(group.map((file) => [file, temporaryOf(file)])))
    return path
  })
}

/** The directory for temporary files in memory; the usual directory if TMPDIR is set or memory is scarce. */
function findMemory(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) < LEAST_MEMORY_BYTES ? tmpdir() : MEMORY
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function chunksOf(paths: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(paths.length / FILES_PER_PROCESS)
  const size = Math.ceil(paths.length / count)
  return Array.from({ length: count }, (_, at) => paths.slice(at * size, (at + 1) * size))
}

/**
 * The next file is imported when the suite of the previous file has ended: `describe` returns a promise of that
 * at the top level of a module.
 */
function moduleOf(group: readonly (readonly [path: string, temporary: string])[]): string {
  const names = group.map(([path, temporary]) => [path.replace(/\.js$/, ''), temporary])
  return `import { describe } from 'node:test'
import { closeLeftovers } from '${addressOf('helpers/leftovers.js')}'
for (const [name, temporary] of ${JSON.stringify(names)}) {
  process.env.TMPDIR = temporary
  await describe(name, () => import('${addressOf('')}/' + name + '.js'))
}
await closeLeftovers()
setTimeout(() => {
  console.error('The tests have ended, and something that they opened is still open.')
  process.exit(1)
}, ${OPEN_MS}).unref()
`
}

function addressOf(path: string): string {
  return pathToFileURL(join(HERE, path)).href
}

/** Exit status of the test runner; 1 if a signal ended the runner. */
function runGroups(groups: readonly string[], report: string): number {
  const shown = process.stdout.isTTY ? 'spec' : 'tap'
  const reporters = [
    ['--test-reporter', shown, '--test-reporter-destination', 'stdout'],
    ['--test-reporter', 'tap', '--test-reporter-destination', report],
  ]
  const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TIMEOUT_MS}`]
  const args = ['--test', ...limits, ...reporters.flat(), ...groups]
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

/** Repeats the failures, because they are hard to find among thousands of lines. */
function repeatFailures(told: string): void {
  const failures = told.match(/^ *not ok [^]*?^ *\.\.\.$/gm) ?? []
  for (const failure of failures) console.log(failure.slice(0, MAX_FAILURE_LENGTH))
}

function printSlowest(told: string): void {
  const suites = [...told.matchAll(/^(?:not )?ok \d+ - (.*)\n {2}---\n {2}duration_ms: (.*)$/gm)]
  const slowest = suites
    .map(([, name = '', durationMs]) => ({ name, seconds: Number(durationMs) / 1_000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN_SLOWEST)
  console.log(`# the slowest of ${suites.length} files, in seconds`)
  for (const { name, seconds } of slowest)
    console.log(`# ${seconds.toFixed(1).padStart(7)}  ${name}`)
}

function fail(message: string): number {
  console.error(message)
  return 1
}
