// The cost of an operation at one size and at a thousandth of this size: files and folders of a site, and
// versions of one file (entries.ts measures tables). Then a start, a check of all bytes, and memory at the
// larger size.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pMap from 'p-map'
import { fire, type Load, middle, type Site } from './load.ts'
import { launcher, makeKey, memoryOf, type Running, startCms } from './processes.ts'
import { type Fact, memoryFact, number } from './report.ts'
import { changes, type FileRecord, get as getAt, post } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { FILES, ROUND_SECONDS, ROUNDS } from './settings.ts'

const FILES_PER_FOLDER = 10
const VERSIONS = 1_000
const CONNECTIONS = 50
const IN_FLIGHT = 32
const FILE_BYTES = 2_000

/** Identifiers of the files and of their folders, in the order of creation. */
interface Made {
  readonly files: readonly number[]
  readonly folders: readonly number[]
}

interface Operation {
  readonly name: string
  readonly load: (site: Site, made: Made) => Load
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'read a file record',
    load: (site, { files }) => get(site, `asset_file/${middleOf(files)}`),
  },
  { name: 'list 25 files', load: (site) => get(site, 'asset_file?length=25') },
  {
    name: 'find a file by its name',
    load: (site, { files }) =>
      get(site, `asset_file?qry={"name":"file-${Math.ceil(files.length / 2)}.html"}`),
  },
  {
    name: 'list the files of a folder',
    load: (site, { folders }) =>
      get(site, `asset_file?qry={"parent_category_id":${middleOf(folders)}}`),
  },
  {
    name: 'read a folder record',
    load: (site, { folders }) => get(site, `asset_category/${middleOf(folders)}`),
  },
  {
    name: 'change the title of a file',
    load: (site, { files }) =>
      changes(site, (count) => ({
        path: `/api/v2/asset_file/${files[count % files.length] ?? 0}`,
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
    const few = await fillFolders(site, { from: 0, to: small })
    const first = await rates(site, cms, few)
    const began = performance.now()
    const more = await fillFolders(site, { from: small, to: FILES })
    const perSecond = (FILES - small) / ((performance.now() - began) / 1_000)
    facts.push({
      name: `create ${number(FILES)} files in lists of ${FILES_PER_FOLDER}`,
      value: perSecond,
      unit: 'per second',
    })
    const all = {
      files: [...few.files, ...more.files],
      folders: [...few.folders, ...more.folders],
    }
    const last = await rates(site, cms, all)
    for (const [at, { name }] of OPERATIONS.entries())
      facts.push(growth(name, [first[at] ?? 0, last[at] ?? 0], [small, FILES]))
    facts.push(...(await measureVersions(site, cms, few.files[0] ?? 0)))
    facts.push(memoryFact(`memory with ${number(FILES)} files`, memoryOf(cms.pid)))
    await cms.stop()
    facts.push(...(await measureRest(data)))
    return facts
  } finally {
    await cms.stop()
  }
}

async function rates(site: Site, cms: Running, made: Made): Promise<readonly number[]> {
  const found: number[] = []
  for (const { name, load } of OPERATIONS) {
    console.error(`${name}, ${made.files.length} files …`)
    found.push(await rateOf(cms, name, load(site, made)))
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
async function measureVersions(site: Site, cms: Running, id: number): Promise<readonly Fact[]> {
  const path = `/api/v2/asset_file/${id}`
  const save = (): Load => changes(site, (count) => ({ path, body: { title: `version ${count}` } }))
  const reads = {
    name: 'list 25 versions',
    load: get(site, `asset_file/${id}/versions?length=25`),
  }
  const before = [await rateOf(cms, reads.name, reads.load), await rateOf(cms, 'save', save())]
  const versions = Array.from({ length: VERSIONS }, (_, at) => ({ title: `v${at}` }))
  await pMap(versions, (body) => post(site, path, body), { concurrency: IN_FLIGHT })
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

function middleOf(ids: readonly number[]): number {
  return ids[Math.floor(ids.length / 2)] ?? 0
}

interface Filling {
  readonly from: number
  readonly to: number
  /** Further fields of each file. */
  readonly fields?: object
}

/** Creates the files `from` + 1 to `to`, ten in each folder, with one request for the files of a folder. */
export async function fillFolders(site: Site, { from, to, fields }: Filling): Promise<Made> {
  const content = '<p>lorem ipsum</p>'.padEnd(FILE_BYTES, ' dolor sit amet')
  const firsts = Array.from(
    { length: Math.ceil((to - from) / FILES_PER_FOLDER) },
    (_, at) => from + 1 + at * FILES_PER_FOLDER,
  )
  const makeOne = async (first: number): Promise<Made> => {
    const { asset_category_id: folder } = (await post(site, '/api/v2/asset_category', {
      name: `folder-${first}`,
    })) as { readonly asset_category_id: number }
    const count = Math.min(FILES_PER_FOLDER, to - first + 1)
    const list = Array.from({ length: count }, (_, at) => ({
      name: `file-${first + at}.html`,
      type: 'html',
      parent_category_id: folder,
      pageContent: content,
      ...fields,
    }))
    const { asset_file: files } = (await post(site, '/api/v2/asset_file', list)) as {
      readonly asset_file: readonly FileRecord[]
    }
    return { files: files.map(({ asset_file_id: id }) => id), folders: [folder] }
  }
  const made = await pMap(firsts, makeOne, { concurrency: IN_FLIGHT })
  return {
    files: made.flatMap(({ files }) => files),
    folders: made.flatMap(({ folders }) => folders),
  }
}

function get(site: Site, path: string): Load {
  return getAt(site, encodeURI(`/api/v2/${path}`))
}
