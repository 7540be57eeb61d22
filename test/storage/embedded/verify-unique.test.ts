// Values that are unique, checked from outside: what the server keeps so, `check` finds when it is not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moduleLayout } from '../../../lib/schema/module.ts'
import { valueOf } from '../../../lib/schema/record.ts'
import { verifyRecords } from '../../../lib/storage/embedded/verify-records.ts'
import type { JsonObject } from '../../../lib/storage/port.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
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

test('entries that share the value of a unique column are told, each with the first that has it', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { id, url } = await makeTable(server, 'a C(900), n N(30.2)')
  await makeEntries(server, url, ENTRIES)
  await server.stop()

  await tamper(server.dataDir, async (kv, records) => {
    assert.deepEqual(verifyRecords(kv).faults, [])
    const layout = valueOf<any>(records.get(moduleLayout, 'datatable', id) ?? assert.fail())
    const columns = layout.columns.map((item: any) => ({
      ...item,
      column: { ...item.column, isUnique: true },
    }))
    const changed: JsonObject = { ...layout, columns }
    await records.commit((unit) => void unit.put(moduleLayout, ['datatable', id], changed))

    const { faults } = verifyRecords(kv)
    const name = `datatable_entry.${id}`
    assert.deepEqual(
      faults.map(({ kind, detail, mend }) => [kind, detail.split(',')[0], mend]),
      [
        ['reference', `${name}/1 and 7 have the same value in a`, undefined],
        ['reference', `${name}/1 and 9 have the same value in a`, undefined],
        ['reference', `${name}/4 and 8 have the same value in a`, undefined],
        ['reference', `${name}/3 and 7 have the same value in n`, undefined],
      ],
    )
    assert.deepEqual(verifyRecords(kv, 'start').faults, [])
  })
})
