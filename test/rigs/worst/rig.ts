// Sends the worst-case requests of each route to the worst-case site. The rig judges how long the
// event loop of the server was blocked, and the size of the answer.

import { allRoutes } from '../../../lib/api/routes.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { removeDataDirectories, newDataDirectory } from '../../helpers/data-directory.ts'
import { ROUTE_OPTIONS } from '../../helpers/route-options.ts'
import type { Answer } from '../../helpers/server.ts'
import type { Place } from '../nodes.ts'
import type { Ask } from './ask.ts'
import { ASKS } from './asks.ts'
import { type ProbedServer, startProbed } from './loop.ts'
import { SITE_FLAGS } from './site-asks.ts'
import { buildSite, type Site, type Size } from './site.ts'

export interface WorstOptions {
  readonly size: Size
  /** The maximum blocking of the loop, in wall-clock time or processor time. */
  readonly maxMs: number
  readonly by: 'wallMs' | 'cpuMs'
  /** Runs only routes and requests that contain one of these words. */
  readonly words?: readonly string[]
  /** The site is a node on these services; undefined for a single server. */
  readonly place?: Place | undefined
  readonly onProgress: (line: string) => void
}

export interface Result {
  readonly route: string
  readonly what: string
  readonly status: number
  readonly bytes: number
  /** The longest blocking in the best of three attempts. */
  readonly wallMs: number
  readonly cpuMs: number
}

export interface WorstOutcome {
  readonly results: readonly Result[]
  readonly faults: readonly string[]
}

const TIMES = 3

export async function runWorst(options: WorstOptions): Promise<WorstOutcome> {
  const { size, words = [], place, onProgress } = options
  const dataDir = newDataDirectory()
  const variables = place === undefined ? {} : variablesOf(await place.cluster.newSite())
  const server = await startProbed(dataDir, SITE_FLAGS, variables)
  const faults = [...unasked()]
  const results: Result[] = []
  try {
    const site = await buildSite({ url: server.url, dataDir, size, onProgress })
    await server.held()
    for (const [route, asks] of Object.entries(ASKS)) {
      // A node makes no archive.
      if (place !== undefined && route === 'GET /api/v2/backup') continue
      for (const ask of asks) {
        if (!words.every((word) => `${route} ${ask.what}`.includes(word))) continue
        const result = { route, ...(await askBest(server, site, route, ask, options)) }
        results.push(result)
        faults.push(...judge(result, ask, options))
        onProgress(lineOf(result))
      }
    }
    site.close()
  } finally {
    await server.kill('SIGTERM')
    removeDataDirectories()
  }
  const lines = server.stderr().split('\n')
  faults.push(...lines.filter((line) => /"level":"(?:error|fatal)"/.test(line)).slice(0, 5))
  return { results, faults }
}

export function lineOf({ route, what, status, bytes, wallMs, cpuMs }: Result): string {
  const size = `${(bytes / 1024).toFixed(0)} KiB`.padStart(11)
  return `${wallMs.toFixed(1).padStart(8)} ms ${cpuMs.toFixed(1).padStart(8)} ms cpu ${size} ${status} ${route}, ${what}`
}

function unasked(): readonly string[] {
  return allRoutes(ROUTE_OPTIONS)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => (ASKS[route]?.length ?? 0) === 0)
    .map((route) => `${route} is not asked its worst`)
}

/**
 * Times include other load on the machine, so the best of several attempts counts. The first
 * attempt within the limit is enough.
 */
async function askBest(
  server: ProbedServer,
  site: Site,
  route: string,
  ask: Ask,
  { by, maxMs }: WorstOptions,
): Promise<Omit<Result, 'route'>> {
  let best: Omit<Result, 'route'> | undefined
  for (let time = 0; time < TIMES; time++) {
    const made = ask.prepare === undefined ? undefined : await prepare(server, ask.prepare(site))
    const [method = ''] = route.split(' ')
    const answer: Answer = await site.call(method, ask.path(site, made), ask.call?.(site, made))
    const { wall, cpu } = await server.held()
    const { status, bytes } = answer
    const result = {
      what: ask.what,
      status,
      bytes: bytes.length,
      wallMs: wall.wallMs,
      cpuMs: cpu.cpuMs,
    }
    if (best === undefined || result[by] < best[by]) best = result
    if (best[by] <= maxMs) break
  }
  if (best === undefined) throw new Error('It was not asked.')
  return best
}

/** The work of the preparation does not count. Without a preparation, the last report has shown that the server is at rest. */
async function prepare<T>(server: ProbedServer, work: Promise<T>): Promise<T> {
  server.sleep()
  const made = await work
  await server.held()
  return made
}

const RECORD_BYTES = 2 * 1024 * 1024

function judge(result: Result, ask: Ask, { by, maxMs }: WorstOptions): readonly string[] {
  const { maxBytes = RECORD_BYTES, status } = ask
  const { status: given, bytes } = result
  const faults: string[] = []
  if (result[by] > maxMs) faults.push(`held the loop for ${result[by].toFixed(0)} ms`)
  if (bytes > maxBytes) faults.push(`has ${bytes} bytes, more than ${maxBytes}`)
  const isFault = given >= 500 && !(given === 503 && status === 0)
  const wanted = [status ?? []].flat()
  const isWanted = wanted.length === 0 ? given < 300 : wanted.includes(0) || wanted.includes(given)
  if (isFault || !isWanted) faults.push(`was answered with ${given}`)
  return faults.map((fault) => `${result.route}, ${result.what}: ${fault}`)
}
