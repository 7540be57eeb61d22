// The primary of the database is killed during moves, and its standby takes over: nothing is lost,
// the source is never changed, and a move either continues or reports what to do. A single failover
// covers all moves, because each move is held at its own point.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { startBreakingS3 } from '../../helpers/breaking-s3.ts'
import {
  type ChildCommand,
  type Ended,
  killChildren,
  runCli,
  startChild,
  startCli,
} from '../../helpers/child-server.ts'
import { settingsOf, variablesOf } from '../../helpers/cluster.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type PostgresPair, query, startPostgresPair } from '../../helpers/postgres.ts'
import { eventually } from '../../helpers/raw.ts'
import { closeTestServers } from '../../helpers/server.ts'
import { copySite } from '../../helpers/site.ts'
import { type Holding, type HoldingOptions, openHolding } from './holding.ts'
import { contentsOf, makeRichSite, type RichSite, rowsInDatabase, rowsOf } from './rich-site.ts'

const store = await startBreakingS3()
const pairs: PostgresPair[] = []
const ways: Holding[] = []
let site: RichSite
let rows: readonly string[]
before(async () => {
  site = await makeRichSite()
  rows = await rowsOf(site.dataDir)
})
after(async () => {
  await killChildren()
  await closeTestServers()
  for (const way of ways) way.close()
  for (const pair of pairs) pair.stop()
  await store.close()
  removeDataDirectories()
})

async function newPair(): Promise<PostgresPair> {
  const pair = await startPostgresPair()
  pairs.push(pair)
  return pair
}

type Direction = 'to cluster' | 'to directory'

interface Move {
  readonly direction: Direction
  readonly place: ClusterSettings
  /** The directory that is moved, or the target of the move. */
  readonly dataDir: string
  readonly command: ChildCommand
  readonly again: () => Promise<Ended>
}

interface Beginning {
  readonly direction: Direction
  readonly place: ClusterSettings
  /** Where the transfer of rows is held; if undefined, the transfer of contents is held. */
  readonly way?: HoldingOptions
}

/** Begins a move and resolves when the move is held. */
async function begin({ direction, place, way }: Beginning): Promise<Move> {
  const dataDir = direction === 'to cluster' ? copySite(site.dataDir) : newDataDirectory()
  const places = direction === 'to cluster' ? [dataDir, 'cluster'] : ['cluster', dataDir]
  const args = ['migrate', '--from', places[0] ?? '', '--to', places[1] ?? '']
  const env = variablesOf(place)
  const holding = way && (await openHolding(way))
  if (holding !== undefined) ways.push(holding)
  const method = direction === 'to cluster' ? 'PUT' : 'GET'
  const when = new RegExp(`^${method} .*${place.store.prefix}[0-9a-f]{2}/\\d+\\.`)
  if (holding === undefined) store.break({ fault: 'held', when })
  const from = store.asked.length
  const isThere = (): boolean =>
    holding?.isHeld() ?? store.asked.slice(from).some((line) => when.test(line))
  const url = place.databaseUrl.replace(`:${way?.port}/`, `:${holding?.port}/`)
  const command = startCli(args, { env: { ...env, DATABASE_URL: url } })
  const ended = command.ended.then(({ code, stderr }) => assert.fail(`${code} ${stderr}`))
  await Promise.race([eventually(isThere), ended])
  ended.catch(() => undefined)
  return { direction, place, dataDir, command, again: () => runCli(args, { env }) }
}

/** The source and the target both have the complete site. */
async function assertWhole({ place, dataDir }: Move, port: number): Promise<void> {
  assert.deepEqual(await rowsInDatabase(urlAt(place, port)), rows)
  assert.deepEqual(await rowsOf(dataDir), rows)
  assert.deepEqual(contentsOf(dataDir), contentsOf(site.dataDir))
}

