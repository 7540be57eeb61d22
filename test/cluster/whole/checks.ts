// What must hold when all is well again, asked of each node by itself.

import { setTimeout as sleep } from 'node:timers/promises'
import { readAt } from './doors.ts'
import { type Load, sumOf } from './load.ts'

const PAGE = 1000
const WAIT_MS = 60_000

/** In words, what is not as the writers were told; of each node. */
export async function faultsAt(load: Load, url: string): Promise<readonly string[]> {
  const { key } = load.doors
  const faults: string[] = []
  const read = async (path: string): Promise<any> => {
    for (const until = Date.now() + WAIT_MS; Date.now() < until; ) {
      const reply = await readAt(url, key, path)
      if (reply !== undefined) return reply
      await sleep(200)
    }
    throw new Error(`${url} does not answer ${path}`)
  }

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

  for (const { register, file } of load.known) {
    const { body } = await read(`/api/v2/asset_category/${register.id}`)
    if (body.title !== String(register.count))
      faults.push(`folder ${register.id} counts ${body.title}, and not ${register.count}`)
    const path = `/api/v2/asset_file/${file.id}`
    const { body: record } = await read(path)
    if (record.version !== file.version || record.live_version !== file.version)
      faults.push(`file ${file.id} has ${record.version} versions, and not ${file.version}`)
    for (let version = 1; version <= file.version; version += 1) {
      const one = await read(`${path}/versions/${version}/content`)
      const isLast = version === file.version
      if (one.status !== 200 || (isLast && sumOf(one.body) !== file.sha256))
        faults.push(`version ${version} of file ${file.id}: ${one.status}`)
    }
  }
  return faults
}
