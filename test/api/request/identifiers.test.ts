// Impossible identifiers of records, in addresses and in bodies.

import { after, before, describe, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

describe('C7: identifiers from 0 down and beyond 2^53', () => {
  for (const id of ['0', '-1', '9007199254740992', '99999999999999999', '1.0', '1e3']) {
    test(`${id} in an address is not a record`, async () => {
      for (const object of ['asset_category', 'asset_file', 'datatable', 'user', 'api_key'])
        assertProblem(await server.call('GET', `/api/v2/${object}/${id}`), 'not-found')
      assertProblem(await server.call('DELETE', `/api/v2/asset_category/${id}`), 'not-found')
    })
  }

  for (const id of [0, -1, 2 ** 53, 1.5]) {
    test(`${id} in a body is rejected`, async () => {
      const json = { name: 'x', type: 'html', parent_category_id: id }
      assertProblem(await server.call('POST', '/api/v2/asset_file', { json }), 'invalid-content')
    })
  }
})
