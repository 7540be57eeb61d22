// The worst-case site that restricted keys can build through the interface, up to the limits of the server.

import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { LIMITS } from '../../../lib/config/limits.ts'
import { maxListEntries } from '../../../lib/shared/list-size.ts'
import { makeKey } from '../../helpers/child-server.ts'
import { type Answer, buildForm, type Call } from '../../helpers/server.ts'

/** The number of each kind of object; the server limits some of them. */
export interface Size {
  readonly deep: number
  readonly wide: number
  readonly files: number
  readonly versions: number
  readonly longVersions: number
  readonly groups: number
  readonly groupFiles: number
  readonly modules: number
  readonly columns: number
  readonly entries: number
  readonly events: number
  readonly longTexts: number
  readonly roles: number
  readonly users: number
  readonly keys: number
  readonly pictureSide: number
}

/** The size for `npm test`. */
export const SHORT: Size = {
  deep: 300,
  wide: 300,
  files: 1_000,
  versions: 200,
  longVersions: 20,
  groups: 20,
  groupFiles: 1_000,
  modules: 10,
  columns: 64,
  entries: 400,
  events: 500,
  longTexts: 20,
  roles: 300,
  users: 10,
  keys: 100,
  pictureSide: 1_000,
}

export const FULL: Size = {
  deep: 2_001,
  wide: 20_000,
  files: 10_000,
  versions: 5_000,
  longVersions: 40,
  groups: 1_000,
  groupFiles: 10_000,
  modules: 1_000,
  columns: 256,
  entries: 2_000,
  events: 20_000,
  longTexts: 60,
  roles: 1_000,
  users: 200,
  keys: 450,
  pictureSide: 2_300,
}

export interface Module {
  readonly id: number
  readonly url: string
}

export interface Site {
  readonly size: Size
  /** The secrets of the operator, of the editor of the site, and of a user with roles in many folders. */
  readonly keys: { readonly admin: string; readonly editor: string; readonly roles: string }
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  /** Creates a record as the editor and returns its identifier. */
  readonly make: (object: string, json: object) => Promise<number>
  readonly name: () => string
  readonly deepest: number
  readonly wide: number
  readonly files: readonly number[]
  readonly versioned: number
  readonly longVersioned: number
  /** A file with two versions of 16 MiB of text that differ completely. */
  readonly large: number
  readonly group: number
  readonly tables: readonly Module[]
  readonly table: Module
  readonly filled: Module
  readonly texts: Module
  readonly calendar: Module
  readonly user: number
  readonly key: number
}

const MIB = 1024 * 1024
export const LONG = 'ä'.repeat(120)
export const TEXT = 'Each version has its own description. '.repeat(24_000).slice(0, 900_000)
const AT_ONCE = 16

type Caller = (method: string, path: string, call?: Call) => Promise<Answer>

