// npm run test:distributed -- --nodes 2: each server of a test is two nodes of one site, which receive the
// requests of a test alternately. Every answer of one node is therefore followed by a request to the other
// node.

import type { TestOptions, TestServer } from './server.ts'

const ENGINE = process.env['CMS_TEST_ENGINE']
const IS_PAIR = ENGINE !== undefined && JSON.parse(ENGINE).nodes === 2

/** Number of nodes of each test server. This many successive requests reach each node once. */
export const NODE_COUNT = IS_PAIR ? 2 : 1

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
  address: 'responses name the address of the server, and each node has its own without --base-url',
  arriving: 'only the receiving node knows a request that is still arriving',
  counts: 'each node counts its own requests',
  guessing: 'the other node blocks guesses a second later',
  position: 'each node encrypts cursors with its own nonce',
  running: 'limits of running requests apply to one process',
  rates: 'each node first admits the rate of a key, then synchronizes the counts',
  soon: '/metrics learns of changes on other nodes a second later',
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
export async function startNodePair(options: TestOptions, start: Start): Promise<TestServer> {
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
  // The first node keeps the live tree; each node has its own.
  const config = { ...options.config, cluster, port: 0, liveTree: undefined }
  return start({ ...options, dataDir: secondOf(first.dataDir), config }, first.key)
}
