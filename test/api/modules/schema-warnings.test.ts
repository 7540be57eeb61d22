// The answer to an accepted table_schema warns about unusual parts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newName, read } from '../../helpers/content.ts'
import { changeSchema, makeCalendar, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const ODD = 'a C(40000), b X INDEX'

test('only a create or update with an odd schema gets warnings', async () => {
  const table = await makeTable(server, ODD)
  const { warnings } = table.record
  assert.match(warnings[0], /^A row takes up to 160014 bytes/)
  assert.match(warnings[1], /^INDEX is ignored for "b"/)
  assert.equal('warnings' in (await read(server, table.path)).body, false)

  const titled = await changeSchema(server, table.path, { title: 'T' })
  assert.equal('warnings' in titled.body, false)
  const changed = await changeSchema(server, table.path, { table_schema: 'a C(50000), b X' })
  assert.equal(changed.body.warnings.length, 1)
  const mended = await changeSchema(server, table.path, { table_schema: 'a C(50), b X' })
  assert.deepEqual([mended.status, 'warnings' in mended.body], [200, false])
})

test('a dry run returns the warnings of the change, and calendars have the same rules', async () => {
  const calendar = await makeCalendar(server)
  const planned = await changeSchema(server, calendar.path, { table_schema: ODD }, '?dry_run=true')
  assert.deepEqual([planned.status, planned.body.warnings.length], [200, 2])
  assert.deepEqual(planned.body.plan.added, ['a', 'b'])
  const json = { name: newName('calendar'), table_schema: ODD }
  const made = await server.call('POST', '/api/v2/calendar', { json })
  assert.deepEqual([made.status, made.body.warnings.length], [201, 2])
})
