// Three servers of one site, each with a directory of its own, the third on a small disk; and nginx before them as
// docs/cluster.md has it.

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../lib/cluster-settings.ts'
import { type ChildServer, startChild } from '../../helpers/child-server.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { documentedIn, freePort, type Nginx, runNginx } from '../../helpers/nginx.ts'

export interface Nodes {
  readonly balancer: string
  readonly urls: readonly string[]
  readonly dataDirs: readonly string[]
  /** Of the third, mounted with so much room. */
  readonly smallDisk: string
  kill(at: number): Promise<void>
  /** At the port that it had. With a file of a clock, by that one: `+3600` in it is an hour ahead. */
  start(at: number, clock?: string): Promise<void>
  /** Starts it again where it has ended by itself. */
  revive(at: number): Promise<void>
  signal(at: number, name: NodeJS.Signals): void
  reload(): void
  /** Until each says that it is ready. */
  untilReady(): Promise<void>
  /** What they have said. */
  said(): string
  close(): Promise<void>
}

const COUNT = 3
const SMALL_DISK = '3g'
const READY_MS = 120_000
const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const FAKETIME = `/usr/lib/${MACHINE}-linux-gnu/faketime/libfaketime.so.1`

export async function startNodes(home: string, site: ClusterSettings): Promise<Nodes> {
  const smallDisk = join(home, 'small-disk')
  mkdirSync(smallDisk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', smallDisk])
  const ports: number[] = []
  for (let at = 0; at < COUNT; at += 1) ports.push(await freePort())
  const dataDirs = ports.map((_, at) => join(at === COUNT - 1 ? smallDisk : home, `node-${at}`))
  const servers: (ChildServer | undefined)[] = []
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const ended: string[] = []

  async function start(at: number, clock?: string): Promise<void> {
    const args = ['--port', String(ports[at]), '--log-level', 'warn', '--content-cache-mb', '256']
    const env = { ...variablesOf(site), S3_FORCE_PATH_STYLE: 'true', ...byClock(clock) }
    servers[at] = await startChild(dataDirs[at], args, { env })
  }

  async function kill(at: number): Promise<void> {
    const ending = await servers[at]?.kill('SIGKILL')
    ended.push(ending?.stderr ?? '')
  }

  async function revive(at: number): Promise<void> {
    const health = await fetch(`${urls[at]}/health`).catch(() => undefined)
    if (health !== undefined) return
    console.error('it has ended by itself, and is started again')
    await kill(at)
    await start(at)
  }

  // The first makes the tables.
  for (let at = 0; at < COUNT; at += 1) await start(at)
  const nginx = await startBalancer(urls)
  return {
    balancer: nginx.url,
    urls,
    dataDirs,
    smallDisk,
    kill,
    start,
    revive,
    signal: (at, name) => void process.kill(servers[at]?.pid ?? Number.NaN, name),
    reload: () => nginx.reload(),
    untilReady: () => untilReady(urls),
    said: () => [...ended, ...servers.map((one) => one?.stderr() ?? '')].join('\n'),
    async close() {
      await nginx.close()
      for (const one of servers) await one?.kill('SIGTERM')
      execFileSync('umount', ['-l', smallDisk])
    },
  }
}

/** The clock of the day alone: that of the machine goes on as it does. */
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
