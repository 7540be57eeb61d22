// A server that is killed at random moments while several clients write. Whatever it acknowledged must
// be there when it starts again, to the byte; what it did not may be there or not, but never in part.
// CMS_RIG_ROUNDS is the number of kills; CMS_RIG_SEED repeats the plan of a run.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import {
  untilContents,
  newDataDirectory,
  removeDataDirectories,
  sha256,
} from '../helpers/data-directory.ts'
import { type Answer, buildForm, send } from '../helpers/server.ts'
import { compareTrail, newTrail, noteWrite, type Trail } from './audit-trail.ts'
import { type Expected, type Known, newKnown, settle } from './known-files.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? 5)
const SEED = Number(process.env['CMS_RIG_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 4
const MAX_BYTES = 2 * 1024 * 1024
const MAX_ROUND_MS = 3_000

after(removeDataDirectories)

test(`nothing acknowledged is lost in ${ROUNDS} kills (CMS_RIG_SEED=${SEED})`, async (t) => {
  const dataDir = newDataDirectory()
  const random = randomNumbers(SEED)
  const known = newKnown()
  const trail = newTrail()
  let server = await startChild(dataDir, ['--log-level', 'error'])
  t.after(() => server.kill('SIGKILL'))
  const key = await makeKey(dataDir)

  for (let round = 1; round <= ROUNDS; round++) {
    const load = Array.from({ length: CLIENTS }, () =>
      writeUntilKilled({ url: server.url, key, known, trail, random }),
    )
    await untilAcknowledged(known, known.acknowledged + 5 + random() * 60)
    await sleep(random() * 20)
    await server.kill('SIGKILL')
    await Promise.all(load)

    server = await startChild(dataDir, ['--log-level', 'error'])
    await compare(server, key, known, dataDir)
    await compareTrail(trail, { url: server.url, key, known, clients: CLIENTS })
  }

  t.diagnostic(`${known.acknowledged} writes were acknowledged, ${known.files.size} files are left`)
  assert.ok(known.acknowledged >= ROUNDS)
  assert.equal((await server.kill('SIGTERM')).code, 0)
  const check = await runCli(['check', '--data', dataDir])
  assert.match(check.stdout, /\nAll is well\.\n$/)
})

for (const path of ['lock', '.quarantine', 'ff', 'records/data.mdb', 'instance.json']) {
  test(`a first start that is killed once there is ${path} can be started again`, async () => {
    const dataDir = newDataDirectory()
    const killed = startChild(dataDir, ['--log-level', 'silent'], { killAt: join(dataDir, path) })
    await assert.rejects(killed, /ended with SIGKILL/)

    const server = await startChild(dataDir)
    assert.equal((await send(server.url, 'GET', '/ready', {})).status, 200)
    assert.equal((await server.kill('SIGTERM')).code, 0)
  })
}

interface Load {
  readonly url: string
  readonly key: string
  readonly known: Known
  readonly trail: Trail
  readonly random: () => number
}

/** One client: a write after the other, each noted before it is sent and when it is acknowledged. */
async function writeUntilKilled(load: Load): Promise<void> {
  try {
    for (;;) await writeOnce(load)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)) throw error
  }
}

function writeOnce(load: Load): Promise<void> {
  const { known, random } = load
  const free = [...known.files.keys()].filter((id) => !known.busy.has(id))
  const id = free[Math.floor(random() * free.length)]
  const choice = random()
  if (id === undefined || choice < 0.2) return createPage(load)
  if (choice < 0.4) return upload(load, undefined)
  if (choice < 0.55) return upload(load, id)
  if (choice < 0.75) return update(load, id)
  return choice < 0.9 ? publish(load, id) : remove(load, id)
}

async function createPage({ url, key, known, trail, random }: Load): Promise<void> {
  const pageContent = randomText(random)
  const json = {
    name: newName(),
    type: 'html',
    parent_category_id: 1,
    pageContent,
    fileState: 'publish',
  }
  const { body } = await acknowledged(
    { known, trail },
    201,
    send(url, 'POST', '/api/v2/asset_file', { key, json }),
  )
  known.files.set(body.asset_file_id, {
    latest: sha256(Buffer.from(pageContent)),
    version: 1,
    live: 1,
  })
}

async function upload(
  { url, key, known, trail, random }: Load,
  id: number | undefined,
): Promise<void> {
  const bytes = randomBytes(Math.floor(1_024 + random() ** 3 * (MAX_BYTES - 1_024)))
  const place =
    id === undefined
      ? { name: 'asset_category_id', value: '1' }
      : { name: 'asset_file_id', value: String(id) }
  const form = buildForm([place, { name: 'Filedata', fileName: newName('bin'), bytes }])
  const call = { key, body: form.body, headers: { 'content-type': form.contentType } }

  if (id === undefined) {
    const { body } = await acknowledged({ known, trail }, 201, send(url, 'POST', '/upload', call))
    known.files.set(body.asset_file_id, { latest: sha256(bytes), version: 1, live: null })
    return
  }
  await change(
    known,
    id,
    (file) => ({ ...file, latest: sha256(bytes), version: file.version + 1 }),
    () => acknowledged({ known, trail }, 200, send(url, 'POST', '/upload', call)),
  )
}

