// `check` verifies the uniqueness of values that the server keeps unique.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moduleLayout } from '../../../lib/schema/module.ts'
import { findCut } from '../../../lib/storage/integrity/verify-contents.ts'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'
import { recordKey } from '../../../lib/storage/records/format.ts'
import type { Id } from '../../../lib/schema/values.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { makeFile } from '../../helpers/content.ts'
import { makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

after(removeDataDirectories)

const LONG = 'ä'.repeat(300)

const ENTRIES = [
  { a: 'x', n: '12345678901234567890.1' },
  { a: 'y', n: '12345678901234567890.2' },
  { a: `${LONG}1`, n: '5.0' },
  { a: `${LONG}2`, n: '6' },
  {},
  {},
  { a: 'x', n: '5' },
  { a: `${LONG}2` },
  { a: 'x' },
]

test('entries that share the value of a unique column are reported, each with the first such entry', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { id, url } = await makeTable(server, 'a C(900), n N(30.2)')
  await makeEntries(server, url, ENTRIES)
  await server.stop()

  await tamper(server.dataDir, async (kv, records) => {
    assert.deepEqual(verifyRecords(kv).faults, [])
    const layout = records.get(moduleLayout, 'datatable', id)?.value ?? assert.fail()
    const columns = layout.columns.map((item) => ({
      ...item,
      column: { ...item.column, isUnique: true as const },
    }))
    const changed = { ...layout, columns }
    await records.commit((unit) => void unit.put(moduleLayout, ['datatable', id], changed))

    const { faults } = verifyRecords(kv)
    const name = `datatable_entry.${id}`
    assert.deepEqual(
      faults.map(({ kind, detail, mend }) => [kind, detail.split(',')[0], mend]),
      [
        [
          'reference',
          `${name}/1 and 7 have the same value in the unique column a. Change one of the two values.`,
          undefined,
        ],
        [
          'reference',
          `${name}/1 and 9 have the same value in the unique column a. Change one of the two values.`,
          undefined,
        ],
        [
          'reference',
          `${name}/4 and 8 have the same value in the unique column a. Change one of the two values.`,
          undefined,
        ],
        [
          'reference',
          `${name}/3 and 7 have the same value in the unique column n. Change one of the two values.`,
          undefined,
        ],
      ],
    )
    assert.deepEqual(verifyRecords(kv, 'start').faults, [])

    await kv.commit((writer) =>
      writer.put(recordKey(writer, { name, indexes: [] }, [9]), Buffer.from('no record')),
    )
    const left = verifyRecords(kv).faults.map(({ detail }) => detail.split(/[,:]/)[0])
    assert.equal(left[0], `${name}/9`)
    assert.ok(
      !left.includes(
        `${name}/1 and 9 have the same value in the unique column a. Change one of the two values.`,
      ),
    )
    assert.ok(
      left.includes(
        `${name}/1 and 7 have the same value in the unique column a. Change one of the two values.`,
      ),
    )
  })
})

test('damaged records are reported once each, and the rest is still compared', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { id, url } = await makeTable(server, 'a C(20)')
  const { id: otherId } = await makeTable(server, 'b C(20)')
  await makeEntries(server, url, [{ a: 'x' }, { a: 'y' }])
  const { asset_file_id: fileId } = await makeFile(server)
  const { asset_file_id: lostId } = await makeFile(server)
  await server.stop()

  await tamper(server.dataDir, async (kv, records) => {
    await records.commit((unit) => void unit.put({ name: 'gadget', indexes: [] }, [1], {}))
    const damaged = (name: string, ...ids: readonly Id[]) =>
      recordKey(kv, { name, indexes: [] }, ids)
    await kv.commit((writer) => {
      for (const ids of [
        [`datatable_entry.${id}`, 2],
        [moduleLayout.name, 'datatable', otherId],
        ['asset_file_version', fileId, 1],
      ] as const)
        writer.put(damaged(ids[0], ...ids.slice(1)), Buffer.from('no record at all'))
      writer.remove(damaged('asset_file_version', lostId, 1))
    })

    const { faults } = verifyRecords(kv)
    assert.deepEqual(
      faults.filter(({ kind }) => kind === 'record').map(({ detail }) => detail.split(':')[0]),
      [
        `asset_file ${lostId} has no latest version 1`,
        `asset_file_version/${fileId}/1`,
        `${moduleLayout.name}/datatable/${otherId}`,
        `datatable_entry.${id}/2`,
        'gadget/1',
      ],
    )
    assert.deepEqual(findCut(dataPathsOf(server.dataDir), kv), [])
  })
})
