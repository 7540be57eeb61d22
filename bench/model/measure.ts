// Measures the figures in measured.ts on this machine: `node bench/model/measure.js` after a build. Needs an
// otherwise idle machine and takes a minute and a half. The nodes run in this process; PostgreSQL comes from
// npm (test/helpers).

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Unit } from '../../lib/storage/port.ts'
import { type Commit, type LocalCopy, openLocalCopy } from '../../lib/cluster/local-copy.ts'
import { decodeWrites } from '../../lib/cluster/log-body.ts'
import { openSharedRecords, type SharedRecords } from '../../lib/cluster/replicated-kv.ts'
import { openKnown } from '../../lib/storage/records/known-keys.ts'
import { book, makeBook } from '../../test/helpers/book.ts'
import { query, startPostgres, startPostgresPair } from '../../test/helpers/postgres.ts'

const MS = 1_500
const CALLERS = 64

interface Site {
  readonly url: string
  /** CPU time of all database servers so far, in µs. */
  databaseCpu(): number
}

const directories: string[] = []
let ids = 0

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'cms-model-'))
  directories.push(made)
  return made
}

function open(databaseUrl: string): Promise<SharedRecords> {
  return openSharedRecords({
    databaseUrl,
    directory: directory(),
    onFailure(cause) {
      throw cause
    },
  })
}

function put({ records }: SharedRecords): Promise<void> {
  ids += 1
  const id = ids
  return records.commit((unit: Unit) => {
    unit.put(book, [id], makeBook(id, { title: `t${id}`, pages: id }))
  })
}

/** CPU time of PostgreSQL servers and all their child processes, including ended ones. */
function cpuOf(servers: readonly number[]): number {
  const perTickUs = 10_000
  const fields = (pid: string): readonly string[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    } catch {
      // The process has ended since it was listed; its parent counts its time.
      return []
    }
  }
  const sum = (all: readonly string[], at: readonly number[]): number =>
    at.reduce((total, one) => total + Number(all[one] ?? 0), 0)
  let ticks = 0
  for (const server of servers) {
    ticks += sum(fields(String(server)), [11, 12, 13, 14])
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
    for (const child of children.trim().split(' ')) ticks += sum(fields(child), [11, 12])
  }
  return ticks * perTickUs
}

interface Told {
  readonly site: Site
  readonly nodes: readonly SharedRecords[]
  readonly callers: number
  readonly name: string
  readonly work: (caller: number) => Promise<unknown>
}

/** Runs callers in a closed loop and prints rate, latency and cost. */
async function tell({ site, nodes, callers, name, work }: Told): Promise<void> {
  const [first] = nodes
  if (first === undefined) return
  await first.records.renew()
  const [seq, database, own] = [await headOf(site), site.databaseCpu(), process.cpuUsage()]
  const begun = performance.now()
  const times: number[] = []
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() - begun < MS) {
        const from = performance.now()
        await work(caller)
        times.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(own)
  const commits = (await headOf(site)) - seq
  const asked = times.length
  const sorted = times.toSorted((left, right) => left - right)
  const quantile = (share: number): string => (sorted[Math.floor(asked * share)] ?? 0).toFixed(2)
  console.log(
    [
      name,
      `callers ${callers}, ${Math.round(asked / seconds)}/s`,
      `p50 ${quantile(0.5)} p99 ${quantile(0.99)} ms`,
      `commits ${Math.round(commits / seconds)}/s`,
      `database ${Math.round((site.databaseCpu() - database) / Math.max(commits, 1))} µs/commit`,
      `${((site.databaseCpu() - database) / asked).toFixed(1)} µs/ask`,
      `node ${((user + system) / Math.max(commits, 1)).toFixed(0)} µs/commit`,
      `${((user + system) / asked).toFixed(1)} µs/ask`,
    ].join(' | '),
  )
}

async function headOf({ url }: Site): Promise<number> {
  const [row] = await query(firstHost(url), 'select seq from cms_head')
  return Number(row?.['seq'])
}

/** In a pair, the last host is the primary. */
function firstHost(url: string): string {
  return url.replace(/@[^/]*,/, '@')
}

