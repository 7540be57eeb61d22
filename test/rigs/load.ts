// Clients that write continuously and record the expected state of each file.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../helpers/data-directory.ts'
import { type Answer, buildForm, send } from '../helpers/server.ts'
import { noteWrite, type Trail } from './audit-trail.ts'
import { type Expected, type Known, put, settle } from './known-files.ts'

/** The number of concurrent writers. */
export const CLIENTS = 4

/**
 * Sizes are distributed on a logarithmic scale, so that each storage path is used equally often.
 */
const MIN_BYTES = 512
const MAX_BYTES = 1024 * 1024
const MAX_TEXT = 256 * 1024
const MAX_ROUND_MS = 3_000

export interface Load {
  readonly url: string
  readonly key: string
  readonly known: Known
  /** If given, collects the rows that the audit trail must have. */
  readonly trail?: Trail
  readonly random: () => number
}

/** The loop of a client: each write is recorded before it is sent and when it is acknowledged. */
export async function writeUntilKilled(load: Load): Promise<void> {
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

async function createPage(load: Load): Promise<void> {
  const { url, key, known, random } = load
  const pageContent = randomText(random)
  const json = {
    name: newName(),
    type: 'html',
    parent_category_id: 1,
    pageContent,
    fileState: 'publish',
  }
  const { body } = await acknowledged(
    load,
    201,
    send(url, 'POST', '/api/v2/asset_file', { key, json }),
  )
  const latest = sha256(Buffer.from(pageContent))
  put(known, body.asset_file_id, { latest, version: 1, live: 1 })
}

async function upload(load: Load, id: number | undefined): Promise<void> {
  const { url, key, known, random } = load
  const bytes = randomBytes(randomSize(random, MAX_BYTES))
  const place =
    id === undefined
      ? { name: 'asset_category_id', value: '1' }
      : { name: 'asset_file_id', value: String(id) }
  // The extension .bin does not imply a type, so the upload can replace any file; a file of a text
  // type can also be saved as a page.
  const type = id === undefined ? [{ name: 'type', value: 'txt' }] : []
  const form = buildForm([place, ...type, { name: 'Filedata', fileName: newName('bin'), bytes }])
  const call = { key, body: form.body, headers: { 'content-type': form.contentType } }

  if (id === undefined) {
    const { body } = await acknowledged(load, 201, send(url, 'POST', '/upload', call))
    put(known, body.asset_file_id, { latest: sha256(bytes), version: 1, live: null })
    return
  }
  await change(
    known,
    id,
    (file) => ({ ...file, latest: sha256(bytes), version: file.version + 1 }),
    () => acknowledged(load, 200, send(url, 'POST', '/upload', call)),
  )
}

function update(load: Load, id: number): Promise<void> {
  const { url, key, known, random } = load
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
    acknowledged(load, 200, send(url, 'POST', `/api/v2/asset_file/${id}`, { key, json })),
  )
}

function publish(load: Load, id: number): Promise<void> {
  const { url, key, known } = load
  const file = known.files.get(id)
  // Publishing the live version changes nothing and leaves no row.
  const noted = file?.live === file?.version ? { known } : load
  const call = () =>
    acknowledged(noted, 200, send(url, 'GET', `/api/v2/asset_file/${id}/publish`, { key }))
  return change(known, id, (file) => ({ ...file, live: file.version }), call)
}

function remove(load: Load, id: number): Promise<void> {
  const { url, key, known } = load
  return change(
    known,
    id,
    () => undefined,
    () => acknowledged(load, 204, send(url, 'DELETE', `/api/v2/asset_file/${id}`, { key })),
  )
}

/** Until the answer arrives, the file may have the old or the new state. */
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
  { known, trail }: Pick<Load, 'known' | 'trail'>,
  status: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  const given = await answer
  assert.equal(given.status, status, given.text)
  known.acknowledged += 1
  if (trail !== undefined) noteWrite(trail, given)
  return given
}

export async function untilAcknowledged(known: Known, count: number): Promise<void> {
  const deadline = performance.now() + MAX_ROUND_MS
  while (known.acknowledged < count && performance.now() < deadline) await sleep(2)
}

function randomText(random: () => number): string {
  return randomBytes(randomSize(random, MAX_TEXT) / 2).toString('hex')
}

function randomSize(random: () => number, max: number): number {
  return Math.floor(MIN_BYTES * (max / MIN_BYTES) ** random())
}

let names = 0

function newName(ending = 'html'): string {
  names += 1
  return `file-${names}.${ending}`
}
