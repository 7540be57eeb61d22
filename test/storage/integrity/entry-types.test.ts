// Entries of modules are record types that only the store itself defines. A start after a crash and
// `check` must read them too.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, send } from '../../helpers/server.ts'

const dataDir = newDataDirectory()
let server: ChildServer
let key: string
before(async () => {
  server = await startChild(dataDir)
  key = await makeKey(dataDir)
})
after(async () => {
  await server.kill('SIGKILL')
  removeDataDirectories()
})

async function call(method: string, path: string, json?: unknown): Promise<Answer> {
  const answer = await send(server.url, method, path, { key, json })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer
}

async function crash(): Promise<void> {
  await server.kill('SIGKILL')
  server = await startChild(dataDir)
}

async function makeTable(name: string, columns: string): Promise<any> {
  const { body } = await call('POST', '/api/v2/datatable', { name, table_schema: columns })
  const rows = Array.from({ length: 500 }, (_, at) => ({
    title: `t${at}`,
    parent_category_id: 9,
  }))
  await call('POST', body.module_url, rows)
  return body
}

async function assertSound(): Promise<void> {
  const { code, stdout } = await runCli(['check', '--data', dataDir])
  assert.match(stdout, /No faults found\.\n$/)
  assert.equal(code, 0)
}

const COLUMNS = 'title C(20), parent_category_id I'

test('a server that was killed starts again with the entries of its modules', async () => {
  const { module_url: url } = await makeTable('killed', COLUMNS)
  await crash()
  const { body } = await call('GET', `${url}?count=exact&qry={"title":"t5"}`)
  assert.equal(body.page.total, 1)
  await assertSound()
})

test('a crash while an index is built or dropped loses no row', async () => {
  const { datatable_id: id, module_url: url } = await makeTable('changed', COLUMNS)
  await call('POST', `/api/v2/datatable/${id}`, {
    table_schema: `${COLUMNS}, kind C(9) DEFAULT 'x'`,
  })
  await crash()
  const found = await call('GET', `${url}?count=exact&qry={"kind":"x"}`)
  assert.equal(found.body.page.total, 500)

  const path = `/api/v2/datatable/${id}?confirm=drop`
  await call('POST', path, { table_schema: 'title C(20), parent_category_id I' })
  await crash()
  await settle()
  await assertSound()
})

test('a crash while a deleted module is cleared leaves no damage', async () => {
  const { datatable_id: id } = await makeTable('deleted', COLUMNS)
  await call('DELETE', `/api/v2/datatable/${id}`)
  await crash()
  await settle()
  await assertSound()
})

/** Waits for background work, which is short; a stop does not wait for it. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300))
}
