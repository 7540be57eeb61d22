// The load of clients while parts of the cluster fail. Each writer has its own objects, so every node
// must return the last acknowledged value from then on.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Doors, readAt, type Reply, settle } from './doors.ts'

export interface Known {
  /** Names of folders by identifier. */
  readonly folders: Map<number, string>
  /** The record whose title is a counter. */
  readonly register: { readonly id: number; count: number }
  /** The file, with the hash of each version from the first version on. */
  readonly file: { readonly id: number; readonly sums: string[] }
}

export interface Load {
  readonly doors: Doors
  readonly known: readonly Known[]
  /** Wrong reads; a single wrong read fails the rig. */
  readonly wrong: string[]
  readonly done: Record<string, number>
  /** The highest value that any client has read of each register. */
  readonly highest: number[]
  /** The number of reads that were compared. */
  reads: number
}

const FOLDERS = '/api/v2/asset_category'
const FILES = '/api/v2/asset_file'
const KEYS = '/api/v2/api_key'
const KIB = 1024
/** Small contents are stored inline in the commit; larger contents are objects in the store. */
const SIZES = [1 * KIB, 6 * KIB, 40 * KIB, 200 * KIB]
const MOST_FOLDERS = 8
const PAUSE_MS = 90

let names = 0

/** Creates objects for the given number of writers. */
export async function openLoad(doors: Doors, writers: number): Promise<Load> {
  const known: Known[] = []
  for (let at = 0; at < writers; at += 1) {
    const { body: folder } = await created(doors, FOLDERS, { name: `own-${at}`, title: '0' })
    const text = `<p>${at}</p>`
    const page = { name: `own-${at}.html`, type: 'html', parent_category_id: 1, pageContent: text }
    const { body: file } = await created(doors, FILES, { ...page, fileState: 'publish' })
    known.push({
      folders: new Map(),
      register: { id: folder.asset_category_id, count: 0 },
      file: { id: file.asset_file_id, sums: [sumOf(text)] },
    })
  }
  return { doors, known, wrong: [], done: {}, highest: known.map(() => 0), reads: 0 }
}

/** Runs until the signal and ends when all begun requests are settled. */
export async function runLoad(load: Load, readers: number, signal: AbortSignal): Promise<void> {
  await Promise.all([
    ...load.known.map((known) => write(load, known, signal)),
    ...Array.from({ length: readers }, () => readOn(load, signal)),
    endKeys(load, signal),
  ])
}

async function write(load: Load, known: Known, signal: AbortSignal): Promise<void> {
  const steps = { create, remove, count, save }
  while (!signal.aborted) {
    const name = load.doors.random.pick(Object.keys(steps)) as keyof typeof steps
    await steps[name](load, known)
    load.done[name] = (load.done[name] ?? 0) + 1
    await sleep(PAUSE_MS)
  }
}

async function create(load: Load, { folders }: Known): Promise<void> {
  names += 1
  const name = `folder-${names}`
  const { body } = await created(load.doors, FOLDERS, { name })
  const id: number = body.asset_category_id
  folders.set(id, name)
  await expectAt(load, `${FOLDERS}/${id}`, ({ status, body: there }) =>
    status === 200 && there.name === name ? undefined : `folder ${id} was created as ${name}`,
  )
}

async function remove(load: Load, { folders }: Known): Promise<void> {
  const [id] = folders.keys()
  if (id === undefined || folders.size < MOST_FOLDERS) return
  const reply = await settle(load.doors, { method: 'DELETE', path: `${FOLDERS}/${id}` })
  if (!isGone(reply)) load.wrong.push(`DELETE of folder ${id}: ${told(reply)}`)
  folders.delete(id)
  await expectAt(load, `${FOLDERS}/${id}`, ({ status }) =>
    status === 404 ? undefined : `folder ${id} was deleted`,
  )
}

/** Increments the register with the ETag of any node as If-Match. */
async function count(load: Load, { register }: Known): Promise<void> {
  const path = `${FOLDERS}/${register.id}`
  const now = await readAt(load.doors.random.pick(load.doors.urls), load.doors.key, path)
  if (typeof now?.etag !== 'string') return
  const json = { title: String(register.count + 1) }
  const headers = { 'if-match': now.etag }
  const reply = await settle(load.doors, { method: 'PATCH', path, json, headers })
  if (reply.status !== 200)
    return void load.wrong.push(`If-Match of what was read last: ${told(reply)}`)
  register.count += 1
  const { count: counted } = register
  await expectAt(load, path, ({ body }) =>
    Number(body?.title) === counted ? undefined : `folder ${register.id} counts ${counted}`,
  )
}

