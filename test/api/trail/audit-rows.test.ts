// The changes that write an audit row and the changes that do not, and searches for rows.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '../../../lib/workers/passwords.ts'
import {
  assertProblem,
  fileOf,
  make,
  makeFile,
  makeFolder,
  newName,
  partsOf,
} from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/audit'

let server: TestServer
let live: string
let draft: string
let table: any

before(async () => {
  server = await startTestServer()
  const page = await makeFile(server, { fileState: 'publish' })
  live = `/api/v2/asset_file/${page.asset_file_id}`
  draft = `/api/v2/asset_file/${(await makeFile(server)).asset_file_id}`
  table = await make(server, 'datatable', { name: 'Books', table_schema: 'title C(20)' })
})
after(() => server.close())

const post = (path: string, json: object): Promise<Answer> => server.call('POST', path, { json })

async function find(qry: object, more = ''): Promise<readonly any[]> {
  const text = encodeURIComponent(JSON.stringify(qry))
  const answer = await server.call('GET', `${PATH}?length=1000&qry=${text}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.audit
}

/** Returns the rows that a change writes. */
async function rowsOf(change: () => Promise<unknown>): Promise<readonly any[]> {
  const last = (await find({})).at(-1)
  await change()
  return find({ audit_id: { $gt: last.audit_id } })
}

async function sameAgain(path: string): Promise<Answer> {
  const { body } = await server.call('GET', `/api/v2/${path}`)
  return post(`/api/v2/${path}`, body)
}

function changeTable(query: string, table_schema: string): Promise<Answer> {
  return post(`/api/v2/datatable/${table.datatable_id}${query}`, { table_schema })
}

function uploadTo(asset_category_id: string): Promise<Answer> {
  return server.upload([...partsOf({ asset_category_id }), fileOf('x', newName('bin'))])
}

const UNCHANGED: readonly (readonly [string, number, () => Promise<Answer>])[] = [
  ['a folder that is sent back as it was read', 200, () => sameAgain('asset_category/12')],
  ['a user that is sent back as it was read', 200, () => sameAgain('user/1')],
  ['an empty update of a page', 200, () => post(live, {})],
  ['a publish of a live page', 200, () => post(`${live}/publish`, {})],
  ['an unpublish of a page that is not live', 200, () => post(`${draft}/unpublish`, {})],
  ['an unstage of a page that is not staged', 200, () => post(`${draft}/unstage`, {})],
  ['a dry run of a change of a table', 200, () => changeTable('?dry_run=true', 'a C(9)')],
  ['a refused change of a table', 422, () => changeTable('', 'title Q(9)')],
  ['a taken name', 409, () => post('/api/v2/asset_category', { name: 'modules' })],
  ['a missing file', 404, () => server.call('DELETE', '/api/v2/asset_file/999999')],
  ['a folder that is not empty', 409, () => server.call('DELETE', '/api/v2/asset_category/1')],
  [
    'a list with one invalid entry',
    422,
    () => post(table.module_url, [{ title: '' }, { titel: '' }]),
  ],
  ['an upload to a missing folder', 422, () => uploadTo('999999')],
]

describe('there is no row of', () => {
  for (const [what, status, change] of UNCHANGED) {
    test(what, async () => {
      const rows = await rowsOf(async () => {
        const answer = await change()
        assert.equal(answer.status, status, answer.text)
      })
      assert.deepEqual(rows, [])
    })
  }
})

describe('there are rows of', () => {
  test('the contents of a deleted folder, with the user of the request, after the row of the folder', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const { asset_category_id: below } = await makeFolder(server, { parent_category_id: id })
    const { asset_file_id: fileId } = await makeFile(server, { parent_category_id: below })
    const table = { name: 'x', parent_category_id: id, table_schema: 'a I' }
    const { datatable_id: tableId } = await make(server, 'datatable', table)
    const rows = await rowsOf(async () => {
      const answer = await server.call('DELETE', `/api/v2/asset_category/${id}?recursive=true`)
      assert.equal(answer.status, 204)
      assert.equal((await server.call('GET', `/api/v2/asset_file/${fileId}`)).status, 404)
    })
    assert.deepEqual(
      rows.map((row) => [row.action, row.object, row.object_id]),
      [
        ['delete', 'asset_category', id],
        ['delete', 'asset_file', fileId],
        ['delete', 'asset_category', below],
        ['delete', 'datatable', tableId],
      ],
    )
    for (const row of rows) assert.equal(row.request_id, rows[0].request_id)
  })

  test('the first fifty files of a deleted folder, because later commits remove the others', async () => {
    const { asset_category_id: parent_category_id } = await makeFolder(server)
    for (let list = 0; list < 2; list += 1) {
      const json = Array.from({ length: 50 }, () => ({
        name: newName('html'),
        type: 'html',
        parent_category_id,
      }))
      assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
    }
    const rows = await rowsOf(() =>
      server.call('DELETE', `/api/v2/asset_category/${parent_category_id}?recursive=true`),
    )
    const counts = rows.filter(({ object }) => object === 'asset_file').map(({ count }) => count)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      100,
    )
    assert.ok(Math.max(...counts) <= 50, `${counts}`)
  })
})

test('each of several simultaneous changes has a row, in the order of commits', async () => {
  const rows = await rowsOf(() =>
    Promise.all(Array.from({ length: 20 }, () => make(server, 'file_group', { name: 'x' }))),
  )
  assert.equal(new Set(rows.map((row) => row.object_id)).size, 20)
  assert.equal(new Set(rows.map((row) => row.request_id)).size, 20)
  const dates = rows.map((row) => row.date_added)
  assert.deepEqual(dates, dates.toSorted())
  const first = rows[0].audit_id
  assert.deepEqual(
    rows.map((row) => row.audit_id),
    rows.map((_, at) => first + at),
  )
})

test('an update of an entry with an older layout lists the changed columns by their present names', async () => {
  const { datatable_id: id, module_url: url } = await make(server, 'datatable', {
    name: 'Renamed',
    table_schema: 'old C(20), other I',
  })
  await post(url, { old: 'a', other: 1 })
  const columns = [{ name: 'new', renamed_from: 'old' }]
  const schema = { table_schema: 'new C(20), other I, more I DEFAULT 5', columns }
  assert.equal((await post(`/api/v2/datatable/${id}`, schema)).status, 200)
  const [row] = await rowsOf(() => post(`${url}/1`, { other: 2 }))
  assert.deepEqual([row.action, row.changed_fields], ['update', ['other']])
})

test('commands add rows without a user, an address or a request', async () => {
  const hashed = await hashPassword('correct horse battery staple')
  const rows = await rowsOf(async () => {
    await server.command({ command: 'user.create', name: 'eve', role: 'editor' })
    await server.command({ command: 'user.disable', name: 'eve' })
    await server.command({ command: 'user.disable', name: 'eve' })
    await server.command({ command: 'user.enable', name: 'eve' })
    await server.command({ command: 'user.password', name: 'eve', hashed })
    await server.command({ command: 'key.create', name: 'k', user: 'eve' })
    await server.command({ command: 'key.rotate', key: 'k' })
    await server.command({ command: 'key.revoke', key: 'k' })
    await server.command({ command: 'key.list' })
    await assert.rejects(server.command({ command: 'key.create', name: 'k', user: 'nobody' }))
  })
  assert.deepEqual(
    rows.map((row) => [row.action, row.object, row.changed_fields]),
    [
      ['create', 'user', null],
      ['update', 'user', ['status']],
      ['update', 'user', ['status']],
      ['update', 'user', ['password']],
      ['create', 'api_key', null],
      ['rotate', 'api_key', ['hint']],
      ['revoke', 'api_key', ['status']],
    ],
  )
  for (const row of rows) {
    const { user_name, user_id, api_key_id, address, request_id } = row
    assert.deepEqual([user_name, user_id, api_key_id, address, request_id], Array(5).fill(null))
  }
  assert.ok(!JSON.stringify(rows).includes(hashed.slice(0, 9)))
})

test('the row of a publish has the version that goes live, even if a later version is staged', async () => {
  const { asset_file_id: id } = await makeFile(server, { fileState: 'publish' })
  const path = `/api/v2/asset_file/${id}`
  const rows = await rowsOf(async () => {
    await post(path, { title: 'later', fileState: 'stage' })
    await post(path, { fileState: 'publish' })
    await post(`${path}/publish`, { version: 1 })
  })
  assert.deepEqual(
    rows.map(({ action, version, fileState }) => [action, version, fileState]),
    [
      ['update', 2, 'stage'],
      ['update', 2, 'publish'],
      ['publish', 1, 'publish'],
    ],
  )
})

describe('rows are', () => {
  test('found by user, object, record, action and time', async () => {
    const { user_id: userId } = await make(server, 'user', { name: 'ann', role: 'editor' })
    const key = await server.makeKey({ name: 'ann', user: 'ann' })
    const [row] = await rowsOf(() => server.call('POST', `${draft}/stage`, { key }))
    const id = row.object_id
    const queries = [
      { user_id: userId },
      { user_name: 'ann' },
      { object: 'asset_file', object_id: id, action: 'stage' },
      { object_id: id, fileState: 'stage' },
      { date_added: { $gte: row.date_added, $lte: row.date_added }, user_id: userId },
    ]
    for (const qry of queries) assert.deepEqual(await find(qry), [row], JSON.stringify(qry))
    assert.deepEqual((await server.call('GET', `${PATH}/${row.audit_id}`)).body, row)
    assert.deepEqual(await find({ user_id: userId }, '&fields=action'), [{ action: 'stage' }])
  })

  test('found by record and by time with a scan of few rows', async () => {
    const { module_url: url } = await make(server, 'datatable', { name: 'M', table_schema: 'a I' })
    for (let count = 0; count < 200; count += 1) await post(url, { a: count })
    // A search scans rows within one further second (schema/audit.ts).
    await sleep(1_100)
    await post(url, { a: 200 })
    const last = (await find({})).at(-1)
    const qry = { object: 'datatable_entry', module_id: last.module_id, object_id: 150 }
    const time = { date_added: { $gte: last.date_added } }
    for (const query of [qry, time]) {
      const text = encodeURIComponent(JSON.stringify(query))
      const { headers, body } = await server.call('GET', `${PATH}?qry=${text}`)
      const scanned = Number(/scanned (\d+)/.exec(String(headers['server-timing']))?.[1])
      assert.ok(body.audit.length > 0 && scanned <= body.audit.length + 5, `${scanned} looked at`)
    }
  })

  test('read-only, and only GET is accepted', async () => {
    for (const [method, path] of [
      ['POST', PATH],
      ['POST', `${PATH}/1`],
      ['DELETE', `${PATH}/1`],
    ] as const) {
      const answer = await server.call(method, path, { json: {} })
      assertProblem(answer, 'method-not-allowed')
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
    }
  })
})
