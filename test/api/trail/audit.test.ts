// The audit trail: each change writes one row in the same commit, a request without a change writes none, and
// no row contains a value of the request.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allRoutes } from '../../../lib/api/routes.ts'
import { assertProblem, fileOf, partsOf } from '../../helpers/content.ts'
import { ROUTE_OPTIONS } from '../../helpers/route-options.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { CANARY, CANARY_NUMBER, CHANGES, changingRoutes, type Step } from './audit-changes.ts'

const NEWEST = '/api/v2/audit?orderStr=audit_id&orderDir=DESC'

async function rows(server: TestServer, query = '&length=1000'): Promise<readonly any[]> {
  const answer = await server.call('GET', `${NEWEST}${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.audit
}

async function newest(server: TestServer): Promise<any> {
  return (await rows(server, '&length=1'))[0]
}

describe('a change through every route', () => {
  let server: TestServer
  const ids = new Map<string, number>([['root_category', 1]])
  before(async () => {
    server = await startTestServer()
  })
  after(() => server.close())

  async function send({ route, path, call, form, told }: Step, more: object = {}): Promise<Answer> {
    const [method = '', pattern = ''] = route.split(' ')
    const id = String(ids.get(told.of ?? '') ?? '')
    const values: Readonly<Record<string, string>> = { id, ...pathOf(path) }
    const url = pattern.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')
    if (form === undefined) return server.call(method, url, { ...call, ...more })
    const fields = Object.entries(form).map(([name, text]) => [
      name,
      text.startsWith(':') ? id : text,
    ])
    const parts = [
      ...partsOf(Object.fromEntries(fields)),
      fileOf(`${CANARY} in bytes`, `${CANARY}.bin`),
    ]
    return server.upload(parts, more)
  }

  function pathOf(path: Step['path'] = {}): object {
    const entries = Object.entries(path).map(([name, value]) => [
      name,
      value.startsWith(':') ? String(ids.get(value.slice(1))) : value,
    ])
    return Object.fromEntries(entries)
  }

  for (const step of CHANGES) {
    const { told } = step
    const what = `${told.action} ${told.count ?? 1} ${told.object}`
    test(`${step.route} is ${what} in one row, and a refused request adds no row`, async () => {
      const last = await newest(server)
      const refused = await send(step, { headers: { 'if-match': '"r999"' }, key: null })
      assert.equal(refused.status, 401)
      const isOfRecord = told.of !== undefined
      if (isOfRecord && step.hasNoEtag !== true) {
        const stale = await send(step, { headers: { 'if-match': '"r999"' } })
        assertProblem(stale, 'precondition-failed')
      }
      assert.deepEqual(await newest(server), last)

      const answer = await send(step)
      assert.ok(answer.status < 300, answer.text)
      const id = isOfRecord ? ids.get(told.of) : createdId(answer, told.object)
      if (step.as !== undefined && id !== undefined) ids.set(step.as, id)
      const [row, second] = await rows(server, '&length=2')
      assert.deepEqual(second, last)
      assert.deepEqual(row, expected(step, { answer, id: Number(id), last, row }))
      await requireTold(step, { server, id: Number(id), last })
    })
  }

  test('every route that changes something is tested', () => {
    assert.deepEqual(
      [...new Set(CHANGES.map((step) => step.route))].sort(),
      changingRoutes(allRoutes(ROUTE_OPTIONS)).toSorted(),
    )
  })

  test('no row contains a sent value or a secret', async () => {
    // The names of deleted, renamed and moved records: test/api/trail/change-names.test.ts.
    const text = JSON.stringify(await rows(server), (name, value) =>
      NAME_MEMBERS.has(name) ? undefined : value,
    )
    assert.ok((await rows(server)).length > CHANGES.length)
    // The user with the CANARY name made no request.
    for (const value of [CANARY, String(CANARY_NUMBER), '2031-07-09', 'cms_', 'sha256:'])
      assert.ok(!text.includes(value), value)
  })
})

const NAME_MEMBERS = new Set([
  ...['name', 'path', 'previous_name', 'previous_path'],
  ...['names', 'folders', 'previous_folders'],
])

function createdId({ body }: Answer, object: string): number {
  const record = body[object] ?? body
  return (Array.isArray(record) ? record[0] : record)[`${object}_id`]
}

/** Checks that the log of changes reports each record of the change, and nothing else. */
async function requireTold(
  { told }: Step,
  { server, id, last }: Pick<Happened, 'id' | 'last'> & { readonly server: TestServer },
): Promise<void> {
  const { body } = await server.call('GET', `/api/v2/change?since=${last.audit_id}`)
  const { object, count = 1, changed_fields = null } = told
  const isNew = changed_fields === null && told.action !== 'delete'
  const all = Array.from({ length: count }, (_, at) => at)
  assert.deepEqual(
    body.change.map((change: any) => [change.sequence, change.object_id]),
    all.map((at) => [last.audit_id + 1 + at, id + at]),
  )
  for (const change of body.change) {
    const action = isNew ? 'create' : told.action
    const { version = null, fileState = null, module_id = null } = told
    const wanted = [object, action, version, fileState, module_id, changed_fields]
    const { object: kind, action: deed, changed_fields: fields } = change
    const found = [kind, deed, change.version, change.fileState, change.module_id, fields]
    assert.deepEqual(found, wanted)
  }
}

interface Happened {
  readonly answer: Answer
  readonly id: number
  readonly last: any
  readonly row: any
}

function expected({ told }: Step, { answer, id, last, row }: Happened): object {
  const { count = 1, of: _, ...rest } = told
  assert.match(row.date_added, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(row.date_added >= last.date_added)
  const isModule = ['datatable', 'calendar'].includes(told.object)
  assert.equal(typeof row.entries === 'number', isModule && told.action === 'delete')
  const isInFolder = !['user', 'api_key', 'role', 'webhook', 'asset_file_link'].includes(
    told.object,
  )
  assert.equal(typeof row.asset_category_id === 'number', isInFolder)
  return {
    // Each record has its own number in the log of changes.
    audit_id: last.audit_id + count,
    user_name: 'admin',
    user_id: 1,
    api_key_id: 1,
    api_key_name: 'admin',
    address: '127.0.0.1',
    request_id: answer.headers['x-request-id'],
    object_id: id,
    last_object_id: id + count - 1,
    count,
    module_id: null,
    version: null,
    fileState: null,
    changed_fields: null,
    asset_category_id: row.asset_category_id,
    previous_category_id: null,
    // The datatable and the calendar of these steps are deleted with their remaining entries.
    entries: row.entries,
    schedule_fault: null,
    ...namesOf(told, row),
    ...rest,
    date_added: row.date_added,
  }
}

/** The rows of a delete and a rename contain the name of the record. All other rows have null. */
function namesOf({ action, object, changed_fields: fields }: Step['told'], row: any): object {
  const isNamed = action === 'delete' || fields?.includes('name') === true
  if (!isNamed || /_(?:entry|link)$/.test(object))
    return { name: null, path: null, previous_name: null, previous_path: null, changes: null }
  const { name, path, previous_name, previous_path, changes } = row
  assert.match(name, new RegExp(`^${CANARY}`))
  assert.equal(changes.length, 1)
  return { name, path, previous_name, previous_path, changes }
}
