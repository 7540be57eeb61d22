// Pairs of sites that differ only in what an observer cannot see: both sites must return the same
// bytes for every request. The report of a difference contains the request, both answers, and the
// hidden difference that they reveal.

import { allRoutes } from '../../../lib/api/routes.ts'
import type { Config } from '../../../lib/config/config.ts'
import { buildRouter } from '../../../lib/http/router.ts'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import { ROUTE_OPTIONS } from '../../helpers/route-options.ts'
import type { Place } from '../nodes.ts'
import { openRandom, type Random } from '../random.ts'
import { CHANGES } from './changes.ts'
import { compare, maskedBody } from './compare.ts'
import { documentedRequests } from './documented.ts'
import { OBSERVERS } from './observers.ts'
import { openPair, type Pair, type PairOptions } from './pair.ts'
import { PUBLIC_READS } from './public-reads.ts'
import { SITE } from './public-world.ts'
import { type Play, READS } from './reads.ts'
import { type Found, shrink, type Shrunk } from './shrink.ts'
import type { Received, Sent } from './site.ts'
import { openTools } from './tools.ts'
import { buildWorld, type World } from './world.ts'

export interface InterferenceOptions {
  readonly seed: number
  /** The total number of requests to all sites. */
  readonly requests: number
  /** The number of pairs of sites; the pairs have the observers in turn. */
  readonly sites: number
  /** The run ends after this number of kinds of differences. */
  readonly most: number
  /** The number of differences that are traced to their cause; each takes many pairs of sites. */
  readonly traced: number
  /**
   * The names of the hidden differences to apply; all if undefined. An empty set tests the rig
   * itself.
   */
  readonly kept?: ReadonlySet<string>
  readonly config?: Partial<Config>
  /** Each site runs on several nodes; undefined means a single server. */
  readonly place?: Place | undefined
  /** The name of the only observer; all observers in turn if undefined. */
  readonly only?: string | undefined
  readonly onProgress?: (text: string) => void
}

export interface InterferenceOutcome {
  readonly requests: number
  readonly byStatus: ReadonlyMap<number, number>
  /** Routes without any request. */
  readonly unasked: readonly string[]
  /** The number of occurrences of each difference, by route and place in the answer. */
  readonly seen: ReadonlyMap<string, number>
  /** A description of each kind of difference. */
  readonly faults: readonly string[]
}

/** The maximum number of pairs for an observer if the sites diverge repeatedly. */
const MAX_PAIRS = 5
/** The number of pairs that a world is used for. */
const PAIRS_OF_A_WORLD = OBSERVERS.length
/** Every third world has many records. */
const LARGE_EVERY = 3
/** Every fourth request is generated from the OpenAPI documents. */
const DOCUMENTED_EVERY = 4

interface Run extends InterferenceOptions {
  count: number
  readonly byStatus: Map<number, number>
  readonly asked: Set<string>
  readonly seen: Map<string, number>
  readonly kinds: Set<string>
  readonly faults: string[]
}

export async function runInterference(options: InterferenceOptions): Promise<InterferenceOutcome> {
  const state = { count: 0, byStatus: new Map(), asked: new Set<string>() }
  const run: Run = { ...state, seen: new Map(), kinds: new Set(), faults: [], ...options }
  const { sites, seed, requests } = options
  try {
    for (let at = 0; at < sites && !isOver(run); at += PAIRS_OF_A_WORLD) {
      const worldSeed = seed + 1_000_003 * at
      const isLarge = (at / PAIRS_OF_A_WORLD) % LARGE_EVERY === 0
      const world = await buildWorld(openRandom(worldSeed), isLarge)
      const pairs = Math.min(PAIRS_OF_A_WORLD, sites - at)
      const ofPair = Math.ceil(requests / sites)
      const count = Math.ceil((pairs * ofPair) / DOCUMENTED_EVERY)
      const documented = await documentedRequests(world, { seed: worldSeed, count })
      for (let index = 0; index < pairs && !isOver(run); index += 1)
        await runPair(run, { world, index, isLarge, documented, requests: ofPair })
      removeDataDirectories()
    }
  } finally {
    removeDataDirectories()
  }
  const { count, byStatus, seen, faults } = run
  return { requests: count, byStatus, seen, faults, unasked: unasked(run.asked) }
}

