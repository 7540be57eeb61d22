// Two servers are forced onto one data directory, past the lock: the fence in every commit lets
// only one server write. The test removes the lock by hand; in production this takes two containers
// that share a disk.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { markKey } from '../../lib/storage/records/format.ts'
import {
  type ChildServer,
  makeKey,
  requireFailure,
  runCli,
  startChild,
} from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'

after(removeDataDirectories)

const LEASE = markKey('lease')
const PATH = '/api/v2/asset_file'
/** The first file of a new site; the number 1 belongs to the main folder. */
const FILE = `${PATH}/2`

async function startOwner(): Promise<{ dataDir: string; key: string; owner: ChildServer }> {
  const dataDir = newDataDirectory()
  const owner = await startChild(dataDir)
  return { dataDir, key: await makeKey(dataDir), owner }
}

const save = (server: ChildServer, key: string, path: string, json: object) =>
  send(server.url, 'POST', path, { key, json })

const PAGE = { name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: '1' }

/** Asserts that version numbers are unique without gaps, and that records and contents agree. */
async function assertWhole(dataDir: string, server: ChildServer, key: string): Promise<void> {
  const { body } = await send(server.url, 'GET', `${FILE}/versions`, { key })
  const numbers = body.asset_file_version.map((version: any) => version.version)
  assert.deepEqual(
    numbers,
    numbers.map((_: number, at: number) => numbers.length - at),
  )
  assert.equal((await server.kill('SIGTERM')).code, 0)
  assert.equal((await runCli(['check', '--data', dataDir])).code, 0)
}

test('S31: without any lock only one server commits, and the other exits', async (t) => {
  const { dataDir, key, owner } = await startOwner()
  t.after(() => owner.kill('SIGKILL'))
  await save(owner, key, PATH, PAGE)

  // The layers are tested one by one: without the socket, the lease still keeps a second server
  // out.
  rmSync(join(dataDir, 'lock'))
  await assert.rejects(startChild(dataDir), /ended with 75/)
  // The owner is frozen; otherwise its next heartbeat would notice the missing lease.
  process.kill(owner.pid, 'SIGSTOP')
  await tamper(dataDir, (kv) => kv.commit((writer) => writer.remove(LEASE)))
  const second = await startChild(dataDir)
  t.after(() => second.kill('SIGKILL'))

  process.kill(owner.pid, 'SIGCONT')
  const writes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      save(at % 2 === 0 ? owner : second, key, FILE, { pageContent: `${at}` }),
    ),
  )
  const statuses = writes.map((write, at) => {
    const status = write.status === 'fulfilled' ? write.value.status : 'cut off'
    return `${at % 2 === 0 ? 'first' : 'second'}: ${status}`
  })
  assert.deepEqual(
    statuses.filter((line) => line === 'second: 200' || /^first: (503|cut off)$/.test(line)),
    statuses,
  )
  await requireFailure(owner)
  await assertWhole(dataDir, second, key)
})

test('S32: a server that resumes after another took over writes nothing and exits', async (t) => {
  const { dataDir, key, owner } = await startOwner()
  t.after(() => owner.kill('SIGKILL'))
  await save(owner, key, PATH, PAGE)

  process.kill(owner.pid, 'SIGSTOP')
  await assert.rejects(startChild(dataDir), /ended with 75/)
  // Simulates the view from another container: no socket, and an owner process that is not visible.
  rmSync(join(dataDir, 'lock'))
  await tamper(dataDir, (kv) =>
    kv.commit((writer) => {
      const lease: object = JSON.parse(String(writer.get(LEASE)))
      writer.put(LEASE, Buffer.from(JSON.stringify({ ...lease, pidNamespace: 'pid:[1]' })))
    }),
  )
  const second = await startChild(dataDir)
  t.after(() => second.kill('SIGKILL'))
  for (let at = 2; at <= 4; at += 1)
    assert.equal((await save(second, key, FILE, { pageContent: `${at}` })).status, 200)

  process.kill(owner.pid, 'SIGCONT')
  const late = await save(owner, key, FILE, { pageContent: 'late' }).then(
    (answer) => answer.status,
    () => 'cut off',
  )
  assert.ok(late === 503 || late === 'cut off', String(late))
  await requireFailure(owner)
  assert.ok(
    await eventually(
      async () => (await save(second, key, FILE, { pageContent: '5' })).status === 200,
    ),
  )
  assert.equal((await send(second.url, 'GET', FILE, { key })).body.version, 5)
  await assertWhole(dataDir, second, key)
})