/** The URL with one server only. */
function urlAt({ databaseUrl }: ClusterSettings, port: number): string {
  return databaseUrl.replace(/@[^/]+\//, `@127.0.0.1:${port}/`)
}

describe('a failover', () => {
  let pair: PostgresPair
  let moves: Readonly<Record<'in rows' | 'in contents' | 'out rows' | 'out contents', Move>>
  let killed: readonly Move[]
  let changed: Move

  async function newPlace(): Promise<ClusterSettings> {
    return settingsOf(await pair.newSite(), store.endpoint)
  }

  async function newFilled(): Promise<ClusterSettings> {
    const place = await newPlace()
    const args = ['migrate', '--from', copySite(site.dataDir), '--to', 'cluster']
    const { code, stderr } = await runCli(args, { env: variablesOf(place) })
    assert.equal(code, 0, stderr)
    return place
  }

  /** Copies the tables and the objects, which is faster than another move. */
  async function copyOf(filled: ClusterSettings): Promise<ClusterSettings> {
    const place = await newPlace()
    const tables = ['format', 'head', 'log', 'kv', 'ids', 'counts', 'rates', 'nodes', 'move']
    const of = /search_path%3D(\w+)/.exec(filled.databaseUrl)?.[1]
    const copies = tables.flatMap((name) => [
      `create table cms_${name} (like ${of}.cms_${name} including all)`,
      `insert into cms_${name} select * from ${of}.cms_${name}`,
    ])
    await query(urlAt(place, pair.primary.port), copies.join(';'))
    const { prefix = '' } = filled.store
    for (const [key, object] of store.objects)
      if (key.startsWith(prefix))
        store.objects.set(key.replace(prefix, place.store.prefix ?? ''), object)
    return place
  }

  before(async () => {
    pair = await newPair()
    const { port } = pair.primary
    // In the middle of the rows, which are hexadecimal in the stream to the client.
    const bytes = rows.join('').length / 2
    const toServer = { port, direction: 'to server', afterBytes: bytes } as const
    const toClient = { port, direction: 'to client', afterBytes: bytes / 2 } as const
    const a = await newFilled()
    const [b, c, d] = [await copyOf(a), await copyOf(a), await copyOf(a)]
    const [inward, outward] = ['to cluster', 'to directory'] as const
    const [inRows, outRows] = [
      await begin({ direction: inward, place: await newPlace(), way: toServer }),
      await begin({ direction: outward, place: a, way: toClient }),
    ]
    // All moves begin at the same time, because a call to the store is held for at most 45 seconds.
    const beginnings = [
      { direction: inward, place: await newPlace() },
      { direction: outward, place: b },
      { direction: inward, place: await newPlace() },
      { direction: outward, place: c },
      { direction: outward, place: d },
    ] as const
    const [inContents, outContents, ...others] = await Promise.all(beginnings.map(begin))
    const [killedIn, killedOut, last] = others
    assert.ok(inContents && outContents && killedIn && killedOut && last)
    moves = {
      'in rows': inRows,
      'in contents': inContents,
      'out rows': outRows,
      'out contents': outContents,
    }
    killed = [killedIn, killedOut]
    changed = last
    for (const { command } of killed) command.signal('SIGKILL')
    changed.command.signal('SIGSTOP')
    await failOver()
    await query(urlAt(d, pair.standby.port), 'update cms_head set seq = seq + 1')
    changed.command.signal('SIGCONT')
  })

  async function failOver(): Promise<void> {
    pair.primary.kill()
    for (const way of ways) way.close()
    await pair.promote()
  }

  test('keeps the site that is being moved locked against changes', async () => {
    const url = urlAt(moves['out contents'].place, pair.standby.port)
    const locking = 'select seq from cms_head for update nowait'
    const isRefused = (): Promise<boolean> =>
      query(url, locking).then(
        () => false,
        (error: { readonly code?: string }) => error.code === '55P03',
      )
    assert.ok(await eventually(isRefused))
  })

  test('ends no move', async () => {
    store.mend()
    for (const [name, move] of Object.entries(moves)) {
      const { code, stdout, stderr } = await move.command.ended
      assert.equal(code, 0, `${name}: ${stderr}`)
      assert.match(stdout, /The migration is complete\.\n$/)
      assert.match(stdout, /^8 contents of \d+ bytes, all read back|^7 contents/m)
      if (name.endsWith('rows')) assert.match(stderr, /The database does not respond/)
      await assertWhole(move, pair.standby.port)
    }
    const env = variablesOf(moves['in rows'].place)
    const node = await startChild(newDataDirectory(), [], { env })
    await node.kill('SIGTERM')
  })

  test('does not prevent resuming a move whose process was killed', async () => {
    for (const move of killed) {
      const { code, stdout, stderr } = await move.again()
      assert.equal(code, 0, stderr)
      assert.match(stdout, /The migration is complete\.\n$/)
      await assertWhole(move, pair.standby.port)
    }
  })

  test('ends the move of a site that was changed before the lock was taken again', async () => {
    const { code, stderr } = await changed.command.ended
    assert.equal(code, 1)
    assert.match(stderr, /was changed during the move\. Run the same command again/)
    assert.equal((await changed.again()).code, 0)
    await assertWhole(changed, pair.standby.port)
  })
})

test('a failover that loses rows ends the move, and the next one brings them', async () => {
  const pair = await newPair()
  const { port } = pair.primary
  const place = settingsOf(await pair.newSite(), store.endpoint)
  const afterBytes = rows.join('').length / 2
  const way = { port, direction: 'to server', afterBytes } as const
  const move = await begin({ direction: 'to cluster', place, way })
  await pair.waitForNone()
  pair.standby.kill()
  const when = new RegExp(`^PUT .*${place.store.prefix}`)
  store.break({ fault: 'held', when })
  const from = store.asked.length
  ways.at(-1)?.letGo()
  assert.ok(await eventually(() => store.asked.slice(from).some((line) => when.test(line))))
  pair.primary.kill()
  await pair.standby.start()
  await pair.promote()
  assert.ok((await rowsInDatabase(urlAt(place, pair.standby.port))).length < rows.length)
  store.mend()

  const { code, stderr } = await move.command.ended
  assert.equal(code, 1)
  assert.match(stderr, /has lost acknowledged writes.*Run the same command again/)
  assert.equal((await move.again()).code, 0)
  await assertWhole(move, pair.standby.port)
})
