// Kills parts of a real store while a node writes and another node reads. Every acknowledged
// content must be readable afterwards, byte for byte, by another node and by an independent client.
// CMS_RIG_ROUNDS is the number of rounds; each round has every fault.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../../lib/base/errors.ts'
import { newUid } from '../../lib/storage/embedded/data-paths.ts'
import type { Sealed } from '../../lib/storage/port.ts'
import { INLINE_ROWS } from '../../lib/storage/records/inline-contents.ts'
import { openPool } from '../../lib/workers/pool.ts'
import { sha256 } from '../helpers/data-directory.ts'
import { readAll } from '../helpers/read-all.ts'
import { CACHE_BYTES, type Node, openNode } from '../storage/distributed/open-cluster.ts'
import { openPlain } from './plain-s3.ts'
import { NO_STORE, REAL_STORE, settingsOf } from './real-store.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? 2)
const WRITERS = 6
const KIB = 1024
const SIZES = [3 * KIB, 100 * KIB, 300 * KIB, 2_000 * KIB, 9_000 * KIB]
const PAGE = { fileId: 7, type: 'bin' }
const TIMES = { connectMs: 500, attemptMs: 6_000, callMs: 20_000 }
const FAULT_MS = 5_000

/** The command of each fault, and the affected parts. */
const FAULTS: readonly (readonly [string, readonly string[]])[] = [
  ['kill', ['osd.0']],
  ['kill', ['rgw.1']],
  ['pause', ['osd.1']],
  ['pause', ['rgw.2']],
  ['kill', ['osd.2', 'rgw.1']],
]

interface Written {
  readonly sealed: Sealed
  readonly atMs: number
}

const pool = openPool(2)
after(() => pool.close())

const store = REAL_STORE
const script = store?.script
if (store === undefined || script === undefined)
  test('contents while a store fails', { skip: NO_STORE || 'its parts are not killed' }, () => {})
else
  test('contents while a store fails', { timeout: 400_000 }, async (t) => {
    const door = await openDoor(store.gateways)
    t.after(door.close)
    const prefix = `kills-${newUid()}/`
    const settings = { ...settingsOf(store), endpoint: door.url, prefix, cacheBytes: CACHE_BYTES }
    const [first, second] = [
      await openNode({ settings, pool, times: TIMES }),
      await openNode({ settings, pool, times: TIMES }),
    ]
    const written: Written[] = []
    const refused: string[] = []
    const stop = new AbortController()
    const load = Promise.all([
      ...Array.from({ length: WRITERS }, () => write({ node: first, written, refused, stop })),
      readOn({ node: second, written, refused, stop }),
    ])

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [fault, parts] of FAULTS) {
        await sleep(2_000)
        for (const part of parts) tell(script, fault, part)
        await sleep(FAULT_MS)
        for (const part of parts) tell(script, fault === 'kill' ? 'start' : 'resume', part)
      }
    }
    await sleep(3_000)
    stop.abort()
    await load
    await first.close()
    assert.equal(first.kv.count(INLINE_ROWS), 0)

    const lost = await findLost(written, { prefix, settings })
    const faults = ROUNDS * FAULTS.length
    t.diagnostic(
      `${faults} faults, ${written.length} acknowledged, ${refused.length} refused, longest gap ${longestGap(written)} ms, lost ${lost.length}`,
    )
    assert.deepEqual(lost, [])
    assert.deepEqual(
      [...new Set(refused)].filter((code) => code !== 'unavailable'),
      [],
    )
    assert.ok(written.length > 100)
    await second.close()
  })

interface Load {
  readonly node: Node
  readonly written: Written[]
  readonly refused: string[]
  readonly stop: AbortController
}

async function write({ node, written, refused, stop }: Load): Promise<void> {
  while (!stop.signal.aborted) {
    const bytes = randomBytes(SIZES[randomInt(SIZES.length)] ?? 0)
    try {
      const received = await node.contents.receive(Readable.from([bytes]), { maxBytes: 2 ** 30 })
      const sealed = await received.seal(PAGE)
      await node.commit(sealed)
      written.push({ sealed, atMs: Date.now() })
    } catch (error) {
      refused.push(codeOf(error))
    }
    await sleep(20)
  }
}

/**
 * A content that is not stored inline in its commit must be readable on the other node at once, or be
 * reported as unavailable.
 */
async function readOn({ node, written, refused, stop }: Load): Promise<void> {
  while (!stop.signal.aborted) {
    await sleep(20)
    const { sealed } = written[randomInt(Math.max(written.length, 1))] ?? {}
    if (sealed === undefined || sealed.inline !== undefined) continue
    try {
      const read = await readFrom(node, sealed)
      assert.equal(read, sealed.sha256)
    } catch (error) {
      refused.push(codeOf(error))
    }
  }
}

async function readFrom({ contents }: Node, { uid }: Sealed): Promise<string | undefined> {
  const opened = await contents.open({ fileId: 7, uid })
  return opened && sha256(await readAll(opened.chunks()))
}

/** Finds acknowledged contents that a node without a cache or an independent client cannot read. */
async function findLost(
  written: readonly Written[],
  {
    prefix,
    settings,
  }: { readonly prefix: string; readonly settings: Parameters<typeof openNode>[0]['settings'] },
): Promise<readonly string[]> {
  assert.ok(store)
  const node = await openNode({ settings, pool })
  const plain = openPlain(store)
  const lost: string[] = []
  for (const { sealed } of written) {
    const { uid, sha256: expected } = sealed
    const there = await plain.read(`${prefix}${uid.slice(0, 2)}/7.${uid}`).catch(() => Buffer.of())
    if (sha256(there) !== expected) lost.push(`${uid} is wrong in the store`)
    if ((await readFrom(node, sealed)) !== expected) lost.push(`${uid} is wrong for another node`)
  }
  await node.close()
  return lost
}

function longestGap(written: readonly Written[]): number {
  return written.reduce(
    (most, { atMs }, at) => Math.max(most, atMs - (written[at - 1]?.atMs ?? atMs)),
    0,
  )
}

function codeOf(error: unknown): string {
  return error instanceof CmsError ? error.code : String(error)
}

function tell(path: string, what: string, part: string): void {
  const { status, stderr } = spawnSync('bash', [path, what, part])
  assert.equal(status, 0, String(stderr))
}

/** The load balancer of a cluster: each connection goes to the next gateway that accepts it. */
async function openDoor(gateways: readonly string[]) {
  let turn = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    void (async () => {
      for (let tried = 0; tried < gateways.length; tried += 1) {
        const gateway = await reach(gateways[turn++ % gateways.length] ?? '')
        if (gateway === undefined) continue
        for (const socket of [client, gateway]) sockets.add(socket.on('error', () => undefined))
        client.pipe(gateway).on('close', () => client.destroy())
        gateway.pipe(client).on('close', () => gateway.destroy())
        return
      }
      client.destroy()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function reach(url: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}
