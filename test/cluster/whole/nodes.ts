// Three servers of one site, each with its own directory, the third on a small disk, behind nginx
// as in docs/cluster.md. A node that ends by itself is counted and started again, as its service
// would do. Each node has its own group, so that its network traffic can be cut off separately.

import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { type ChildServer, startChild } from '../../helpers/child-server.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { documentedIn, freePort, type Nginx, runNginx } from '../../helpers/nginx.ts'

export interface Nodes {
  readonly balancer: string
  readonly urls: readonly string[]
  readonly dataDirs: readonly string[]
  /** The small disk of the third node, mounted with a limited size. */
  readonly smallDisk: string
  kill(at: number): Promise<void>
  /**
   * Starts a node at its previous port. With a clock file the node uses that clock: `+3600` in the
   * file is an hour ahead.
   */
  start(at: number, clock?: string): Promise<void>
  signal(at: number, name: NodeJS.Signals): void
  reload(): void
  /** Resolves when each node reports that it is ready. */
  untilReady(): Promise<void>
  /** The last words of nodes that ended although the rig did not end them. */
  readonly ended: readonly string[]
  close(): Promise<void>
}

const COUNT = 3
const SMALL_DISK = '2g'
const READY_MS = 120_000
/** The restart delay of systemd (packaging/cms-server.service). */
const AGAIN_MS = 2_000
const LAST_WORDS = 1_500
const TELL_EVERY_MS = 1_000
/** The group of the first node; the other nodes have the next numbers. */
const GROUP = 64_810
const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const FAKETIME = `/usr/lib/${MACHINE}-linux-gnu/faketime/libfaketime.so.1`

interface NodesOptions {
  /** The parent of the data directories. */
  readonly home: string
  /** The directory of the log files; each node appends to its own file. */
  readonly out: string
  readonly site: ClusterSettings
  /** The gateways of the store, one for each node. */
  readonly gateways: readonly string[]
}

export async function startNodes({ home, out, site, gateways }: NodesOptions): Promise<Nodes> {
  const smallDisk = join(home, 'small-disk')
  mkdirSync(smallDisk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', smallDisk])
  const unmount = (): unknown => spawnSync('umount', ['-l', smallDisk], { stdio: 'ignore' })
  process.once('exit', unmount)
  const ports: number[] = []
  for (let at = 0; at < COUNT; at += 1) ports.push(await freePort())
  const dataDirs = ports.map((_, at) => join(at === COUNT - 1 ? smallDisk : home, `node-${at}`))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const ended: string[] = []
  const runs = ports.map((port, at) =>
    openRun({
      env: variablesAt(site, gateways[at % gateways.length] ?? ''),
      dataDir: dataDirs[at] ?? '',
      port,
      group: groupOf(at),
      out: join(out, `node-${at}.log`),
      onEnd: (words) => void ended.push(`node ${at} ended by itself: ${words}`),
    }),
  )
  const runAt = (at: number): Run => runs[at] as Run

  // The first node creates the tables.
  for (const run of runs) await run.start()
  const nginx = await startBalancer(urls)
  return {
    balancer: nginx.url,
    urls,
    dataDirs,
    smallDisk,
    ended,
    kill: (at) => runAt(at).end('SIGKILL'),
    start: (at, clock) => runAt(at).start(clock),
    signal: (at, name) => runAt(at).signal(name),
    reload: () => nginx.reload(),
    untilReady: () => untilReady(urls),
    async close() {
      await nginx.close()
      for (const run of runs) await run.end('SIGTERM')
      unmount()
    },
  }
}

function variablesAt({ store, ...site }: ClusterSettings, endpoint: string) {
  return { ...variablesOf({ ...site, store: { ...store, endpoint } }), S3_FORCE_PATH_STYLE: 'true' }
}

/** The group of the process of a node, by which a firewall recognizes its packets. */
export function groupOf(at: number): number {
  return GROUP + at
}

interface Run {
  start(clock?: string): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
  signal(name: NodeJS.Signals): void
}

interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
  readonly port: number
  readonly group: number
  /** The file to which the output of the node is appended. */
  readonly out: string
  /** Called when the node has ended by itself and before it is started again. */
  readonly onEnd: (words: string) => void
}

