// A disk that does not answer: changes end with an error, reads continue, and the server reports
// the cause.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, send } from '../helpers/server.ts'

after(removeDataDirectories)

const ARGS = ['--commit-seconds', '1', '--scrub-days', '0']

interface SlowSite {
  readonly dataDir: string
  readonly child: ChildServer
  readonly create: (name: string) => Promise<Answer>
  readonly find: (name: string) => Promise<number>
  readonly ready: () => Promise<Answer>
}

async function openSlowSite(): Promise<SlowSite> {
  const dataDir = newDataDirectory()
  const child = await startChild(dataDir, ARGS)
  const key = await makeKey(dataDir)
  return {
    dataDir,
    child,
    create: (name) => send(child.url, 'POST', '/api/v2/asset_category', { key, json: { name } }),
    async find(name) {
      const path = `/api/v2/asset_category?qry={"name":"${name}"}`
      const { status, body } = await send(child.url, 'GET', path, { key })
      assert.equal(status, 200)
      return body.asset_category.length
    },
    ready: () => send(child.url, 'GET', '/ready', {}),
  }
}

async function untilReady({ ready }: SlowSite): Promise<void> {
  const deadline = performance.now() + 30_000
  while ((await ready()).status !== 200) {
    assert.ok(performance.now() < deadline, 'the server does not get ready')
    await sleep(50)
  }
}

test('S20: a change that does not start in time is canceled and never made', async () => {
  const site = await openSlowSite()
  const release = await holdWrites(site.dataDir)
  const answer = await site.create('late')
  assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'], answer.text)
  assert.equal(answer.headers['retry-after'], '10')

  const { status, body } = await site.ready()
  assert.deepEqual([status, body.reason], [503, 'storage-slow'])
  assert.equal((await send(site.child.url, 'GET', '/health', {})).status, 200)
  assert.equal(await site.find('late'), 0)

  await release()
  await untilReady(site)
  assert.equal((await site.create('early')).status, 201)
  assert.deepEqual([await site.find('late'), await site.find('early')], [0, 1])
  assert.equal((await site.child.kill('SIGTERM')).code, 0)
})

/**
 * Takes the write lock of LMDB, as a commit that never ends does, and returns a function that
 * releases it.
 */
async function holdWrites(dataDir: string): Promise<() => Promise<void>> {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { open } = require(workerData.lmdb)
    const root = open({ path: workerData.path, maxDbs: 32 })
    root.transactionSync(() => {
      parentPort.postMessage('held')
      Atomics.wait(workerData.gate, 0, 0)
    })
    root.close()`
  const lmdb = new URL('../../../node_modules/lmdb/dist/index.cjs', import.meta.url).pathname
  const workerData = { path: dataPathsOf(dataDir).records, gate, lmdb }
  const worker = new Worker(script, { eval: true, workerData })
  await once(worker, 'message')

  return async () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
    await once(worker, 'exit')
  }
}

describe('a disk with slow syncs', { skip: whyNoTrace() }, () => {
  test('S20: leaves the outcome of a change unknown while reads continue', async () => {
    const site = await openSlowSite()
    const release = await delaySyncs(site.child.pid)
    // A commit that waits behind another commit, for example that of the lease, is canceled; the
    // next commit is not.
    let answer = await site.create('slow')
    while (answer.body.code === 'unavailable') answer = await site.create('slow')
    assert.deepEqual([answer.status, answer.body.code], [503, 'outcome-unknown'], answer.text)
    assert.equal((await site.ready()).body.reason, 'storage-slow')
    assert.equal(await site.find('slow'), 0)

    await release()
    await untilReady(site)
    assert.equal(await site.find('slow'), 1)
    assert.equal((await site.child.kill('SIGTERM')).code, 0)
  })
})

function whyNoTrace(): string | false {
  const { status } = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true'])
  return status === 0 ? false : 'needs strace, and the right to trace'
}

const SYNC_SECONDS = 5

/** Delays every sync by five seconds. */
async function delaySyncs(pid: number): Promise<() => Promise<void>> {
  const inject = `fdatasync:delay_enter=${SYNC_SECONDS * 1_000_000}`
  const args = ['-f', '-p', String(pid), '-e', 'trace=fdatasync', '-e', `inject=${inject}`]
  const strace: ChildProcess = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  // strace prints a line when it has attached to the threads.
  await once(strace.stderr ?? strace, 'data')
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'exit')
  }
}
