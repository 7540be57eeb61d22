// Pairs of sites that differ only in what an observer cannot see: whatever it asks, both must answer the
// same bytes. Of what differs: the request, both answers, and the hidden difference that it tells of.

import { allRoutes } from '../../../lib/api/routes.ts'
import type { Config } from '../../../lib/config/config.ts'
import { buildRouter } from '../../../lib/http/router.ts'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import type { Place } from '../nodes.ts'
import { openRandom, type Random } from '../random.ts'
import { CHANGES } from './changes.ts'
import { compare, maskedBody } from './compare.ts'
import { documentedRequests } from './documented.ts'
import { OBSERVERS } from './observers.ts'
import { openPair, type Pair, type PairOptions } from './pair.ts'
import { type Play, READS } from './reads.ts'
import { type Found, shrink, type Shrunk } from './shrink.ts'
import type { Received, Sent } from './site.ts'
import { openTools } from './tools.ts'
import { buildWorld, type World } from './world.ts'

export interface InterferenceOptions {
  readonly seed: number
  /** Of all sites together. */
  readonly requests: number
  /** Pairs of sites; each has one observer, in turns. */
  readonly sites: number
  /** Kinds of differences after which the run ends. */
  readonly most: number
  /** So many differences are traced to what they tell of: each takes many pairs of sites. */
  readonly traced: number
  /** Names of the hidden differences that there are; undefined: all. None: whether the rig itself is sound. */
  readonly kept?: ReadonlySet<string>
  readonly config?: Partial<Config>
  /** On nodes of one site each; undefined: on one server. */
  readonly place?: Place | undefined
  readonly onProgress?: (text: string) => void
}

export interface InterferenceOutcome {
  readonly requests: number
  readonly byStatus: ReadonlyMap<number, number>
  /** Routes that no request was made for. */
  readonly unasked: readonly string[]
  /** How often each difference was seen, by route and place in the answer. */
  readonly seen: ReadonlyMap<string, number>
  /** One of each kind, in words. */
  readonly faults: readonly string[]
}

/** For one observer, where the sites part again and again. */
const MAX_PAIRS = 5
/** A world for so many pairs, one after the other. */
const PAIRS_OF_A_WORLD = OBSERVERS.length
/** One in so many worlds has many records. */
const LARGE_EVERY = 3
/** One in so many requests is made from the documents. */
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

/** Told by a request whose answers differ so that the sites are no pair any more. */
class Parted extends Error {}

async function runPair(
  run: Run,
  { world, index, isLarge, documented, requests }: PairRun,
): Promise<void> {
  // Those that a short run asks are others each time.
  const observer = OBSERVERS[(index + run.seed) % OBSERVERS.length]
  if (observer === undefined) return
  const seed = run.seed * 1_000 + index
  const random = openRandom(seed)
  const own = documented.filter((_, at) => at % OBSERVERS.length === index)
  // Dealt from the end: what no pair has asked yet comes first, so that chance leaves no route out.
  const due = new Map(
    documented
      .filter((sent) => !run.asked.has(routeOf(sent)))
      .map((sent) => [routeOf(sent), sent] as const),
  )
  const options: PairOptions = {
    world,
    observer,
    seed,
    // Public, the document of the modules shows every one to everybody.
    config: { docs: 'keyed', ...run.config },
    place: run.place,
    ...(run.kept && { kept: run.kept }),
    // It takes a second of each site.
    isLarge: isLarge && index % 4 === 0,
  }
  const deck = openDeck(random, [...own, ...due.values()])
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

/** Until enough was asked, or the sites are no pair any more; how much that was. */
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
  // A change at one of them, and what is read at each.
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
  if (first.status === 401) throw new Parted('The key is not valid any more.')
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

/** What is shown wrongly is so on many routes, and the same fault; another status is one of its route. */
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

/** All kinds of requests in another order each time, so that each has its turn. */
function openDeck(random: Random, documented: readonly Sent[]): () => Play {
  const plays: Play[] = [...Object.values(READS), ...Object.values(CHANGES)]
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

/** Its own key and user must stay as they are, or there would be nobody to ask. */
function isOwn({ method, path }: Sent, { keyId, userId }: Pair): boolean {
  const own = new RegExp(`^/api/v2/(?:api_key/${keyId}|user/${userId})\\b`)
  return method !== 'GET' && own.test(path)
}

const ROUTES = allRoutes({
  unready: () => undefined,
  metrics: () => Promise.reject(new Error('not asked for')),
  baseUrl: undefined,
  warnings: () => [],
  docs: 'keyed',
  maxUploadBytes: 1,
})
const router = buildRouter(ROUTES)

function routeOf({ method, path }: Sent): string {
  try {
    const { route } = router.find(method, path)
    return `${route.method} ${route.path}`
  } catch {
    return `${method} elsewhere`
  }
}

/** The pages of the administration area are the same for everybody, but for a nonce that is new in each. */
function unasked(asked: ReadonlySet<string>): readonly string[] {
  return ROUTES.filter(({ path }) => !path.startsWith('/admin'))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !asked.has(route))
}
