// POST /api/v2/batch: many operations on files, all or none or each by itself.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAX_BATCH, MAX_JOINT_BATCH } from '../../../lib/shared/limits.ts'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
  read,
} from '../../helpers/content.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer

before(async () => {
  // Without a trash, a delete removes a row for each version.
  server = await startTestServer({ config: { trashDays: 0 } })
})
after(() => server.close())

const batch = (mode: string, operations: readonly unknown[], call: Call = {}): Promise<Answer> =>
  server.call('POST', '/api/v2/batch', { json: { mode, operations }, ...call })

async function fileNow(file: any): Promise<any> {
  return (await read(server, `${PATH}/${file.asset_file_id}`)).body
}

async function files(count: number, fields: object = {}): Promise<readonly any[]> {
  const made: any[] = []
  for (let at = 0; at < count; at += 1) made.push(await makeFile(server, fields))
  return made
}

/** The pointers of a problem with any code. */
const pointed = ({ body }: Answer): readonly string[] =>
  body.errors.map(({ pointer }: { readonly pointer: string }) => pointer)

const on = (op: string, file: any, more: object = {}) => ({
  op,
  asset_file_id: file.asset_file_id,
  ...more,
})

for (const mode of ['all', 'each'])
  test(`mode ${mode} carries out every kind of operation`, async () => {
    const folder = await makeFolder(server)
    const [published, staged, unpublished, unstaged, updated, restored, deleted] = await files(7)
    for (const [file, action] of [
      [unpublished, 'publish'],
      [unstaged, 'stage'],
    ])
      await server.call('POST', `${PATH}/${file.asset_file_id}/${action}`)
    await server.call('POST', `${PATH}/${restored.asset_file_id}`, { json: { title: 'second' } })

    const answer = await batch(mode, [
      on('publish', published),
      on('stage', staged, { version: 1 }),
      on('unpublish', unpublished),
      on('unstage', unstaged),
      on('update', updated, {
        fields: { parent_category_id: folder.asset_category_id, type: 'txt', title: 'moved' },
      }),
      on('restore', restored, { version: 1 }),
      on('delete', deleted),
    ])
    assert.equal(answer.status, 200, answer.text)
    const { results, ...counts } = answer.body
    assert.deepEqual(
      results.map(({ status }: any) => status),
      [200, 200, 200, 200, 200, 200, 204],
    )
    assert.deepEqual(counts, { mode, succeeded: 7, failed: 0, rebuilt: false })
    for (const { record, etag } of results.slice(0, 6)) {
      const { pageContent: _, ...now } = await fileNow(record)
      assert.deepEqual(record, now)
      const headers = { 'if-match': etag }
      const touch = await server.call('POST', `${PATH}/${record.asset_file_id}`, {
        json: {},
        headers,
      })
      assert.equal(touch.status, 200, touch.text)
    }
    const [one, two, three, four, five, six] = results.map(({ record }: any) => record)
    assert.equal(one.live_version, 1)
    assert.deepEqual([two.live_version, two.staged_version], [null, 1])
    assert.deepEqual([three.live_version, three.staged_version], [null, 1])
    assert.equal(four.staged_version, null)
    assert.deepEqual(
      [five.parent_category_id, five.type, five.title, five.version],
      [folder.asset_category_id, 'txt', 'moved', 2],
    )
    assert.deepEqual([six.version, six.title], [3, null])
    assert.equal((await server.call('GET', `${PATH}/${deleted.asset_file_id}`)).status, 404)
  })

test('mode all changes nothing if one operation is refused, and points at it', async () => {
  const [first, second, third] = await files(3)
  const old = (await read(server, `${PATH}/${second.asset_file_id}`)).etag
  await server.call('POST', `${PATH}/${second.asset_file_id}`, { json: { title: 'later' } })
  const answer = await batch('all', [
    on('publish', first),
    on('delete', third),
    on('publish', second, { etag: old }),
  ])
  assertProblem(answer, 'precondition-failed')
  assert.deepEqual(pointed(answer), ['/operations/2'])
  assert.equal((await fileNow(first)).live_version, null)
  assert.equal((await fileNow(third)).version, 1)
})

test('mode each carries out the operations that are allowed, in order, and says why others were refused', async () => {
  const [file, taken] = await files(2)
  const before = (await read(server, `${PATH}/${file.asset_file_id}`)).etag
  const answer = await batch('each', [
    on('update', file, { fields: { title: 'new' }, etag: before }),
    on('publish', file, { etag: before }),
    on('publish', file, { version: 9 }),
    on('update', file, { fields: { name: taken.name } }),
    on('publish', { asset_file_id: 999_999 }),
    on('publish', file),
    on('delete', file),
    on('publish', file),
  ])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    answer.body.results.map(({ status, problem }: any) => [status, problem?.code ?? null]),
    [
      [200, null],
      [412, 'precondition-failed'],
      [404, 'not-found'],
      [409, 'name-taken'],
      [404, 'not-found'],
      [200, null],
      [204, null],
      [404, 'not-found'],
    ],
  )
  assert.deepEqual([answer.body.succeeded, answer.body.failed], [3, 5])
})

test('an invalid page of type stml cannot go live, in a batch or by itself', async () => {
  const [plain] = await files(1)
  const page = await makeFile(server, { name: newName('stml'), type: 'txt', pageContent: '<div' })
  const operations = [
    on('publish', plain),
    on('update', page, { fields: { type: 'stml', fileState: 'publish' } }),
  ]
  const all = await batch('all', operations)
  assert.equal(all.status, 422, all.text)
  assert.match(pointed(all)[0] ?? '', /^\/operations\/1/)
  assert.equal((await fileNow(plain)).live_version, null)
  const each = await batch('each', operations)
  assert.deepEqual(
    each.body.results.map(({ status }: any) => status),
    [200, 422],
  )
})

