// Two versions side by side: the servers of a site are replaced one by one while clients read and
// write, from the older version to the newer version and back. At the end, the answers that clients
// received are compared with the data of every node and with the records.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { faultsAt } from '../../cluster/whole/checks.ts'
import { type Doors, settle } from '../../cluster/whole/doors.ts'
import { follow } from '../../cluster/whole/followers.ts'
import { type Load, openLoad, runLoad } from '../../cluster/whole/load.ts'
import { runCli } from '../../helpers/child-server.ts'
import { settingsOf } from '../../helpers/cluster.ts'
import { startBreakingS3 } from '../../helpers/breaking-s3.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import { openReceiver, type Receiver } from '../../helpers/receiver.ts'
import { openRandom, type Random } from '../random.ts'
import { type Answers, watchAnswers } from './answers.ts'
import { deliveredOnce, heardOnce } from './heard.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { growTrees } from './trees.ts'
import type { Version } from './versions.ts'
import { checkFaults, workLeft } from './what-is-left.ts'

export interface UpgradeOptions {
  readonly from: Version
  readonly to: Version
  readonly seed: number
  readonly nodes: number
  readonly writers: number
  /** How often all nodes change to the newer version and back. */
  readonly rounds: number
  /** The maximum pause between two replacements. */
  readonly pauseMs: number
  readonly onProgress: (line: string) => void
}

export interface UpgradeOutcome {
  readonly replaced: number
  readonly settled: number
  /** The number of settled writes that needed a retry. */
  readonly again: number
  readonly reads: number
  readonly changes: number
  readonly delivered: number
  readonly refusals: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const READERS = 4

export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeOutcome> {
  const home = mkdtempSync(join(tmpdir(), 'cms-upgrade-'))
  const [postgres, store] = await Promise.all([startPostgres({ isFast: true }), startBreakingS3()])
  const site = settingsOf(await postgres.newSite(), store.endpoint)
  const { nodes: count, from: version } = options
  const nodes = await startNodes({ home, site, count, version })
  const answers = watchAnswers(nodes.isLeaving)
  const receiver = await openReceiver()
  try {
    return await run({ home, site, nodes, answers, receiver }, options)
  } finally {
    answers.close()
    await nodes.close()
    await receiver.close()
    postgres.stop()
    await store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Parts {
  readonly home: string
  readonly site: ClusterSettings
  readonly nodes: Nodes
  readonly answers: Answers
  readonly receiver: Receiver
}

async function run(parts: Parts, options: UpgradeOptions): Promise<UpgradeOutcome> {
  const { home, site, nodes, answers, receiver } = parts
  const random = openRandom(options.seed)
  const doors = await openDoors(nodes, random, options.from)
  const load = await openLoad(doors, options.writers)
  await openWebhook(doors, receiver)
  const followers = nodes.urls.map((url) => follow(url, doors.key))
  const stop = new AbortController()
  const running = Promise.all([runLoad(load, READERS, stop.signal), growTrees(doors, stop.signal)])
  // A failure meanwhile is thrown when the promise is awaited.
  running.catch(() => undefined)
  const replaced = await replaceAll(nodes, random, options)
  stop.abort()
  const [, trees] = await running

  const faults = [...trees.faults, ...load.wrong]
  for (const url of nodes.urls) faults.push(...(await faultsAt(load, url)))
  const sequences = await heardOnce(followers, faults)
  const delivered = await deliveredOnce(receiver, sequences, faults)
  faults.push(...(await workLeft(home, site)))
  faults.push(...(await canary(load, nodes)))
  await nodes.close()
  faults.push(...nodes.faults(), ...answers.faults, ...(await checkFaults(site)))
  const { settledAt, again } = doors
  const counts = { replaced, settled: settledAt.length, again, reads: load.reads, delivered }
  return { ...counts, changes: sequences.length, refusals: answers.refusals, faults }
}

/** The running version makes the key, because the command asks the server. */
async function openDoors(nodes: Nodes, random: Random, { bin }: Version): Promise<Doors> {
  const args = ['key', 'create', '--data', nodes.dataDirs[0] ?? '', '--name', 'rig']
  const { code, stdout, stderr } = await runCli(args, { bin })
  if (code !== 0) throw new Error(stderr)
  return { urls: nodes.urls, key: stdout.trim(), random, settledAt: [], again: 0 }
}

async function openWebhook(doors: Doors, { url }: Receiver): Promise<void> {
  const json = { name: 'rig', url }
  const { status } = await settle(doors, { method: 'POST', path: '/api/v2/webhook', json })
  if (status !== 201) throw new Error(`POST of a webhook: ${status}`)
}

/**
 * Replaces all nodes with the newer version, then with the older one, and ends with the newer one.
 * The order is random each time.
 */
async function replaceAll(
  nodes: Nodes,
  random: Random,
  { from, to, rounds, pauseMs, onProgress }: UpgradeOptions,
): Promise<number> {
  let replaced = 0
  for (let round = 0; round <= rounds; round += 1)
    for (const version of round < rounds ? [to, from] : [to])
      for (const at of shuffled(nodes.urls.length, random)) {
        await sleep(random.below(pauseMs))
        const begun = performance.now()
        await nodes.replace(at, version)
        replaced += 1
        const took = `${Math.round(performance.now() - begun)} ms`
        onProgress(`${new Date().toISOString()} ${nodes.urls[at]} is ${version.name}, ${took}`)
      }
  await sleep(pauseMs)
  onProgress(`${new Date().toISOString()} all is replaced`)
  return replaced
}

function shuffled(count: number, random: Random): readonly number[] {
  const keyed = Array.from({ length: count }, (_, at) => ({ at, order: random.next() }))
  return keyed.toSorted((one, other) => one.order - other.order).map(({ at }) => at)
}

/** Verifies that each node's comparison detects a change that the writers did not make. */
async function canary(load: Load, { urls }: Nodes): Promise<readonly string[]> {
  const [id] = load.known.flatMap(({ folders }) => [...folders.keys()])
  if (id === undefined) return ['the writers made no folders']
  const path = `/api/v2/asset_category/${id}`
  const { status } = await settle(load.doors, { method: 'DELETE', path })
  if (status !== 204) return [`DELETE of folder ${id}: ${status}`]
  const missed = await Promise.all(urls.map((url) => faultsAt(load, url)))
  return missed.flatMap(({ length }, at) =>
    length === 1 ? [] : [`${urls[at]} does not miss what was deleted: ${length}`],
  )
}
