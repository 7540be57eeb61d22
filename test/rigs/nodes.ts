// The servers of a site: a single server, or with `--nodes` several nodes on a PostgreSQL and a
// stand-in store, with their own schema and prefix. The seed of a rig determines the order of the
// nodes. Nodes are processes if the rig kills them or needs them to run concurrently, and servers
// in this process if the rig sets their clock.

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

/** The services for the sites of a rig; undefined for a single server. */
export interface Place {
  readonly cluster: TestCluster
  /** The number of nodes of each site. */
  readonly nodes: number
}

/** Starts the services of `--nodes N` for the duration of a run. */
export async function withPlace<T>(
  nodes: string | undefined,
  work: (place: Place | undefined) => Promise<T>,
): Promise<T> {
  if (nodes === undefined) return work(undefined)
  const cluster = await openCluster()
  // The database ends with this process, so an interrupted run leaves none behind. The delay lets
  // other handlers report first.
  process.once('SIGTERM', () => setImmediate(() => process.exit(143)))
  try {
    return await work({ cluster, nodes: Number(nodes) })
  } finally {
    await cluster.close()
  }
}

export interface NodeProcesses {
  readonly count: number
  /** The secret of an administrator's key, which calls use by default. */
  readonly key: string
  ask(at: number, wish: Wish): Promise<Answer>
  /** Throws if the process exits with another code than 0 after SIGTERM. */
  kill(at: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  start(at: number): Promise<void>
  close(): Promise<void>
}

export interface Wish {
  readonly method: string
  readonly path: string
  readonly call: Call
}

/** Starts a single process if there is no place. */
export async function startProcesses(
  place: Place | undefined,
  flags: readonly string[] = [],
): Promise<NodeProcesses> {
  const env = place === undefined ? {} : variablesOf(await place.cluster.newSite())
  const directories = Array.from({ length: place?.nodes ?? 1 }, newDataDirectory)
  const servers: ChildServer[] = []
  const startNode = (directory: string): Promise<ChildServer> =>
    startChild(directory, ['--log-level', 'error', ...flags], { env })
  // The first node creates the tables.
  for (const directory of directories) servers.push(await startNode(directory))
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
      servers[at] = await startNode(directories[at] ?? '')
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill('SIGKILL')))
    },
  }
}

/** Starts the nodes of a new site. */
export async function startNodes(
  { cluster, nodes }: Place,
  options: TestOptions,
): Promise<readonly [TestServer, ...TestServer[]]> {
  const config = { ...options.config, cluster: await cluster.newSite() }
  return startServers(nodes, { ...options, config })
}

/** Starts servers in this process: one, or the nodes of the configured site. */
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
