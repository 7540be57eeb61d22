// Runs the compiled tests, two files at a time: all of them, or with arguments those whose path holds
// one of the words (`npm test -- http/json`). A run that found no tests would pass, so a run of all
// fails when fewer ran than there are at least.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Raised now and then; far below it, files were lost on the way. */
const LEAST_TESTS = 5_000

const CONCURRENCY = 2

/** Of a test and of a whole file: what hangs fails, and the rest goes on. */
const TIMEOUT_MS = 900_000

/** Characters that are shown of one failure: its name, its place, what was expected, and the first calls. */
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

/** The status of the runner; 1 when a signal ended it. */
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

/** What failed lies among thousands of lines: it is told once more at the end, and the closing lines after it. */
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
