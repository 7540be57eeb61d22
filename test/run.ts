// Runs the compiled tests, two files at a time: all files, or with arguments the files whose paths contain
// one of the words (`npm test -- http/json`). A run that finds no tests would pass, so a run of all files
// fails below a minimum number of tests.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Raised from time to time. A much lower number means that test files are missing. */
const LEAST_TESTS = 5_000

const CONCURRENCY = 2

/** Limit for one test and for a whole file; a hanging test fails, and the others continue. */
const TIMEOUT_MS = 900_000

/**
 * Shown characters of one failure: its name, its location, the expected result, and the first stack
 * frames.
 */
const MAX_FAILURE_LENGTH = 3_000

const words = process.argv.slice(2)
const files = findFiles(import.meta.dirname)
process.exitCode = files.length === 0 ? fail('No test file has such a path.') : run()

function run(): number {
  const reports = mkdtempSync(join(tmpdir(), 'cms-report-'))
  const report = join(reports, 'report.tap')
  try {
    const status = runFiles(report)
    const told = readFileSync(report, 'utf8')
    const count = Number(/^# tests (\d+)$/m.exec(told)?.[1] ?? 0)
    if (status !== 0) repeatFailures(told)
    if (status !== 0 || words.length > 0 || count >= LEAST_TESTS) return status
    return fail(`Only ${count} tests ran; there are at least ${LEAST_TESTS}.`)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

function findFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .toSorted()
    .map((path) => relative('.', join(directory, path)))
}

/** Exit status of the test runner; 1 if a signal ended the runner. */
function runFiles(report: string): number {
  const shown = process.stdout.isTTY ? 'spec' : 'tap'
  const reporters = [
    ['--test-reporter', shown, '--test-reporter-destination', 'stdout'],
    ['--test-reporter', 'tap', '--test-reporter-destination', report],
  ]
  const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TIMEOUT_MS}`]
  const args = ['--test', ...limits, ...reporters.flat(), ...files]
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

/**
 * Repeats the failures at the end, because they are hard to find among thousands of lines, and then
 * the closing lines.
 */
function repeatFailures(told: string): void {
  const failures = told.match(/^ *not ok [^]*?^ *\.\.\.$/gm) ?? []
  const closing = told.slice(told.lastIndexOf('\n# tests ') + 1)
  for (const failure of failures) console.log(failure.slice(0, MAX_FAILURE_LENGTH))
  console.log(closing)
}

function fail(message: string): number {
  console.error(message)
  return 1
}
