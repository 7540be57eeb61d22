// The computed state of files as a field, and its index over files of an earlier version.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, read } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`

async function searchState(at: TestServer, qry: object): Promise<readonly number[]> {
  const query = new URLSearchParams({ qry: JSON.stringify(qry), fields: 'asset_file_id,state' })
  const { body, text } = await at.call('GET', `${PATH}?${query}`)
  assert.ok(Array.isArray(body.asset_file), text)
  return body.asset_file.map((file: any) => file.asset_file_id)
}

test('the state is read-only, and a record can be sent back with it', async () => {
  const file = await makeFile(server)
  const { body } = await read(server, pathOf(file))
  assert.equal((await server.call('POST', pathOf(file), { json: body })).status, 200)
  const refused = await server.call('POST', pathOf(file), { json: { state: 'published' } })
  assert.deepEqual(
    assertProblem(refused, 'invalid-content').errors.map((error: any) => error.pointer),
    ['/state'],
  )
})

test(
  'a start indexes the states of files that an earlier build stored',
  oneServer('earlier'),
  async () => {
    const first = await startTestServer({ dataDir: newDataDirectory() })
    const live = await makeFile(first, { fileState: 'publish' })
    const draft = await makeFile(first)
    await first.stop()
    await tamper(first.dataDir, (_, records) =>
      records.dropIndex('asset_file', 'state', new AbortController().signal),
    )

    const second = await startTestServer({ dataDir: first.dataDir })
    assert.deepEqual(await searchState(second, { state: 'published' }), [live.asset_file_id])
    assert.deepEqual(await searchState(second, { state: { $in: ['draft', 'staged'] } }), [
      draft.asset_file_id,
    ])
    await second.close()
  },
)
