// The limits that a scenario is compared with. They run in the same run and take turns with the scenario.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { type Figures, fire, type Load } from './load.ts'
import { memoryOf, startBare } from './processes.ts'
import type { Subject } from './measure.ts'
import { scratchDir } from './scratch.ts'

/**
 * - same-bytes: a bare node:http server that answers the same bytes from memory, with a copy for each address;
 * - lmdb: a bare node:http server that reads the same articles from LMDB and makes the JSON for each answer;
 * - stream: a bare server that streams the same bytes from a file;
 * - read-file: a bare server that reads the same bytes from a file, synchronously into reused memory;
 * - parse-json: a bare server that reads the same bodies, parses them and answers the same bytes;
 * - body-to-disk: a bare server that writes each body to a file with its SHA-256 and syncs it;
 * - raw-files: no server: write, sync, rename, sync of the directory, with the same concurrency;
 * - none: nothing.
 */
export type Limit =
  | 'same-bytes'
  | 'lmdb'
  | 'stream'
  | 'read-file'
  | 'parse-json'
  | 'body-to-disk'
  | 'raw-files'
  | 'none'

export interface LimitInput {
  readonly limit: Limit
  readonly connections: number
  readonly load: Load
  /** Number of articles, for lmdb. */
  readonly entries?: number | undefined
  /** The server whose answers are replayed. */
  readonly url: string
}

/** Requests the target from the real server once, and starts a limit that gives the same answer. */
export async function startLimit(input: LimitInput): Promise<Subject | undefined> {
  const { limit, connections, load } = input
  if (limit === 'none') return undefined
  const dir = scratchDir()
  if (limit === 'raw-files') {
    return {
      fire: async (seconds) => raw('raw-files', [join(dir, 'raw'), connections, seconds]),
      memory: () => undefined,
      stop: async () => undefined,
    }
  }
  const bare = await startBare(await record(input, dir))
  return {
    fire: (seconds) => fire(bare, { load, connections, seconds }),
    memory: () => memoryOf(bare.pid),
    stop: () => bare.stop(),
  }
}

/** Writes the answer to replay to a file and returns the path of the file. */
async function record({ limit, load, url, entries = 0 }: LimitInput, dir: string): Promise<string> {
  const { path, body: sent } = load.target(0)
  const answer = await request(url + path, {
    method: load.method,
    headers: load.headers,
    ...(sent && { body: sent }),
  })
  const body = Buffer.from(await answer.body.arrayBuffer())
  const { statusCode: status } = answer
  if (status >= 300) throw new Error(`${path} answered ${status}: ${body.toString()}`)

  const {
    connection,
    date,
    'keep-alive': alive,
    'content-length': length,
    ...headers
  } = answer.headers
  const bytes = join(dir, 'body')
  const replay = join(dir, 'replay.json')
  writeFileSync(bytes, body)
  writeFileSync(replay, JSON.stringify({ kind: limit, status, headers, path: bytes, dir, entries }))
  return replay
}

/** The writes of one entry scenario, made directly in LMDB. */
export interface Rows {
  readonly kind: 'create' | 'update'
  readonly entries: number
}

export function rawRows({ kind, entries }: Rows, inFlight: number, seconds: number): Figures {
  return raw('raw-rows', [rowsDir(entries), entries, kind, inFlight, seconds])
}

const rowsDirs = new Map<number, string>()

/** The first caller fills the directory. */
function rowsDir(entries: number): string {
  const dir = rowsDirs.get(entries) ?? join(scratchDir(), 'rows')
  rowsDirs.set(entries, dir)
  return dir
}

/** Runs a separate process that needs no server and prints its figures. */
function raw(name: string, args: readonly (string | number)[]): Figures {
  const script = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' }
  const printed = execFileSync(process.execPath, [script, ...args.map(String)], { env }).toString()
  const { perSecond, cpuUs } = JSON.parse(printed) as Pick<Figures, 'perSecond' | 'cpuUs'>
  return { generator: 'none', perSecond, cpuUs, p50: 0, p99: 0, errors: 0 }
}
