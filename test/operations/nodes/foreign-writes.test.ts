// A node measures rows before it changes columns or moves a folder, while another node writes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startCluster } from '../../helpers/cluster.ts'
import { make, read } from '../../helpers/content.ts'
import { changeSchema, listAll, makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTwo } from './two-nodes.ts'

const cluster = await startCluster()
const FOLDER = '/api/v2/asset_category'

test('a column becomes unique only if no other node stored an equal value meanwhile', async (t) => {
  const [a, b] = await startTwo(t, cluster)
  const table = await makeTable(a, 'a C(20)')
  const rows = Array.from({ length: 6_000 }, (_, at) => ({ a: `v${at}` }))
  await makeEntries(a, table.url, rows)

  for (let round = 0; round < 10; round += 1) {
    const changing = changeSchema(a, table.path, { table_schema: 'a C(20) UNIQUE' })
    await wait(10 + 8 * round)
    // The row is first in index order, so it is counted early.
    const written = await b.call('POST', table.url, { key: a.key, json: { a: 'v0' } })
    assert.ok([201, 409].includes(written.status), written.text)
    const changed = await changing

    const values = (await listAll(a, table.url, { fields: 'a' })).map((entry) => entry.a)
    const shared = values.length - new Set(values).size
    assert.equal(changed.status, shared === 0 ? 200 : 409, changed.text)
    assert.equal(written.status === 409, shared === 0)

    assert.equal((await changeSchema(a, table.path, { table_schema: 'a C(20)' })).status, 200)
    if (written.status === 201) await a.call('DELETE', written.headers.location ?? '')
  }
})

test('the depth limit holds while another node creates folders below a moving folder', async (t) => {
  const maxFolderDepth = 8
  const [a, b] = await startTwo(t, cluster, { limits: { maxFolderDepth } })
  const create = async (parent_category_id: number, name: string): Promise<number> =>
    (await make(a, 'asset_category', { name, parent_category_id })).asset_category_id
  const chain = async (parent: number, levels: number): Promise<number> => {
    let last = parent
    for (let at = 0; at < levels; at += 1) last = await create(last, `level ${at}`)
    return last
  }
  const target = await chain(1, 4)
  const top = await create(1, 'top')
  // The measurement of a thousand folders takes a while.
  for (let at = 0; at < 1_000; at += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => create(top, `wide ${at + more}`)))
  const bottom = await chain(top, 2)

  for (let round = 0; round < 6; round += 1) {
    const moving = a.call('POST', `${FOLDER}/${top}`, { json: { parent_category_id: target } })
    const making = Array.from({ length: 12 }, async (_, at) => {
      await wait(2 * at)
      const json = { name: `more ${at}`, parent_category_id: bottom }
      return b.call('POST', FOLDER, { key: a.key, json })
    })
    for (const { status, text, headers } of await Promise.all([moving, ...making])) {
      assert.ok([200, 201, 422, 503].includes(status), text)
      if (status !== 201) continue
      const address = headers.location ?? ''
      const { path } = (await read(a, address)).body
      assert.ok(path.split('/').length - 1 <= maxFolderDepth, path)
      await a.call('DELETE', address)
    }
    await a.call('POST', `${FOLDER}/${top}`, { json: { parent_category_id: 1 } })
  }
})