export function openClient(url: string, key: string): { readonly call: Caller; close(): void } {
  // Idle connections are closed before the server closes them after five seconds.
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, timeout: 3_000 })
  const call: Caller = (method, path, { json, body, headers = {}, key: other } = {}) => {
    const { hostname, port } = new URL(url)
    const bytes = json === undefined ? body : JSON.stringify(json)
    const all = {
      ...(other !== null && { authorization: `Bearer ${other ?? key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      ...headers,
    }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { agent, hostname, port, method, path, headers: all },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const whole = Buffer.concat(chunks)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes: whole,
              get text() {
                return whole.toString()
              },
              get body() {
                return JSON.parse(whole.toString())
              },
            })
          })
        },
      )
      request.on('error', reject)
      request.end(bytes)
    })
  }
  return { call, close: () => agent.destroy() }
}

export interface BuildOptions {
  readonly url: string
  readonly dataDir: string
  readonly size: Size
  readonly onProgress: (line: string) => void
}

export async function buildSite(options: BuildOptions): Promise<Site & { close(): void }> {
  const { url, dataDir, size, onProgress } = options
  const admin = await makeKey(dataDir, ['--name', 'operator'])
  const { call: asAdmin, close } = openClient(url, admin)
  let count = 0
  const name = (): string => `n${(count += 1)}`

  const must = async (answer: Promise<Answer>): Promise<any> => {
    const given = await answer
    assert.ok(given.status < 300, given.text.slice(0, 500))
    return given.status === 204 ? undefined : given.body
  }
  const user = await must(
    asAdmin('POST', '/api/v2/user', { json: { name: 'small', role: 'editor' } }),
  )
  const { secret: editor } = await must(
    asAdmin('POST', '/api/v2/api_key', { json: { name: 'small', user_id: user.user_id } }),
  )
  const call: Caller = (method, path, options) => asAdmin(method, path, { key: editor, ...options })
  const post = (path: string, json: unknown): Promise<any> => must(call('POST', path, { json }))
  const make = async (object: string, json: object): Promise<number> =>
    (await post(`/api/v2/${object}`, json))[`${object}_id`]
  const told = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const started = performance.now()
    const made = await work
    onProgress(`${what}: ${Math.round(performance.now() - started)} ms`)
    return made
  }
  const builder: Builder = { size, call, asAdmin, must, post, make, name, userId: user.user_id }

  const deepest = await told('deep folders', nest(builder))
  const folders = await told('wide folders', widen(builder))
  const files = await told('files', fill(builder, deepest))
  const versioned = await told('versions', version(builder, size.versions, 'short'))
  const longVersioned = await told('long versions', version(builder, size.longVersions, TEXT))
  const large = await told('large texts', largeTexts(builder))
  const group = await told('groups', group_(builder, files))
  const tables = await told('modules', makeTables(builder))
  const table = await told('entries', fillTable(builder, tables[0]))
  const filled = await told('defaults', fillDefaults(builder))
  const texts = await told('long texts', longTexts(builder))
  const calendar = await told('events', makeEvents(builder))
  const roles = await told('roles', makeRoles(builder, folders.ids))
  const key = await told('keys', makeKeys(builder))
  return {
    size,
    keys: { admin, editor, roles },
    call,
    make,
    name,
    deepest,
    wide: folders.parent,
    files,
    versioned,
    longVersioned,
    large,
    group,
    tables,
    table,
    filled,
    texts,
    calendar,
    user: user.user_id,
    key,
    close,
  }
}

interface Builder {
  readonly size: Size
  readonly call: Caller
  readonly asAdmin: Caller
  readonly must: (answer: Promise<Answer>) => Promise<any>
  readonly post: (path: string, json: unknown) => Promise<any>
  readonly make: (object: string, json: object) => Promise<number>
  readonly name: () => string
  /** The user of the editor's key. */
  readonly userId: number
}

/** Makes several objects, some of them concurrently. */
export async function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = next++; index < count; index = next++) made[index] = await make(index)
    }),
  )
  return made
}

/** Folders have long names while the path has room, then shorter names to the full depth. */
async function nest({ size, call }: Builder): Promise<number> {
  let deepest = 1
  for (const name of [LONG, 'x'.repeat(60), 'x']) {
    for (let level = 0; level < size.deep; level++) {
      const json = { name, parent_category_id: deepest }
      const answer = await call('POST', '/api/v2/asset_category', { json })
      if (answer.status !== 201) break
      deepest = answer.body.asset_category_id
    }
  }
  return deepest
}

async function widen({ size, make, name }: Builder) {
  const parent = await make('asset_category', { name: 'wide' })
  const ids = await many(size.wide, () =>
    make('asset_category', { name: name(), parent_category_id: parent }),
  )
  return { parent, ids }
}

async function fill({ size, post, name }: Builder, folderId: number): Promise<number[]> {
  const lists = await many(Math.ceil(size.files / 50), async () => {
    const files = Array.from({ length: 50 }, () => ({
      name: `${LONG.slice(0, 115)}${name()}`,
      type: 'html',
      parent_category_id: folderId,
      pageContent: '<p>\u0001</p>',
    }))
    const made = await post('/api/v2/asset_file', files)
    return made.asset_file.map(({ asset_file_id: id }: { asset_file_id: number }) => id)
  })
  return lists.flat()
}

async function version({ make, name, post }: Builder, count: number, text: string) {
  const file = { name: name(), type: 'html', pageContent: 'x', parent_category_id: 1 }
  const id = await make('asset_file', file)
  for (let at = 0; at < count; at++)
    await post(`/api/v2/asset_file/${id}`, { description: `${at} ${text}` })
  return id
}

/** Saves two versions whose lines all differ, then a text that is longest as JSON. */
async function largeTexts({ call, must, make, name, post }: Builder): Promise<number> {
  const lines = (sign: string): string => `${sign.repeat(31)}\n`.repeat((15 * MIB) / 32)
  const page = { name: name(), type: 'txt', parent_category_id: 1, pageContent: lines('a') }
  const id = await make('asset_file', page)
  await post(`/api/v2/asset_file/${id}`, { pageContent: lines('b') })
  const { contentType, body } = buildForm([
    { name: 'asset_file_id', value: String(id) },
    { name: 'Filedata', fileName: page.name, bytes: Buffer.alloc(16 * MIB, '\u0001') },
  ])
  await must(call('POST', '/upload', { body, headers: { 'content-type': contentType } }))
  return id
}

/** Makes groups that all contain the same files, as many as permitted. */
async function group_({ size, call, make, name }: Builder, files: readonly number[]) {
  let ids = files.slice(0, size.groupFiles)
  const json = { name: name(), asset_file_ids: ids }
  const answer = await call('POST', '/api/v2/file_group', { json })
  if (answer.status !== 201) ids = ids.slice(0, 1_000)
  const groups = await many(size.groups, () =>
    make('file_group', { name: name(), asset_file_ids: ids }),
  )
  return groups[0] ?? 0
}

async function makeTables({ size, post, name }: Builder): Promise<Module[]> {
  return many(size.modules, async () => {
    const columns = Array.from(
      { length: size.columns },
      (_, index) => `${'c'.repeat(50)}${index} C(200)`,
    )
    const json = { name: name(), parent_category_id: 12, table_schema: columns.join(',') }
    const made = await post('/api/v2/datatable', json)
    return { id: made.datatable_id, url: made.module_url }
  })
}

async function fillTable({ size, post }: Builder, table: Module | undefined): Promise<Module> {
  assert.ok(table !== undefined)
  const length = maxListEntries({ fields: size.columns, unique: 0 }, LIMITS)
  for (let at = 0; at < size.entries; at += length) {
    const entries = Array.from({ length }, () =>
      Object.fromEntries(
        Array.from({ length: size.columns }, (_, index) => [
          `${'c'.repeat(50)}${index}`,
          `${at} ${index}`,
        ]),
      ),
    )
    await post(table.url, entries)
  }
  return table
}

async function fillDefaults({ post, name }: Builder): Promise<Module> {
  const json = { name: name(), parent_category_id: 12, table_schema: 'a C(10)' }
  const { datatable_id: id, module_url: url } = await post('/api/v2/datatable', json)
  const list = Array.from({ length: 500 }, (_, index) => ({ a: String(index) }))
  for (let sent = 0; sent < 2; sent += 1) await post(url, list)
  const table_schema = `a C(10), b X DEFAULT '${'d'.repeat(65_000)}'`
  await post(`/api/v2/datatable/${id}`, { table_schema })
  return { id, url }
}

async function longTexts({ size, post, name }: Builder): Promise<Module> {
  const json = { name: name(), parent_category_id: 12, table_schema: 't X, u C(10)' }
  const { datatable_id: id, module_url: url } = await post('/api/v2/datatable', json)
  const t = 'aaaaaaaab'.repeat(100_000)
  await many(size.longTexts, (index) => post(url, { t, u: String(index) }))
  return { id, url }
}

async function makeEvents({ size, post, name }: Builder): Promise<Module> {
  const json = { name: name(), parent_category_id: 12, time_zone: 'Europe/Berlin' }
  const { calendar_id: id, module_url: url } = await post('/api/v2/calendar', json)
  const rrule = 'FREQ=DAILY;BYHOUR=0,2,4,6,8,10,12,14,16,18,20,22;BYMINUTE=0,30'
  for (let at = 0; at < size.events; at += 250) {
    const entries = Array.from({ length: 250 }, (_, index) => ({
      event_title: `${at + index}`,
      start_time: '2020-01-01T00:00:00Z',
      rrule,
    }))
    await post(url, entries)
  }
  return { id, url }
}

async function makeRoles({ size, asAdmin, must, name }: Builder, folders: readonly number[]) {
  const category_roles = folders
    .slice(0, size.roles)
    .map((asset_category_id) => ({ asset_category_id, role: 'editor' }))
  const users = await many(size.users, () =>
    must(
      asAdmin('POST', '/api/v2/user', { json: { name: name(), role: 'viewer', category_roles } }),
    ),
  )
  const json = { name: 'roles', user_id: users[0].user_id }
  const { secret } = await must(asAdmin('POST', '/api/v2/api_key', { json }))
  return secret as string
}

/** A restricted key may make only few keys, so an operator makes the other keys of the user. */
async function makeKeys({ size, asAdmin, must, name, userId }: Builder): Promise<number> {
  const [first] = await many(size.keys, () => {
    const json = { name: name(), grants: ['view'], user_id: userId }
    return must(asAdmin('POST', '/api/v2/api_key', { json }))
  })
  return first.api_key_id
}