/** Adds a version and publishes it at once. */
async function save(load: Load, { file }: Known): Promise<void> {
  const { random } = load.doors
  const text = `<p>${String(random.next()).repeat(Math.ceil(random.pick(SIZES) / 20))}</p>`
  const path = `${FILES}/${file.id}`
  const json = { pageContent: text, fileState: 'publish' }
  const reply = await settle(load.doors, { method: 'PATCH', path, json })
  if (reply.status !== 200) return void load.wrong.push(`PATCH of a file: ${told(reply)}`)
  file.sums.push(sumOf(text))
  const { length: version } = file.sums
  await expectAt(load, path, ({ body }) =>
    body?.version === version && body.live_version === version
      ? undefined
      : `file ${file.id} has ${version} versions, and the last one is live`,
  )
  await expectAt(load, `${path}/versions/${version}/content`, ({ status, body }) =>
    status === 200 && body === text ? undefined : `version ${version} of file ${file.id}`,
  )
}

/** After a client has read a value, no client may read an older value. */
async function readOn(load: Load, signal: AbortSignal): Promise<void> {
  const { doors, known, highest } = load
  while (!signal.aborted) {
    const at = doors.random.below(known.length)
    const { register } = known[at] as Known
    const least = Math.max(register.count, highest[at] ?? 0)
    const url = doors.random.pick(doors.urls)
    const reply = await readAt(url, doors.key, `${FOLDERS}/${register.id}`)
    if (reply !== undefined) {
      const found = Number(reply.body?.title)
      if (reply.status !== 200 || !(found >= least))
        load.wrong.push(`${url} read ${told(reply)} of folder ${register.id}, after ${least}`)
      highest[at] = Math.max(highest[at] ?? 0, found)
      load.reads += 1
    }
    await sleep(PAUSE_MS / 3)
  }
}

/** Every node must refuse a key as soon as the key was ended. */
async function endKeys(load: Load, signal: AbortSignal): Promise<void> {
  const { doors } = load
  while (!signal.aborted) {
    names += 1
    const { body: made } = await created(doors, KEYS, { name: `key-${names}`, grants: ['view'] })
    for (const url of doors.urls) await readAt(url, made.secret, FOLDERS)
    const path = `${KEYS}/${made.api_key_id}`
    const reply = await settle(doors, { method: 'DELETE', path })
    if (!isGone(reply)) load.wrong.push(`DELETE of a key: ${told(reply)}`)
    for (const url of doors.urls) {
      const after = await ask(url, made.secret, { method: 'GET', path: FOLDERS })
      if (after?.status === 200) load.wrong.push(`${url} let in a key that was ended`)
      else if (after?.status === 401)
        load.done['ended keys refused'] = (load.done['ended keys refused'] ?? 0) + 1
    }
    await sleep(PAUSE_MS * 10)
  }
}

/** Requires a node that answers to return this value now. */
async function expectAt(
  load: Load,
  path: string,
  faultOf: (reply: Reply) => string | undefined,
): Promise<void> {
  const url = load.doors.random.pick(load.doors.urls)
  const reply = await readAt(url, load.doors.key, path)
  if (reply === undefined) return
  load.reads += 1
  const fault = faultOf(reply)
  if (fault !== undefined) load.wrong.push(`${fault}; ${url} reads ${told(reply)}`)
}

async function created(doors: Doors, path: string, json: object): Promise<Reply> {
  const reply = await settle(doors, { method: 'POST', path, json })
  if (reply.status !== 201) throw new Error(`POST ${path}: ${told(reply)}`)
  return reply
}

/**
 * A retry may get 404 because the first attempt was carried out: a DELETE is not stored under its
 * Idempotency-Key.
 */
function isGone({ status }: Reply): boolean {
  return status === 204 || status === 404
}

function told({ status, body }: Reply): string {
  const { name, title, version, live_version: live, code } = typeof body === 'object' ? body : {}
  return `${status} ${JSON.stringify({ name, title, version, live, code })}`
}

export function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A load that runs except while it is halted. */
export interface Running {
  /** Resolves when all begun requests are settled. Throws if a client has failed. */
  halt(): Promise<void>
  goOn(): void
}

export function openRunning(load: Load, readers: number): Running {
  let stop = new AbortController()
  let running: Promise<void> | undefined
  return {
    async halt() {
      stop.abort()
      await running
      running = undefined
    },
    goOn() {
      stop = new AbortController()
      running = runLoad(load, readers, stop.signal)
      // The error is thrown by halt().
      running.catch(() => undefined)
    },
  }
}
