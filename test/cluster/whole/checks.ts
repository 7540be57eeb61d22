// Invariants that must hold while nobody writes, checked on each node separately.

import { setTimeout as sleep } from 'node:timers/promises'
import { readAt, type Reply } from './doors.ts'
import { type Known, type Load, sumOf } from './load.ts'

const PAGE = 1000
const WAIT_MS = 60_000

/** The number of versions to skip in the file of each writer, because they were compared before. */
type Passed = readonly number[]

/** Describes where a node contradicts the answers that writers received. */
export async function faultsAt(
  load: Load,
  url: string,
  passed: Passed = [],
): Promise<readonly string[]> {
  const read = (path: string): Promise<Reply> => readSurely(url, load.doors.key, path)
  const found = await Promise.all([
    faultsOfFolders(load, read),
    ...load.known.map((known, at) => faultsOfWriter(known, read, passed[at] ?? 0)),
  ])
  return found.flat().map((fault) => `${url}: ${fault}`)
}

type Read = (path: string) => Promise<Reply>

async function readSurely(url: string, key: string, path: string): Promise<Reply> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(200)) {
    const reply = await readAt(url, key, path)
    if (reply !== undefined) return reply
  }
  throw new Error(`${url} does not answer ${path}`)
}

async function faultsOfFolders(load: Load, read: Read): Promise<readonly string[]> {
  const faults: string[] = []
  const found = new Map<number, string>()
  for (let start = 1; ; start += 1) {
    const { body } = await read(
      `/api/v2/asset_category?length=${PAGE}&start=${start}&orderStr=asset_category_id`,
    )
    for (const { asset_category_id: id, name } of body.asset_category) found.set(id, name)
    if (body.asset_category.length < PAGE) break
  }
  const wanted = new Map(load.known.flatMap(({ folders }) => [...folders]))
  for (const [id, name] of wanted)
    if (found.get(id) !== name) faults.push(`folder ${id} (${name}) is lost`)
  for (const [id, name] of found)
    if (name.startsWith('folder-') && !wanted.has(id))
      faults.push(`folder ${id} (${name}) is there twice, or again`)
  return faults
}

async function faultsOfWriter(
  { register, file }: Known,
  read: Read,
  passed: number,
): Promise<readonly string[]> {
  const faults: string[] = []
  const { body } = await read(`/api/v2/asset_category/${register.id}`)
  if (body.title !== String(register.count))
    faults.push(`folder ${register.id} counts ${body.title}, and not ${register.count}`)
  const path = `/api/v2/asset_file/${file.id}`
  const { body: record } = await read(path)
  const { length: last } = file.sums
  if (record.version !== last || record.live_version !== last)
    faults.push(`file ${file.id} has ${record.version} versions, and not ${last}`)
  for (let version = passed + 1; version <= last; version += 1) {
    const { status, body: text } = await read(`${path}/versions/${version}/content`)
    if (status !== 200 || sumOf(text) !== file.sums[version - 1])
      faults.push(`version ${version} of file ${file.id}: ${status}, or other bytes`)
  }
  return faults
}