describe('for a key that may publish in one folder only', () => {
  let key: string
  let own: any
  let more: any
  let foreign: any
  before(async () => {
    const [inside, outside] = [await makeFolder(server), await makeFolder(server)]
    own = await makeFile(server, { parent_category_id: inside.asset_category_id })
    more = await makeFile(server, { parent_category_id: inside.asset_category_id })
    foreign = await makeFile(server, { parent_category_id: outside.asset_category_id })
    key = await server.makeKey({
      name: newName('key'),
      grants: 'view,publish',
      category: inside.asset_category_id,
    })
  })

  test('a hidden file gets the same error as a missing one, in both modes', async () => {
    for (const op of ['publish', 'delete', 'update']) {
      const more = op === 'update' ? { fields: { title: 'x' } } : {}
      const ask = async (mode: string, id: number) => {
        const { text } = await batch(mode, [on(op, { asset_file_id: id }, more)], { key })
        return text.replaceAll(String(id), 'ID').replaceAll(/"request_id":"[^"]*"/g, '')
      }
      for (const mode of ['all', 'each'])
        assert.equal(
          await ask(mode, foreign.asset_file_id),
          await ask(mode, 987_654),
          `${op} ${mode}`,
        )
    }
  })

  test('only the permitted operations are carried out', async () => {
    const answer = await batch('each', [on('delete', own), on('publish', own)], { key })
    assert.deepEqual(
      answer.body.results.map(({ status }: any) => status),
      [403, 200],
    )
    assertProblem(
      await batch('all', [on('unpublish', own), on('delete', more)], { key }),
      'grant-missing',
    )
    assert.equal((await fileNow(own)).live_version, 1)
  })
})

test('faults of the body point at the operation', async () => {
  const [file] = await files(1)
  const answer = await batch('each', [
    on('publish', file, { fields: {} }),
    on('restore', file),
    on('update', file),
    on('update', file, { fields: { pageContent: 'x' } }),
    on('copy', file),
    on('publish', file, { versions: 1 }),
    7,
    on('publish', file, { version: 1.5 }),
  ])
  assertProblem(answer, 'invalid-content')
  assert.deepEqual(pointersOf(answer), [
    '/operations/0/fields',
    '/operations/1/version',
    '/operations/2/fields',
    '/operations/3/fields/pageContent',
    '/operations/4/op',
    '/operations/5',
    '/operations/6',
    '/operations/7/version',
  ])
  assertProblem(await batch('all', [on('publish', file), on('stage', file)]), 'invalid-content')
  assertProblem(await batch('most', [on('publish', file)]), 'invalid-content')
  assertProblem(await batch('each', []), 'invalid-content')
  assertProblem(
    await batch('each', Array(MAX_BATCH + 1).fill(on('publish', file))),
    'invalid-content',
  )
  const many = Array.from({ length: MAX_JOINT_BATCH + 1 }, (_, at) => ({
    op: 'publish',
    asset_file_id: at + 1,
  }))
  assertProblem(await batch('all', many), 'invalid-content')
})

test('a batch of mode all that removes too many rows is refused, and removes nothing', async () => {
  const made = await files(4)
  for (const file of made)
    for (let at = 0; at < 4; at += 1) {
      const operations = Array.from({ length: 100 }, () =>
        on('update', file, { fields: { title: String(at) } }),
      )
      assert.equal((await batch('each', operations)).body.failed, 0)
    }
  const operations = made.map((file) => on('delete', file))
  const answer = await batch('all', operations)
  assertProblem(answer, 'too-large')
  assert.deepEqual(pointed(answer), ['/operations/3'])
  for (const file of made) assert.equal((await fileNow(file)).version, 401)
  assert.equal((await batch('each', operations)).body.succeeded, 4)
})

test('each operation has its own row in the audit trail, and mode all has one row', async () => {
  const [file, other] = await files(2)
  const lastRow = async (): Promise<any> =>
    (await server.call('GET', '/api/v2/audit?length=1&orderDir=DESC')).body.audit[0]
  await batch('each', [on('publish', file), on('unpublish', file)])
  const row = await lastRow()
  assert.deepEqual([row.action, row.object_id], ['unpublish', file.asset_file_id])
  const before = row.audit_id
  const [one, two] = (await server.call('GET', '/api/v2/audit?length=2&orderDir=DESC')).body.audit
  assert.deepEqual([one.action, two.action], ['unpublish', 'publish'])
  await batch('all', [on('publish', file), on('publish', other)])
  const joint = await lastRow()
  assert.deepEqual([joint.action, joint.count, joint.audit_id - before], ['publish', 2, 2])
})

test('a retry with the same Idempotency-Key carries out nothing again', async () => {
  const key = newName('key')
  for (const mode of ['all', 'each']) {
    const made = await files(2)
    const operations = made.map((file) => on('update', file, { fields: { title: 'once' } }))
    const headers = { 'idempotency-key': `${key}-${mode}` }
    const first = await batch(mode, operations, { headers })
    const again = await batch(mode, operations, { headers })
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    for (const file of made) assert.equal((await fileNow(file)).version, 2)
  }
})

test('a delete of a file with references from entries is refused like a single delete', async () => {
  const [file, free] = await files(2)
  const table = await make(server, 'datatable', {
    name: newName('table'),
    parent_category_id: 1,
    table_schema: 'picture I REFERENCES asset_file ON DELETE RESTRICT',
  })
  await server.call('POST', table.module_url, { json: { picture: file.asset_file_id } })
  const answer = await batch('each', [on('delete', file), on('delete', free)])
  assert.deepEqual(
    answer.body.results.map(({ status }: any) => status),
    [409, 204],
  )
})
