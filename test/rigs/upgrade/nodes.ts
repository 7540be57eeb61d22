// Servers of one site, each with its own port and directory; each can be replaced by another
// version.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { type ChildServer, type Ended, startChild } from '../../helpers/child-server.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { freePort } from '../../helpers/nginx.ts'
import { faultsInLog } from './log-faults.ts'
import type { Version } from './versions.ts'

export interface Nodes {
  readonly urls: readonly string[]
  readonly dataDirs: readonly string[]
  /**
   * Stops the node with SIGTERM and starts the version on the same port and directory. Resolves
   * when the node is ready.
   */
  replace(at: number, version: Version): Promise<void>
  /** Whether the node is being replaced, so that it may refuse requests or be gone. */
  isLeaving(url: string): boolean
  /** Forbidden log lines and wrong exit codes of all nodes. */
  faults(): readonly string[]
  close(): Promise<void>
}

interface NodesOptions {
  readonly home: string
  readonly site: ClusterSettings
  readonly count: number
  readonly version: Version
}

const ARGS = ['--log-level', 'warn', '--webhook-allow', 'loopback', '--scrub-days', '0']
const READY_MS = 60_000
/** Suppresses a warning of the SDK about the version of Node, which is no log line. */
const QUIET = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }

export async function startNodes({ home, site, count, version }: NodesOptions): Promise<Nodes> {
  const ports: number[] = []
  for (let at = 0; at < count; at += 1) ports.push(await freePort())
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const dataDirs = ports.map((_, at) => join(home, `node-${at}`))
  const servers: ChildServer[] = []
  const faults: string[] = []
  let leaving: string | undefined

  async function start(at: number, { bin }: Version): Promise<void> {
    const args = ['--port', String(ports[at]), ...ARGS]
    servers[at] = await startChild(dataDirs[at], args, {
      bin,
      env: { ...QUIET, ...variablesOf(site) },
    })
    await untilReady(urls[at] ?? '')
  }

  async function stop(at: number): Promise<void> {
    const ended = await servers[at]?.kill('SIGTERM')
    if (ended !== undefined) faults.push(...faultsOf(`node ${at}`, ended))
  }

  // The first node creates the tables.
  for (let at = 0; at < count; at += 1) await start(at, version)
  return {
    urls,
    dataDirs,
    async replace(at, next) {
      leaving = urls[at]
      await stop(at)
      await start(at, next)
      leaving = undefined
    },
    isLeaving: (url) => url === leaving,
    faults: () => faults,
    async close() {
      for (let at = 0; at < servers.length; at += 1) await stop(at)
      servers.length = 0
    },
  }
}

function faultsOf(name: string, { code, signal, stderr }: Ended): readonly string[] {
  const said = faultsInLog(stderr).map((line) => `${name} said: ${line}`)
  return code === 0 ? said : [...said, `${name} ended with ${code ?? signal}`]
}

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + READY_MS; ; await sleep(50)) {
    const answer = await fetch(`${url}/ready`)
    const text = await answer.text()
    if (answer.status === 200) return
    if (Date.now() > until) throw new Error(`${url} is not ready after ${READY_MS} ms: ${text}`)
  }
}
