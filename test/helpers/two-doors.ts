// npm run test:distributed -- --nodes 2: each server of a test is two nodes of one site, which receive the
// requests of a test alternately. Every answer of one node is therefore followed by a request to the other
// node.

import type { TestOptions, TestServer } from './server.ts'

const ENGINE = process.env['CMS_TEST_ENGINE']
const IS_PAIR = ENGINE !== undefined && JSON.parse(ENGINE).nodes === 2

/** Number of nodes of each test server. This many successive requests reach each node once. */
export const DOORS = IS_PAIR ? 2 : 1

/** The number of nodes in the arguments, and the other arguments. */
export function takeNodes(args: readonly string[]): {
  readonly nodes: number
  readonly words: readonly string[]
} {
  const at = args.indexOf('--nodes')
  if (at === -1) return { nodes: 1, words: args }
  const nodes = Number(args[at + 1])
  if (nodes !== 1 && nodes !== 2) throw new Error('--nodes is 1 or 2.')
  return { nodes, words: args.toSpliced(at, 2) }
}

const OF_ONE_NODE = {
  address:
    'it names the address of the server, and each node has its own: they need one --base-url',
  arriving: 'a request that is still arriving is known to the node that it comes to',
  counts: 'each node counts what it does itself',
  guessing:
    'a key that holds is asked for where it was guessed a second later; wrong ones are counted on all nodes at once',
  position: 'each node encrypts positions anew: one text for all is that of one node',
  running: 'what is on its way is a bound of the memory of one process',
  rates: 'what a key may send in a second each node lets in once, and takes off what comes next',
  soon: '/metrics asks no database: it knows what other nodes have changed a second later',
} as const

/** Options of a test or suite about state of a single process. */
export function oneNode(what: keyof typeof OF_ONE_NODE): { readonly skip: string | false } {
  return { skip: IS_PAIR ? OF_ONE_NODE[what] : false }
}

/** Data directories of a server on this machine, one for each node. */
export function directoriesOf(dataDir: string): readonly string[] {
  return IS_PAIR ? [dataDir, secondOf(dataDir)] : [dataDir]
}

function secondOf(dataDir: string): string {
  return `${dataDir}-second`
}

/** Tests that start their own nodes specify the shared cluster themselves. */
export function isPair({ config }: TestOptions): boolean {
  return IS_PAIR && config?.cluster === undefined
}

/** Starts a node with a new key, or with the existing key. */
type Start = (options: TestOptions, key?: string) => Promise<TestServer>

/** Starts two nodes that look like one server. */
export async function startTwoDoors(options: TestOptions, start: Start): Promise<TestServer> {
  const first = await start(options)
  const second = await startSecond(options, first, start).catch(async (error: unknown) => {
    await first.close()
    throw error
  })
  const nodes = [first, second] as const
  // All requests have the same Host, as behind a proxy, so that links contain one address.
  const { host } = new URL(first.url)
  let turn = 0
  const next = (): TestServer => {
    turn += 1
    return turn % 2 === 1 ? first : second
  }

  return {
    dataDir: first.dataDir,
    key: first.key,
    welcome: first.welcome,
    // A caller that keeps the address stays with one node.
    get url() {
      return next().url
    },
    call: (method, path, call = {}) =>
      next().call(method, path, { ...call, headers: { host, ...call.headers } }),
    command: (request) => next().command(request),
    makeKey: (args) => next().makeKey(args),
    upload: (...asked) => next().upload(...asked),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
    close: async () => void (await Promise.all(nodes.map((node) => node.close()))),
  }
}

async function startSecond(
  options: TestOptions,
  first: TestServer,
  start: Start,
): Promise<TestServer> {
  // Loaded only for pairs.
  const { siteOf } = await import('./cluster.ts')
  const cluster = await siteOf(ENGINE ?? '', first.dataDir)
  const config = { ...options.config, cluster, port: 0 }
  return start({ ...options, dataDir: secondOf(first.dataDir), config }, first.key)
}
