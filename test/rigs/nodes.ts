// One site, and who answers for it: a server alone, or with `--nodes` so many nodes on a PostgreSQL and a stand-in for a
// store, with a schema and a prefix of its own. A rig asks them by turns that follow from its seed. They are processes
// where the rig kills them, or where they are to run at once; and servers of this process where it sets their clock.

import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { openCluster, type TestCluster, variablesOf } from '../helpers/cluster.ts'
import { newDataDirectory } from '../helpers/data-directory.ts'
import {
  type Answer,
  type Call,
  send,
  startTestServer,
  type TestOptions,
  type TestServer,
} from '../helpers/server.ts'

/** Where the sites of a rig are; a rig without one has a server alone. */
export interface Place {
  readonly cluster: TestCluster
  /** Nodes of each site. */
  readonly nodes: number
}

/** Of `--nodes N`, for the work of a whole run. */
export async function withPlace<T>(
  nodes: string | undefined,
  work: (place: Place | undefined) => Promise<T>,
): Promise<T> {
  if (nodes === undefined) return work(undefined)
  const cluster = await openCluster()
  // Who cuts a run off leaves no database behind: it ends with this process. What is to be told before is.
  process.once('SIGTERM', () => setImmediate(() => process.exit(143)))
  try {
    return await work({ cluster, nodes: Number(nodes) })
  } finally {
    await cluster.close()
  }
}

export interface NodeProcesses {
  readonly count: number
  /** Secret of an administrator's key, which is that of a call unless it says another. */
  readonly key: string
  ask(at: number, wish: Wish): Promise<Answer>
  /** Throws where SIGTERM ends it with anything but 0. */
  kill(at: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  start(at: number): Promise<void>
  close(): Promise<void>
}

export interface Wish {
  readonly method: string
  readonly path: string
  readonly call: Call
}

/** One process where there is no place. */
export async function startProcesses(place: Place | undefined): Promise<NodeProcesses> {
  const env = place === undefined ? {} : variablesOf(await place.cluster.newSite())
  const directories = Array.from({ length: place?.nodes ?? 1 }, newDataDirectory)
  const servers: ChildServer[] = []
  // The first one makes the tables.
  for (const directory of directories) servers.push(await startNode(directory, env))
  const key = await makeKey(directories[0] ?? '')

  return {
    count: servers.length,
    key,
    ask: (at, { method, path, call }) =>
      send(servers[at]?.url ?? '', method, path, { key, ...call }),
    async kill(at, signal) {
      const ended = await servers[at]?.kill(signal)
      if (signal === 'SIGTERM' && ended?.code !== 0)
        throw new Error(`A server ended with ${ended?.code}: ${ended?.stderr}`)
    },
    async start(at) {
      servers[at] = await startNode(directories[at] ?? '', env)
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill('SIGKILL')))
    },
  }
}

function startNode(directory: string, env: Readonly<Record<string, string>>): Promise<ChildServer> {
  return startChild(directory, ['--log-level', 'error'], { env })
}

/** Nodes of a new site. */
export async function startNodes(
  { cluster, nodes }: Place,
  options: TestOptions,
): Promise<readonly [TestServer, ...TestServer[]]> {
  const config = { ...options.config, cluster: await cluster.newSite() }
  return startServers(nodes, { ...options, config })
}

/** Servers of this process: one, or the nodes of the site that the configuration names. */
export async function startServers(
  count: number,
  options: TestOptions,
): Promise<readonly [TestServer, ...TestServer[]]> {
  const first = await startTestServer(options)
  const { dataDir: _, ...others } = options
  const servers: [TestServer, ...TestServer[]] = [first]
  while (servers.length < count) servers.push(await startTestServer(others))
  return servers
}
