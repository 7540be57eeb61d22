// Figures that operators notice: start-up time, memory, the import of a site of small files, and a large public site.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { launcher, makeKey, memoryOf, startCms } from './processes.ts'
import { type Fact, memoryFact, number } from './report.ts'
import { post, SITE_HOST } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { FILES as LARGE_SITE } from './settings.ts'
import { fillFolders } from './sizes.ts'

const FILES = 3_000
const FILE_BYTES = 6_000
const STARTS = 5

export async function measureSite(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  makeTree(join(dir, 'site'))

  const first = await startCms(data)
  await sleep(1_000)
  const idle = memoryOf(first.pid)
  const to = { url: first.url, key: makeKey(data), category: 1 }
  const seconds = importTree(join(dir, 'site'), to)
  const after = memoryOf(first.pid)
  await first.stop()

  const clean = await startTimes(data, 'SIGTERM')
  const crashed = await startTimes(data, 'SIGKILL')
  const perSecond = Math.round(FILES / seconds)
  return [
    fact('start on an empty directory', Math.round(first.startMs), 'ms'),
    fact(`start after a clean stop, ${FILES} files`, clean, 'ms'),
    fact(`start after kill -9, ${FILES} files`, crashed, 'ms'),
    memoryFact('memory, idle', idle),
    memoryFact('memory after the import', after),
    fact(
      `import --publish of ${FILES} files of ${FILE_BYTES} bytes`,
      perSecond,
      'files per second',
    ),
  ]
}

/** A public site with a number of files, compared with a hundredth of them: starts, memory, its sitemap and a page. */
export async function measurePublicSite(): Promise<readonly Fact[]> {
  const [few, many] = [await measurePublic(LARGE_SITE / 100), await measurePublic(LARGE_SITE)]
  return few.map(({ name, value, unit }, at) => ({
    name: `${name}: ${number(value)} with ${number(LARGE_SITE / 100)} public files, with ${number(LARGE_SITE)}`,
    value: many[at]?.value ?? 0,
    unit,
  }))
}

async function measurePublic(files: number): Promise<readonly Fact[]> {
  const data = join(scratchDir(), 'data')
  const filling = await startCms(data)
  const site = { url: filling.url, key: makeKey(data) }
  try {
    await post(site, '/api/v2/asset_category/1', { public: true })
    await fillFolders(site, { from: 0, to: files, fields: { fileState: 'publish' } })
  } finally {
    await filling.stop()
  }
  const flags = ['--site-origin', `http://${SITE_HOST}`]
  const start = await startTimes(data, 'SIGTERM', flags)
  const cms = await startCms(data, flags)
  try {
    await sleep(1_000)
    const idle = memoryOf(cms.pid)
    const sitemap = await visit(cms.url, '/sitemap.xml')
    const page = await visit(cms.url, '/folder-1/file-7.html')
    return [
      fact('start', start, 'ms'),
      fact('memory after the start, RssAnon', idle.anon, 'MiB'),
      fact('first sitemap', sitemap, 'ms'),
      fact('first page', page, 'ms'),
      fact('memory after the sitemap, RssAnon', memoryOf(cms.pid).anon, 'MiB'),
    ]
  } finally {
    await cms.stop()
  }
}

/** Milliseconds until the whole answer has arrived. */
async function visit(url: string, path: string): Promise<number> {
  const began = performance.now()
  const { statusCode, body } = await request(url + path, { headers: { host: SITE_HOST } })
  await body.dump({ limit: Number.POSITIVE_INFINITY })
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`)
  return Math.round(performance.now() - began)
}

function fact(name: string, value: number, unit: string): Fact {
  return { name, value, unit }
}

/** Median of several starts, each after a stop by this signal. */
async function startTimes(
  data: string,
  signal: NodeJS.Signals,
  flags: readonly string[] = [],
): Promise<number> {
  const times: number[] = []
  for (let count = 0; count <= STARTS; count += 1) {
    const server = await startCms(data, flags)
    // The first start follows a stop by another signal and does not count.
    if (count > 0) times.push(server.startMs)
    await server.stop(signal)
  }
  times.sort((left, right) => left - right)
  return Math.round(times[Math.floor(times.length / 2)] ?? 0)
}

interface Target {
  readonly url: string
  readonly key: string
  readonly category: number
}

/** Imports the tree and returns the seconds it took. */
export function importTree(site: string, { url, key, category }: Target): number {
  const began = performance.now()
  const to = ['--url', url, '--key', key, '--category', String(category)]
  const args = ['import', site, ...to, '--publish']
  execFileSync(process.execPath, [launcher, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return (performance.now() - began) / 1_000
}

function makeTree(site: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const folder = join(site, `folder-${index % 50}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, `page-${index}.html`),
      `<p>${index}</p>`.padEnd(FILE_BYTES, 'lorem ipsum '),
    )
  }
}