function openRun({ env, dataDir, port, group, out, onEnd }: RunOptions): Run {
  const args = ['--port', String(port), '--log-level', 'warn', '--content-cache-mb', '256']
  const through = ['setpriv', `--regid=${group}`, '--clear-groups']
  let server: ChildServer | undefined
  let starting: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined

  function start(clock?: string): Promise<void> {
    const started = startNow(clock)
    starting = started.catch(() => undefined)
    return started
  }

  async function startNow(clock?: string): Promise<void> {
    const own = await startChild(dataDir, args, { through, env: { ...env, ...byClock(clock) } })
    server = own
    const told = tellInto(out, own)
    void own.ended.then(({ code, signal, stderr }) => {
      const words = `${code ?? signal} ${stderr.slice(-LAST_WORDS)}`
      told.end(words)
      if (server !== own) return
      onEnd(words)
      again(clock)
    })
  }

  /** A node that cannot write anything also ends at its start. */
  function again(clock?: string): void {
    timer = setTimeout(() => void start(clock).catch(() => again(clock)), AGAIN_MS)
  }

  return {
    start,
    async end(signal) {
      clearTimeout(timer)
      await starting
      clearTimeout(timer)
      const own = server
      server = undefined
      await own?.kill(signal)
    },
    signal: (name) => void process.kill(server?.pid ?? Number.NaN, name),
  }
}

/** Writes the output at once, because a run of the rig may be interrupted. */
function tellInto(path: string, server: ChildServer): { end(words: string): void } {
  let length = 0
  const tell = (): void => {
    const said = server.stderr()
    if (said.length > length) appendFileSync(path, said.slice(length))
    length = said.length
  }
  appendFileSync(path, `${new Date().toISOString()} process ${server.pid} begins\n`)
  const timer = setInterval(tell, TELL_EVERY_MS).unref()
  return {
    end(words) {
      clearInterval(timer)
      tell()
      appendFileSync(path, `${new Date().toISOString()} process ${server.pid} ended: ${words}\n`)
    },
  }
}

/** Changes only the wall clock; the monotonic clock of the machine is unaffected. */
function byClock(file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

async function startBalancer(urls: readonly string[]): Promise<Nginx> {
  const port = await freePort()
  const upstream = documentedIn('cluster.md', 'upstream cms {').replaceAll(
    /server 10\.0\.0\.1(\d):8080/g,
    (_, digit) => `server ${new URL(urls[Number(digit) - 1] ?? '').host}`,
  )
  const location = documentedIn('cluster.md', 'proxy_next_upstream error')
  const lines = `proxy_pass http://cms; proxy_http_version 1.1; proxy_set_header Connection "";
client_max_body_size 0; proxy_request_buffering off; ${location}`
  return runNginx(port, `${upstream}\nserver { listen 127.0.0.1:${port}; location / { ${lines} } }`)
}

async function untilReady(urls: readonly string[]): Promise<void> {
  for (const until = Date.now() + READY_MS; ; await sleep(200)) {
    const states = urls.map(async (url) => {
      const signal = AbortSignal.timeout(5_000)
      const answer = await fetch(`${url}/ready`, { signal }).catch(() => undefined)
      const text = await answer?.text()
      return answer?.status === 200 ? undefined : `${url}: ${text ?? 'no answer'}`
    })
    const left = (await Promise.all(states)).filter((one) => one !== undefined)
    if (left.length === 0) return
    if (Date.now() > until)
      throw new Error(`not ready after ${READY_MS / 1000} s: ${left.join(' ')}`)
  }
}