function update({ url, key, known, trail, random }: Load, id: number): Promise<void> {
  const pageContent = randomText(random)
  const isPublished = random() < 0.5
  const json = { pageContent, ...(isPublished && { fileState: 'publish' }) }
  const next = (file: Expected): Expected => {
    const version = file.version + 1
    return {
      latest: sha256(Buffer.from(pageContent)),
      version,
      live: isPublished ? version : file.live,
    }
  }
  return change(known, id, next, () =>
    acknowledged(
      { known, trail },
      200,
      send(url, 'POST', `/api/v2/asset_file/${id}`, { key, json }),
    ),
  )
}

function publish({ url, key, known, trail }: Load, id: number): Promise<void> {
  const file = known.files.get(id)
  // What is live already changes nothing.
  const noted = file?.live === file?.version ? undefined : trail
  const call = () =>
    acknowledged(
      { known, trail: noted },
      200,
      send(url, 'GET', `/api/v2/asset_file/${id}/publish`, { key }),
    )
  return change(known, id, (file) => ({ ...file, live: file.version }), call)
}

function remove({ url, key, known, trail }: Load, id: number): Promise<void> {
  return change(
    known,
    id,
    () => undefined,
    () =>
      acknowledged({ known, trail }, 204, send(url, 'DELETE', `/api/v2/asset_file/${id}`, { key })),
  )
}

/** Until the answer comes, the file may be as before or as after. */
async function change(
  known: Known,
  id: number,
  next: (file: Expected) => Expected | undefined,
  call: () => Promise<unknown>,
): Promise<void> {
  const before = known.files.get(id)
  if (before === undefined) return
  known.busy.set(id, next(before))
  await call()
  settle(known, id)
}

async function acknowledged(
  { known, trail }: { readonly known: Known; readonly trail: Trail | undefined },
  status: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  const given = await answer
  assert.equal(given.status, status, given.text)
  known.acknowledged += 1
  if (trail !== undefined) noteWrite(trail, given)
  return given
}

async function untilAcknowledged(known: Known, count: number): Promise<void> {
  const deadline = performance.now() + MAX_ROUND_MS
  while (known.acknowledged < count && performance.now() < deadline) await sleep(2)
}

/** Compares every file with what is known of it; a write that was cut off is settled by what is found. */
async function compare(
  server: ChildServer,
  key: string,
  known: Known,
  dataDir: string,
): Promise<void> {
  for (const [id, before] of [...known.files]) {
    const after = known.busy.get(id)
    const isCut = known.busy.has(id)
    const found = await find(server.url, key, id)
    const isAllowed = same(found, before) || (isCut && same(found, after))
    assert.ok(
      isAllowed,
      `asset_file ${id} is ${JSON.stringify(found)}, not ${JSON.stringify({ before, after, isCut })}`,
    )
    known.busy.set(id, found)
    settle(known, id)
  }
  await adoptOthers(server.url, key, known)
  const versions = [...known.files.values()].reduce((sum, file) => sum + file.version, 0)
  await untilContents(dataDir, versions)
}

/** Files whose creation was cut off: whole, or not there. */
async function adoptOthers(url: string, key: string, known: Known): Promise<void> {
  const { body } = await send(
    url,
    'GET',
    '/api/v2/asset_file?length=1000&orderStr=asset_file_id&orderDir=DESC&fields=asset_file_id',
    { key },
  )
  const others = body.asset_file
    .map((file: any) => file.asset_file_id)
    .filter((id: number) => !known.files.has(id))
  assert.ok(others.length <= CLIENTS)
  for (const id of others) {
    const found = await find(url, key, id)
    if (found !== undefined) known.files.set(id, found)
  }
}

/** What the server holds: the hash of the bytes themselves, of the latest version and of the live one. */
async function find(url: string, key: string, id: number): Promise<Expected | undefined> {
  const { status, body } = await send(
    url,
    'GET',
    `/api/v2/asset_file/${id}?fields=version,live_version,sha256,url`,
    { key },
  )
  if (status === 404) return undefined
  const latest = await send(
    url,
    'GET',
    `/api/v2/asset_file/${id}/versions/${body.version}/content`,
    { key },
  )
  assert.deepEqual([latest.status, sha256(latest.bytes)], [200, body.sha256])
  assert.equal(
    (await send(url, 'GET', body.url, { key })).status,
    body.live_version === null ? 404 : 200,
  )
  return { latest: body.sha256, version: body.version, live: body.live_version }
}

function same(left: Expected | undefined, right: Expected | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

function randomText(random: () => number): string {
  return randomBytes(Math.floor(512 + random() ** 3 * 50_000)).toString('hex')
}

let names = 0

function newName(ending = 'html'): string {
  names += 1
  return `file-${names}.${ending}`
}

/** mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
