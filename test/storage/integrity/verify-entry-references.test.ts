// `check` verifies that every record exists to which an entry refers.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assetFile } from '../../../lib/schema/asset-file.ts'
import { referrer, removalKey, removalMark } from '../../../lib/schema/reference.ts'
import { applyMend } from '../../../lib/storage/integrity/mend.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { makeFile } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

after(removeDataDirectories)

test('references to missing records are reported, and cleared if the column is nullable', async () => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const target = await makeTable(server, 'a I')
  const { id, url } = await makeTable(
    server,
    `one I REFERENCES datatable ${target.id}, all I REFERENCES datatable ${target.id} MANY, must FILE NOTNULL`,
  )
  await makeEntry(server, target.url, {})
  await makeEntry(server, target.url, {})
  const { asset_file_id: file } = await makeFile(server)
  await makeEntry(server, url, { one: 1, all: [2, 1], must: file })
  await makeEntry(server, url, { one: 2, must: file })
  await server.stop()

  await tamper(server.dataDir, async (kv, records) => {
    assert.deepEqual(verifyRecords(kv).faults, [])
    const type = { name: `datatable_entry.${target.id}`, indexes: [] }
    await records.commit((unit) => {
      unit.remove(type, 1)
      unit.remove(referrer, 'datatable', target.id, 'datatable', id)
      unit.put(referrer, ['calendar', 7, 'datatable', id], { kind: 'datatable', id })
      unit.put(removalMark, removalKey({ object: 'asset_file', module_id: null, id: file }), {
        work: 'gone',
      })
    })
    const { faults } = verifyRecords(kv)
    assert.deepEqual(
      faults.filter(({ kind }) => kind === 'reference').map(({ detail }) => detail),
      [
        `datatable_entry.${id}/1 refers in one to datatable 1, which is missing, and refers in all to datatable 1, which is missing`,
        `module_referrer/calendar/7/datatable/${id} remains, although no column refers to it`,
        `module_referrer/datatable/${target.id}/datatable/${id} is missing`,
        `removal_mark/asset_file/0/${file} remains, although no work deletes the record`,
      ],
    )
    for (const { mend } of faults) await applyMend(kv, records, mend ?? assert.fail())
    assert.deepEqual(verifyRecords(kv).faults, [])

    await records.commit((unit) => unit.remove(assetFile.recordType, file))
    const required = verifyRecords(kv).faults.filter(({ detail }) => detail.includes('must'))
    assert.deepEqual(
      required.map(({ mend }) => mend),
      [undefined, undefined],
    )
  })
})
