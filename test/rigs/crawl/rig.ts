// A whole website is imported, made public and copied by wget: from the server, from its live tree by nginx while the server
// is down, and after a kill in the middle of a publish (README.md of the rigs).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CrawledSite, HOST, startSite } from './site.ts'
import { crawl, type Crawled, filesBelow } from './wget.ts'

const PUBLISHERS = 10

export interface CrawlOptions {
  /** A directory with a website. Links in the directory are not followed. */
  readonly source: string
  /** An empty directory for everything that the rig writes. */
  readonly directory: string
  /** The number of files that are being published when the server is killed. */
  readonly published: number
  readonly onProgress: (line: string) => void
}

export interface CrawlOutcome {
  readonly files: number
  /** Files that wget found by links, from the index pages of all folders. */
  readonly byLinks: number
  /** Addresses that pages of the source link to, and the source does not have. */
  readonly deadLinks: number
  readonly killed: Killed
  readonly faults: readonly string[]
}

/** How many of the files had the new bytes. */
interface Killed {
  readonly published: number
  readonly acknowledged: number
  readonly inTheTree: number
  readonly afterTheNextStart: number
}

type Bytes = ReadonlyMap<string, Buffer>

/** open_file_cache_valid of docs/website.md. */
const OPEN_FILE_VALID_MS = 1_000

export async function runCrawl(options: CrawlOptions): Promise<CrawlOutcome> {
  const { source, directory } = options
  const before = readAll(source)
  const after = changedFiles(before, options.published)
  const site = await startSite(directory)
  const faults: string[] = []
  const copy = (where: string, server: string, ...allowed: readonly Bytes[]): Promise<Copied> =>
    copySite({ ...options, where, server, allowed, faults })
  try {
    await site.import(source, '--publish')
    const first = await copy('the server', site.url(), before)
    await site.untilTree(before)
    await site.kill('SIGTERM')
    const nginx = await site.startNginx()
    await copy('the live tree', nginx.url, before)

    await site.start()
    const acknowledged = await killWhilePublishing(site, { directory, after })
    await copy('the live tree after the kill', nginx.url, before, after)
    const inTheTree = countNew(site, after)
    await site.start()
    const settled = new Map(before)
    for (const [path, { liveVersion }] of await site.list())
      if (liveVersion === 2) settled.set(path, after.get(path) ?? Buffer.alloc(0))
    for (const path of acknowledged)
      if (settled.get(path) !== after.get(path)) faults.push(`${path}: the publish was lost`)
    await site.untilTree(settled)
    await copy('the server after the kill', site.url(), settled)
    // Until then, nginx may show a file that it opened for the copy after the kill.
    await sleep(OPEN_FILE_VALID_MS)
    await copy('the live tree after the start', nginx.url, settled)
    return {
      files: before.size,
      ...first,
      killed: {
        published: after.size,
        acknowledged: acknowledged.length,
        inTheTree,
        afterTheNextStart: countNew(site, after),
      },
      faults,
    }
  } finally {
    await site.close()
  }
}

function readAll(source: string): Bytes {
  return new Map(filesBelow(source).map((path) => [path, readFileSync(join(source, path))]))
}

/** The new bytes of this many files from all parts of the site. */
function changedFiles(before: Bytes, count: number): Bytes {
  const every = Math.max(1, Math.floor(before.size / count))
  const chosen = [...before].filter((_, at) => at % every === 0).slice(0, count)
  return new Map(chosen.map(([path, bytes]) => [path, Buffer.concat([bytes, Buffer.from('new')])]))
}

type Copied = Pick<CrawlOutcome, 'byLinks' | 'deadLinks'>

interface Copying extends CrawlOptions {
  readonly where: string
  readonly server: string
  /** A file must have the bytes of one of these. */
  readonly allowed: readonly Bytes[]
  readonly faults: string[]
}

/** Copies the site by its links, then the files that no page links to. Every file must be there. */
async function copySite(copying: Copying): Promise<Copied> {
  const { where, server, allowed, faults, directory: into, onProgress } = copying
  const paths = new Set(allowed.flatMap((bytes) => [...bytes.keys()]))
  const missed = new Set(paths)
  const dead = new Set<string>()
  const count = faults.length
  const look = ({ directory, paths: found, missing }: Crawled): void => {
    for (const local of found) {
      const path = paths.has(local) ? local : local.replace(/\?.*$/s, '')
      // wget reads the generated robots.txt before all pages.
      if (!paths.has(path) && path === 'robots.txt') continue
      const bytes = readFileSync(join(directory, local))
      missed.delete(path)
      if (!allowed.some((each) => each.get(path)?.equals(bytes)))
        faults.push(`${where}: ${path} has other bytes`)
    }
    for (const path of missing) {
      if (paths.has(path)) faults.push(`${where}: ${path} was 404`)
      else dead.add(path)
    }
  }
  const indexes = [...paths].filter((path) => basename(path) === 'index.html')
  const from = ['/', ...indexes.map((path) => addressOf(dirname(path)) + '/')]
  look(await crawl({ server, host: HOST, from, into }))
  const byLinks = paths.size - missed.size
  look(await crawl({ server, host: HOST, from: ['/', ...[...missed].map(addressOf)], into }))
  for (const path of missed) faults.push(`${where}: ${path} was not found`)
  onProgress(`${where}: ${byLinks} files by links, ${faults.length - count} faults`)
  return { byLinks, deadLinks: dead.size }
}

function addressOf(path: string): string {
  return path === '.' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`
}

interface Publishing {
  readonly directory: string
  readonly after: Bytes
}

/** Saves the new bytes, and kills the server when half of the files are live. Returns the acknowledged paths. */
async function killWhilePublishing(
  site: CrawledSite,
  { directory, after }: Publishing,
): Promise<readonly string[]> {
  const changed = join(directory, 'changed')
  for (const [path, bytes] of after) {
    mkdirSync(dirname(join(changed, path)), { recursive: true })
    writeFileSync(join(changed, path), bytes)
  }
  await site.import(changed)
  const files = await site.list()
  const waiting = [...after.keys()]
  const acknowledged: string[] = []
  const publishers = Array.from({ length: PUBLISHERS }, async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status } = await site.call(
        'POST',
        `/api/v2/asset_file/${files.get(path)?.id}/publish`,
      )
      if (status === 200) acknowledged.push(path)
      if (acknowledged.length >= after.size / 2) await site.kill('SIGKILL')
    }
  })
  await Promise.allSettled(publishers)
  return acknowledged
}

function countNew({ tree }: CrawledSite, after: Bytes): number {
  return [...after].filter(([path, bytes]) => readFileSync(join(tree, path)).equals(bytes)).length
}
