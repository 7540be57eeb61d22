// A site with records of an earlier version: decimals stored as numbers, and columns without properties that
// are null.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryTypeName } from '../../../lib/schema/entry.ts'
import { datatable, moduleLayout } from '../../../lib/schema/module.ts'
import type { JsonObject, RecordType } from '../../../lib/schema/values.ts'
import { read } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { changeSchema, listAll, makeEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

const SCHEMA = 'a N(5.2) DEFAULT 1.5, b I'

/** Makes a site as the earlier version stored it. */
async function makeEarlier(dataDir: string): Promise<{ path: string; url: string; key: string }> {
  const server = await startTestServer({ dataDir })
  const { id, path, url } = await makeTable(server, SCHEMA)
  await makeEntries(server, url, [{ a: '1.5', b: 1 }, { a: '2.50' }, { a: '7', b: 3 }, { a: null }])
  await server.stop()

  const columns: readonly JsonObject[] = [
    { name: 'a', type: 'N', size: 5, scale: 2, isRequired: false, isUnsigned: false, default: 1.5 },
    { name: 'b', type: 'I', isRequired: false, isUnsigned: false },
  ]
  // The records of earlier versions do not match the current layout type.
  const layouts: RecordType<JsonObject> = { name: moduleLayout.name, indexes: [] }
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const { decimals, ...layout } = unit.get(layouts, 'datatable', id)?.value ?? {}
      assert.equal(decimals, 'text')
      const [first, second] = layout['columns'] as readonly JsonObject[]
      const old = [
        { ...first, column: columns[0] ?? null, fill: 1.5 },
        { ...second, column: columns[1] ?? null },
      ]
      unit.put(layouts, ['datatable', id], { ...layout, columns: old })
      const type = { name: datatable.recordType.name, indexes: [] }
      unit.put(type, [id], { ...unit.get(type, id)?.value, columns })
      const entries = { name: entryTypeName('datatable', id), indexes: [] }
      for (const [entryId, a] of [
        [1, 1.5],
        [3, 7],
      ] as const)
        unit.put(entries, [entryId], { ...unit.get(entries, entryId)?.value, a })
    }),
  )
  return { path, url, key: server.key }
}

async function withEarlier(
  use: (server: TestServer, table: { path: string; url: string }) => Promise<void>,
): Promise<void> {
  const dataDir = newDataDirectory()
  const { path, url, key } = await makeEarlier(dataDir)
  const server = await startTestServer({ dataDir })
  const call: TestServer['call'] = (method, address, given) =>
    server.call(method, address, { key, ...given })
  try {
    await use({ ...server, call }, { path, url })
  } finally {
    await server.close()
  }
}

const valuesOf = async (server: TestServer, url: string, query: object = {}) =>
  (await listAll(server, url, { ...query })).map((entry) => entry.a)

test('decimals that were stored as numbers are answered as strings, and found', async () => {
  await withEarlier(async (server, { path, url }) => {
    assert.deepEqual(await valuesOf(server, url), ['1.5', '2.50', '7', null])
    assert.equal((await read(server, `${url}/1?fields=a`)).body.a, '1.5')
    assert.equal((await makeEntry(server, url, {})).a, '1.5')
    assert.deepEqual(await valuesOf(server, url, { qry: { a: 7 } }), ['7'])
    assert.deepEqual(await valuesOf(server, url, { qry: { a: { $gt: 2 } } }), ['2.50', '7'])
    const changed = await server.call('POST', `${url}/1`, { json: { b: 2 } })
    assert.deepEqual([changed.body.a, changed.body.b], ['1.5', 2])

    const wider = await changeSchema(server, path, { table_schema: 'a N(9.2), b I, c N DEFAULT 2' })
    assert.equal(wider.status, 200, wider.text)
    assert.deepEqual(await valuesOf(server, url), ['1.5', '2.50', '7', null, '1.5'])
    const retyped = await changeSchema(server, path, { table_schema: 'a F, b I' })
    assert.equal(retyped.status, 200, retyped.text)
    assert.deepEqual(await valuesOf(server, url), [1.5, 2.5, 7, null, 1.5])
  })
})

test('columns that were stored without what there was not are answered whole, and posted back', async () => {
  await withEarlier(async (server, { path }) => {
    const { body } = await read(server, path)
    assert.deepEqual(body.columns, [
      {
        name: 'a',
        type: 'N',
        size: 5,
        scale: 2,
        isRequired: false,
        isUnsigned: false,
        isUnique: false,
        isAuto: false,
        default: '1.5',
        values: null,
      },
      {
        name: 'b',
        type: 'I',
        size: null,
        scale: null,
        isRequired: false,
        isUnsigned: false,
        isUnique: false,
        isAuto: false,
        default: null,
        values: null,
      },
    ])
    const back = await server.call('POST', path, { json: body })
    assert.equal(back.status, 200, back.text)
    const listed = await server.call('GET', '/api/v2/datatable?fields=columns')
    assert.deepEqual(listed.body.datatable[0].columns, body.columns)
  })
})
