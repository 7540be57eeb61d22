// The cost of an operation at one size and at a thousandth of this size: files and folders of a site, and
// versions of one file (entries.ts measures tables). Then a start, a check of all bytes, and memory at the
// larger size.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pMap from 'p-map'
import { Pool } from 'undici'
import { fire, type Load, middle, type Site } from './load.ts'
import { launcher, makeKey, memoryOf, type Running, startCms } from './processes.ts'
import { type Fact, memoryFact, number } from './report.ts'
import { changes, get as getAt, json, jsonHeaders } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { FILES, ROUND_SECONDS, ROUNDS } from './settings.ts'

const FILES_PER_FOLDER = 10
const FILES_PER_LIST = 100
const VERSIONS = 1_000
const CONNECTIONS = 50
const IN_FLIGHT = 32
const FILE_BYTES = 2_000

interface Operation {
  readonly name: string
  readonly load: (site: Site, files: number) => Load
}

const OPERATIONS: readonly Operation[] = [
  { name: 'read a file record', load: (site, files) => get(site, `asset_file/${half(files)}`) },
  { name: 'list 25 files', load: (site) => get(site, 'asset_file?length=25') },
  {
    name: 'find a file by its name',
    load: (site, files) => get(site, `asset_file?qry={"name":"file-${half(files)}.html"}`),
  },
  {
    name: 'list the files of a folder',
    load: (site, files) =>
      get(site, `asset_file?qry={"parent_category_id":${folderOf(half(files))}}`),
  },
  {
    name: 'read a folder record',
    load: (site, files) => get(site, `asset_category/${folderOf(half(files))}`),
  },
  {
    name: 'change the title of a file',
    load: (site, files) =>
      changes(site, (count) => ({
        path: `/api/v2/asset_file/${1 + (count % files)}`,
        body: { title: `title ${count}` },
      })),
  },
]

export async function measureSizes(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  try {
    const facts: Fact[] = []
    const small = FILES / 1_000
    await fill(site, 0, small)
    const first = await rates(site, cms, small)
    const began = performance.now()
    await fill(site, small, FILES)
    const perSecond = (FILES - small) / ((performance.now() - began) / 1_000)
    facts.push({
      name: `create ${number(FILES)} files in lists of ${FILES_PER_LIST}`,
      value: perSecond,
      unit: 'per second',
    })
    const last = await rates(site, cms, FILES)
    for (const [at, { name }] of OPERATIONS.entries())
      facts.push(growth(name, [first[at] ?? 0, last[at] ?? 0], [small, FILES]))
    facts.push(...(await measureVersions(site, cms)))
    facts.push(memoryFact(`memory with ${number(FILES)} files`, memoryOf(cms.pid)))
    await cms.stop()
    facts.push(...(await measureRest(data)))
    return facts
  } finally {
    await cms.stop()
  }
}

async function rates(site: Site, cms: Running, files: number): Promise<readonly number[]> {
  const found: number[] = []
  for (const { name, load } of OPERATIONS) {
    console.error(`${name}, ${files} files …`)
    found.push(await rateOf(cms, name, load(site, files)))
  }
  return found
}

async function rateOf(cms: Running, name: string, load: Load): Promise<number> {
  const firing = { load, connections: CONNECTIONS, seconds: ROUND_SECONDS }
  await fire(cms, { ...firing, seconds: 1 })
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await fire(cms, firing))
  const { perSecond, errors } = middle(rounds)
  if (errors > 0) throw new Error(`${name}: ${errors} errors`)
  return perSecond
}

function growth(
  name: string,
  [few, many]: readonly [number, number],
  [small, large]: readonly [number, number],
): Fact {
  const text = `${name}: ${number(few)} a second at ${number(small)}, ${number(many)} at ${number(large)}; cost`
  return { name: text, value: Number((few / many).toFixed(2)), unit: 'times' }
}

/** Reads and saves of a file with many versions, beside a file with one version. */
async function measureVersions(site: Site, cms: Running): Promise<readonly Fact[]> {
  const save = (): Load =>
    changes(site, (count) => ({
      path: '/api/v2/asset_file/1',
      body: { title: `version ${count}` },
    }))
  const reads = { name: 'list 25 versions', load: get(site, 'asset_file/1/versions?length=25') }
  const before = [await rateOf(cms, reads.name, reads.load), await rateOf(cms, 'save', save())]
  await post(
    site,
    Array.from({ length: VERSIONS }, (_, at) => ['asset_file/1', { title: `v${at}` }]),
  )
  const after = [await rateOf(cms, reads.name, reads.load), await rateOf(cms, 'save', save())]
  return ['list 25 versions', 'save, one file'].map((name, at) => ({
    name: `${name}: cost with some thousand versions, over that with fewer`,
    value: Number(((before[at] ?? 0) / (after[at] ?? 1)).toFixed(2)),
    unit: 'times',
  }))
}

async function measureRest(data: string): Promise<readonly Fact[]> {
  const clean = await startCms(data)
  await clean.stop('SIGKILL')
  const crashed = await startCms(data)
  await crashed.stop()
  const began = performance.now()
  execFileSync(process.execPath, [launcher, 'check', '--data', data], { stdio: 'ignore' })
  const seconds = (performance.now() - began) / 1_000
  const gib = (FILES * FILE_BYTES) / 1024 ** 3
  return [
    { name: `start with ${number(FILES)} files`, value: Math.round(clean.startMs), unit: 'ms' },
    { name: 'start after kill -9', value: Math.round(crashed.startMs), unit: 'ms' },
    { name: `check of ${number(FILES)} files of ${FILE_BYTES} bytes`, value: seconds, unit: 's' },
    { name: 'the same for each GiB of such small files', value: seconds / gib, unit: 's' },
  ]
}

const FIRST_FOLDER = 13

function folderOf(file: number): number {
  return FIRST_FOLDER + Math.floor((file - 1) / FILES_PER_FOLDER)
}

function half(files: number): number {
  return Math.ceil(files / 2)
}

type Creation = readonly [path: string, body: object]

/**
 * Creates files `from` + 1 to `to`, ten per folder, with many in one request, as an import does.
 */
async function fill(site: Site, from: number, to: number): Promise<void> {
  const folders: Creation[] = []
  const lists: Creation[] = []
  const content = '<p>lorem ipsum</p>'.padEnd(FILE_BYTES, ' dolor sit amet')
  for (let file = from + 1; file <= to; file += FILES_PER_FOLDER)
    folders.push(['asset_category', { name: `folder-${folderOf(file)}` }])
  for (let first = from + 1; first <= to; first += FILES_PER_LIST) {
    const count = Math.min(FILES_PER_LIST, to - first + 1)
    const files = Array.from({ length: count }, (_, at) => ({
      name: `file-${first + at}.html`,
      type: 'html',
      parent_category_id: folderOf(first + at),
      pageContent: content,
    }))
    lists.push(['asset_file', files])
  }
  await post(site, folders)
  await post(site, lists)
}

async function post({ url, key }: Site, creations: readonly Creation[]): Promise<void> {
  const pool = new Pool(url, { connections: IN_FLIGHT })
  await pMap(
    creations,
    async ([path, body]) => {
      const answer = await pool.request({
        method: 'POST',
        path: `/api/v2/${path}`,
        headers: jsonHeaders({ key }),
        body: json(body),
      })
      if (answer.statusCode >= 300) throw new Error(await answer.body.text())
      await answer.body.dump()
    },
    { concurrency: IN_FLIGHT },
  )
  await pool.close()
}

function get(site: Site, path: string): Load {
  return getAt(site, encodeURI(`/api/v2/${path}`))
}