interface PairRun {
  readonly world: World
  readonly index: number
  readonly isLarge: boolean
  readonly documented: readonly Sent[]
  readonly requests: number
}

/** Thrown when a request has made the sites diverge. */
class Parted extends Error {}

async function runPair(
  run: Run,
  { world, index, isLarge, documented, requests }: PairRun,
): Promise<void> {
  const { only } = run
  // The seed selects the observers of a short run.
  const observer =
    only === undefined
      ? OBSERVERS[(index + run.seed) % OBSERVERS.length]
      : OBSERVERS.find(({ name }) => name === only)
  if (observer === undefined) return
  const seed = run.seed * 1_000 + index
  const random = openRandom(seed)
  const own = documented.filter((_, at) => at % OBSERVERS.length === index)
  // The deck is drawn from the end, so requests that no pair has sent yet come first, and every
  // route is reached.
  const due = new Map(
    documented
      .filter((sent) => !run.asked.has(routeOf(sent)))
      .map((sent) => [routeOf(sent), sent] as const),
  )
  const options: PairOptions = {
    world,
    observer,
    seed,
    // If the document of the modules is public, it shows every module to everybody.
    config: { docs: 'keyed', ...(observer.isNobody === true && { sites: [SITE] }), ...run.config },
    place: run.place,
    ...(run.kept && { kept: run.kept }),
    // Many records take a second on each site.
    isLarge: isLarge && index % 4 === 0,
  }
  const plays = observer.isNobody === true ? PUBLIC_READS : { ...READS, ...CHANGES }
  const deck = openDeck(random, Object.values(plays), [...own, ...due.values()])
  for (let left = requests, tries = 0; left > 0 && tries < MAX_PAIRS && !isOver(run); tries += 1) {
    const sent = await usePair(run, options, { deck, random, requests: left })
    left -= Math.max(1, sent)
  }
  run.onProgress?.(`${observer.name}: ${run.count} requests, ${run.seen.size} differences`)
}

interface Using {
  readonly deck: () => Play
  readonly random: Random
  readonly requests: number
}

function isOver({ faults, most }: Run): boolean {
  return faults.length >= most
}

/** Sends requests until there are enough or the sites diverge, and returns their number. */
async function usePair(
  run: Run,
  options: PairOptions,
  { deck, random, requests }: Using,
): Promise<number> {
  const pair = await openPair(options)
  const history: Sent[] = []
  const found: Found[] = []
  const nodes = run.place?.nodes ?? 1
  const turns = openRandom(options.seed)
  // Sends a change to one node and a read to each node.
  async function send(sent: Sent): Promise<Received> {
    const node = turns.below(nodes)
    const first = await judge(run, pair, { sent: { ...sent, node }, history, found })
    if (!isRead(sent)) return first
    for (let other = 1; other < nodes; other += 1)
      await judge(run, pair, { sent: { ...sent, node: node + other }, history, found })
    return first
  }
  const tools = openTools(pair, random, send)
  try {
    while (history.length < requests && run.faults.length + found.length < run.most)
      await deck()(tools)
  } catch (error) {
    if (!(error instanceof Parted)) throw error
  } finally {
    await pair.close()
  }
  for (const fault of found) await tell(run, options, { fault, names: [...pair.names] })
  return history.length
}

interface Judging {
  readonly sent: Sent
  readonly history: Sent[]
  readonly found: Found[]
}

async function judge(run: Run, pair: Pair, { sent, history, found }: Judging): Promise<Received> {
  const answers = await pair.ask(sent)
  const [first, second] = answers
  run.count += 1
  run.byStatus.set(first.status, (run.byStatus.get(first.status) ?? 0) + 1)
  const route = routeOf(sent)
  run.asked.add(route)
  const difference = compare(sent, answers)
  const before = [...history]
  history.push(sent)
  if (first.status === 401 && pair.options.observer.isNobody !== true)
    throw new Parted('The key is not valid any more.')
  if (difference === undefined) return first

  const { aspects } = difference
  note(run.seen, `${route}: ${aspects.join(', ')}`)
  const kind = kindOf(route, aspects)
  if (!run.kinds.has(kind)) found.push({ sent, before, answers, aspects })
  run.kinds.add(kind)
  if (!isRead(sent) && first.status !== second.status)
    throw new Parted('A change was made on one alone.')
  return first
}

