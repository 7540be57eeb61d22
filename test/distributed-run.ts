// npm run test:distributed: the tests of the endpoints on servers that keep records in a PostgreSQL from npm
// and contents in a stand-in for S3. Arguments select files whose paths contain one of the words, as with npm
// test. The run proves nothing about real stores; npm run test:cluster covers them. With --nodes 2, each
// server is two nodes, which receive the requests alternately.
//
// The run includes the files in FOLDERS that call startTestServer(), directly or through an import. Other
// files do not depend on the engine. The folders storage, processes, cli, packaging and rigs test one engine
// or one process, and cover both engines where necessary; RIGS names the exceptions. The folder admin runs a browser,
// which only sees answers. Tests of docs that run a browser or another program are left out for the same reason. Within a
// file, oneServer() (helpers/engine.ts) skips features of a single server, with a reason.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { startBreakingS3 } from './helpers/breaking-s3.ts'
import { startPostgres } from './helpers/postgres.ts'
import { takeNodes } from './helpers/node-pair.ts'

const FOLDERS = ['api', 'auth', 'docs', 'e2e', 'http', 'live-tree']
/** Rigs that start their servers like the other tests. */
const RIGS = ['rigs/references.test.js']
const STARTS = /^import \{[^}]*\bstartTestServer\b/m
const SHOWS = /helpers\/(?:browser|generators|redocly)\.js'/

/** Minimum for a run of all files, as in run.ts. */
const LEAST_TESTS = 3_000

const root = import.meta.dirname
const { nodes, words } = takeNodes(process.argv.slice(2))
const known = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .toSorted()
const starting = known.filter((path) => reaches(join(root, path), STARTS))
const belonging = starting.filter(belongs)
const chosen = belonging.filter(
  (path) => words.length === 0 || words.some((word) => path.includes(word)),
)
if (chosen.length === 0) {
  console.error('No test file that is run on several servers has such a path.')
  process.exit(1)
}

const postgres = await startPostgres({ isFast: true })
const store = await startBreakingS3()
try {
  const engine = { databaseUrl: postgres.url('public'), endpoint: store.endpoint, nodes }
  const told = await runFiles(engine)
  tellSkipped(told.skipped)
  tellLeftOut()
  process.exitCode = statusOf(told)
} finally {
  postgres.stop()
  await store.close()
}

interface Told {
  readonly status: number
  readonly tests: number
  /** Number of skipped tests by reason. */
  readonly skipped: ReadonlyMap<string, number>
}

async function runFiles(engine: object): Promise<Told> {
  const env = { ...process.env, CMS_TEST_ENGINE: JSON.stringify(engine) }
  const args = [join(root, 'run.js'), ...chosen]
  const child = spawn(process.execPath, args, { env, stdio: ['inherit', 'pipe', 'inherit'] })
  const ended = once(child, 'exit') as Promise<[number | null]>
  // A signal to this process ends the tests; the database stops after them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => child.kill(signal))

  let tests = 0
  const skipped = new Map<string, number>()
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    const reason = / # SKIP (.+)$/.exec(line)?.[1]
    if (reason !== undefined) countUp(skipped, reason)
    tests = Number(/^# tests (\d+)$/.exec(line)?.[1] ?? tests)
  }
  const [status] = await ended
  return { status: status ?? 1, tests, skipped }
}

function statusOf({ status, tests }: Told): number {
  if (status !== 0 || words.length > 0 || tests >= LEAST_TESTS) return status
  console.error(`Only ${tests} tests ran; there are at least ${LEAST_TESTS}.`)
  return 1
}

function tellSkipped(skipped: Told['skipped']): void {
  for (const [reason, count] of skipped)
    console.log(`# left out: ${count} tests or suites of them: ${reason}`)
}

function tellLeftOut(): void {
  const others = starting.filter((path) => !belongs(path))
  const counts = new Map<string, number>()
  for (const path of others) countUp(counts, folderOf(path))
  const places = [...counts].map(([folder, count]) => `${count} of ${folder}`).join(', ')
  console.log(`# files run: ${chosen.length} of ${belonging.length}, in ${FOLDERS.join(', ')}`)
  console.log(`# files left out: ${known.length - starting.length} that start no server; ${places}`)
}

function countUp(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function belongs(path: string): boolean {
  const folder = folderOf(path)
  if (folder === 'docs' && reaches(join(root, path), SHOWS)) return false
  return FOLDERS.includes(folder) || RIGS.includes(path)
}

/** Whether the file, or a test or helper that it imports, matches. */
function reaches(path: string, wanted: RegExp, seen = new Set<string>()): boolean {
  if (seen.has(path) || !path.startsWith(root) || !existsSync(path)) return false
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  if (wanted.test(text)) return true
  return [...text.matchAll(/ from '(\.[^']+)'/g)].some(([, name = '']) =>
    reaches(join(dirname(path), name), wanted, seen),
  )
}