async function measureCommits(name: string, site: Site): Promise<void> {
  const nodes = await Promise.all(Array.from({ length: 8 }, () => open(site.url)))
  for (const node of nodes) await put(node)
  const [one] = nodes
  if (one === undefined) return
  for (const callers of [1, 1, 4, 16, CALLERS, 256])
    await tell({ site, nodes, callers, name: `${name} commit, one node`, work: () => put(one) })
  for (const count of [2, 4, 8]) {
    const work = (caller: number): Promise<void> => put(nodes[caller % count] ?? one)
    await tell({ site, nodes, callers: CALLERS, name: `${name} commit, ${count} nodes`, work })
  }
  const renew = (caller: number): unknown => nodes[caller % 8]?.records.renew()
  for (const callers of [1, 2, 4, 8, 512])
    await tell({
      site,
      nodes,
      callers,
      name: `${name} renewal, ${Math.min(callers, 8)} nodes`,
      work: async (caller) => renew(caller),
    })
  for (const node of nodes) await node.close()
}

/** Measures how a following node applies commits of other nodes: the newest commits of the log. */
async function measureApply({ url, databaseCpu }: Site): Promise<void> {
  for (const callers of [1, 16]) {
    const node = await open(url)
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (let at = 0; at < 1_600 / callers; at += 1) await put(node)
      }),
    )
    await node.close()
    await tellFetch({ url, databaseCpu })
    const text = 'select seq, op, body from cms_log order by seq desc limit 100'
    const rows = await query(firstHost(url), text)
    const commits = rows.toReversed().map((row) => ({
      seq: Number(row['seq']),
      op: String(row['op']),
      writes: decodeWrites(row['body'] as Buffer),
    }))
    const bytes = rows.reduce((sum, row) => sum + (row['body'] as Buffer).length, 0)
    tellApply(commits, bytes)
  }
}

function tellApply(commits: readonly Commit[], bytes: number): void {
  const known = openKnown()
  const nothing = (): undefined => undefined
  const heard = { onNewer: nothing, onNumbers: nothing }
  const copy: LocalCopy = openLocalCopy({ directory: directory(), known, ...heard })
  const from = (commits[0]?.seq ?? 1) - 1
  const times: number[] = []
  for (let round = 0; round < 20; round += 1) {
    copy.refill().end({ seq: from, op: 'none', epoch: 'none' })
    const begun = process.cpuUsage()
    copy.apply(commits)
    const { user, system } = process.cpuUsage(begun)
    times.push((user + system) / commits.length)
  }
  const [median] = times.toSorted((left, right) => left - right).slice(10)
  const writes = commits.reduce((sum, commit) => sum + commit.writes.length, 0)
  console.log(
    `apply | ${commits.length} commits, ${writes / commits.length} writes and ${bytes / commits.length} bytes each | ${median} µs of processor a commit`,
  )
}

async function tellFetch({ url, databaseCpu }: Site): Promise<void> {
  const text = 'select seq, op, body from cms_log where seq >= 0 order by seq desc limit 100'
  const rounds = 300
  const begun = databaseCpu()
  for (let round = 0; round < rounds; round += 1) await query(firstHost(url), text)
  const rows = (databaseCpu() - begun) / rounds
  const again = databaseCpu()
  for (let round = 0; round < rounds; round += 1) await query(firstHost(url), 'select 1')
  const alone = (databaseCpu() - again) / rounds
  console.log(`fetch | ${(rows - alone) / 100} µs of the database a row`)
}

function pidIn(port: number, pids: readonly string[]): number {
  const found = pids.find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`-p\0${port}`)
    } catch {
      return false
    }
  })
  return Number(found)
}

const pidsNow = (): readonly string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

const alone = await startPostgres()
const server = pidIn(alone.port, pidsNow())
const site = { url: await alone.newSite(), databaseCpu: () => cpuOf([server]) }
await measureApply({ ...site, url: await alone.newSite() })
await measureCommits('one server,', site)
alone.stop()
const pair = await startPostgresPair()
const both = [pair.primary, pair.standby].map(({ port }) => pidIn(port, pidsNow()))
const primaryOnly = both.slice(0, 1)
await measureCommits('with a standby,', {
  url: await pair.newSite(),
  databaseCpu: () => cpuOf(primaryOnly),
})
pair.stop()
for (const made of directories) rmSync(made, { recursive: true, force: true })
process.exit(0)