function isRead({ method }: Sent): boolean {
  return method === 'GET' || method === 'HEAD'
}

function note(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/**
 * The kind of a difference. A wrong member is the same fault on many routes; a wrong status is a
 * fault of its route.
 */
function kindOf(route: string, aspects: readonly string[]): string {
  const status = aspects.find((aspect) => aspect.startsWith('status'))
  if (status !== undefined) return `${route}: ${status}`
  const [first = ''] = aspects
  return first.startsWith('header')
    ? first
    : (first.split('/').findLast((part) => part !== '*') ?? '')
}

interface Telling {
  readonly fault: Found
  readonly names: readonly string[]
}

async function tell(run: Run, options: PairOptions, { fault, names }: Telling): Promise<void> {
  const isTraced = run.faults.length < run.traced
  const shrunk = isTraced ? await shrink(options, fault, names) : undefined
  const text = inWords(shrunk ?? { tells: [], isConfirmed: false, ...fault }, options)
  run.faults.push(text)
  run.onProgress?.(text)
}

function inWords(fault: Shrunk, { observer, seed }: PairOptions): string {
  const { sent, before, answers, aspects, tells, isConfirmed } = fault
  const [first, second] = answers.map((answer) => show(answer, aspects))
  return [
    `${showSent(sent)}`,
    `  asked by: ${observer.name} (seed ${seed})`,
    `  differs in: ${aspects.join(', ')}`,
    isConfirmed
      ? `  tells of: ${tells.join('; ')}`
      : '  was not traced, or not seen again on new sites',
    ...(isConfirmed ? before.map((earlier) => `  after: ${showSent(earlier)}`) : []),
    `  first:  ${first}`,
    `  second: ${second}`,
  ].join('\n')
}

const SHOWN = 700

function showSent({ method, path, headers, json, body, node }: Sent): string {
  const text = json === undefined ? String(body ?? '') : JSON.stringify(json)
  const told = headers === undefined ? '' : ` ${JSON.stringify(headers)}`
  const where = node === undefined ? '' : `node ${node}: `
  return `${where}${method} ${decoded(path)}${told} ${text.slice(0, SHOWN)}`.trim()
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function show(answer: Received, aspects: readonly string[]): string {
  const names = aspects.flatMap((aspect) => /^header (.*)/.exec(aspect)?.[1] ?? [])
  const headers = names.map((name) => `${name}: ${String(answer.headers[name])}`)
  const isOfHeaders = names.length === aspects.length
  const body = isOfHeaders
    ? ''
    : Buffer.from(maskedBody(answer), 'latin1').toString().slice(0, SHOWN)
  return [String(answer.status), ...headers, body].join(' ').trim()
}

/** Shuffles all kinds of requests again and again, so that each kind is sent equally often. */
function openDeck(random: Random, plays: readonly Play[], documented: readonly Sent[]): () => Play {
  const rest = [...documented]
  let cards: Play[] = []
  const fromDocuments: Play = async (tools) => {
    const sent = rest.pop()
    if (sent !== undefined && !isOwn(sent, tools.pair)) await tools.ask(sent)
  }
  let turn = 0
  return () => {
    turn += 1
    if (turn % DOCUMENTED_EVERY === 0 && rest.length > 0) return fromDocuments
    if (cards.length === 0) cards = plays.toSorted(() => random.next() - 0.5)
    return cards.pop() ?? fromDocuments
  }
}

/** The observer's own key and user stay unchanged, because the rig sends its requests with them. */
function isOwn({ method, path }: Sent, { keyId, userId }: Pair): boolean {
  const own = new RegExp(`^/api/v2/(?:api_key/${keyId}|user/${userId})\\b`)
  return method !== 'GET' && own.test(path)
}

const ROUTES = allRoutes({ ...ROUTE_OPTIONS, docs: 'keyed' })
const router = buildRouter(ROUTES)

function routeOf({ method, path }: Sent): string {
  try {
    const { route } = router.find(method, path)
    return `${route.method} ${route.path}`
  } catch {
    return `${method} elsewhere`
  }
}

/** The pages of the administration area are equal for everybody, except for a nonce. */
function unasked(asked: ReadonlySet<string>): readonly string[] {
  return ROUTES.filter(({ path }) => !path.startsWith('/admin'))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !asked.has(route))
}
