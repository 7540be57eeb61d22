// The documents against the answers of the server, for every endpoint.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { openRequests, rowOf } from '../auth/requests.ts'
import { BACKUP_STATUS } from '../helpers/engine.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import type { Answer, TestServer } from '../helpers/server.ts'
import { startTestServer } from '../helpers/server.ts'
import {
  findOperation,
  type Judge,
  judgeOf,
  type Operation,
  operationName,
  operationsOf,
} from './document.ts'
import { makeDependents } from './bulk-traffic.ts'
import { makeModules, type Send, sendModuleTraffic, sendTraffic } from './traffic.ts'
import { tokenOf } from '../helpers/sessions.ts'

interface Exchange {
  readonly operation: Operation
  readonly judge: Judge
  readonly answer: Answer
}

interface Document {
  readonly operations: readonly Operation[]
  readonly judge: Judge
}

let server: TestServer
const documents: Document[] = []
const exchanges: Exchange[] = []
const unknown: string[] = []

before(async () => {
  // No process listens on this port.
  const oidc = { issuer: 'http://127.0.0.1:1', clientId: 'cms', clientSecret: undefined }
  server = await startTestServer({
    config: { oidc, sites: [{ origin: 'https://www.example.org', folder: '/Main' }] },
  })
  const urls = await makeModules(server.call)
  for (const name of ['system', 'module']) {
    const { body } = await server.call('GET', `/public/api/${name}/swagger.json`, { key: null })
    documents.push({ operations: operationsOf(body), judge: judgeOf(body) })
  }
  await sendTraffic(record, tokenOf(server))
  await sendModuleTraffic(record, urls)
  const { status } = await record('DELETE', await makeDependents(server, urls[0] ?? ''))
  assert.equal(status, 202)
  await sendRest()
  for (const json of [{}, { site: 'https://other.example.org' }, { asset_file_id: 999_999 }])
    await record('POST', '/api/v2/preview', { json })
})
after(() => server.close())

const record: Send = async (method, path, call) => {
  const answer = await server.call(method, path, call)
  const found = documents.flatMap(({ operations, judge }) => {
    const operation = findOperation(operations, method, path)
    return operation === undefined ? [] : [{ operation, judge, answer }]
  })
  if (found.length === 1) exchanges.push(...found)
  else unknown.push(`${method} ${path} is ${found.length} times in the documents`)
  return answer
}

/** Calls the routes that the traffic does not call, by their rows in the table of routes. */
async function sendRest(): Promise<void> {
  const requests = openRequests({ ...server, call: record })
  const called = new Set(exchanges.map(({ operation }) => operation.name))
  for (const route of allRoutes(ROUTE_OPTIONS)) {
    const row = rowOf(`${route.method} ${route.path}`)
    if (called.has(operationName(route)) || row === undefined || row.ok >= 400) continue
    if (!row.route.includes('/module/')) await requests.send(row, { key: server.key, folderId: 1 })
  }
}

function judged({ operation, judge, answer }: Exchange, body: unknown = bodyOf(answer)) {
  const type = answer.headers['content-type'] ?? ''
  return judge(operation, { status: answer.status, type, body })
}

function bodyOf({ bytes, body }: Answer): unknown {
  return bytes.length === 0 ? undefined : body
}

function exchangeOf(operationId: string, status: number): Exchange {
  const found = exchanges.find(
    ({ operation, answer }) =>
      operation.operation.operationId === operationId && answer.status === status,
  )
  assert.ok(found, `${operationId} was not answered with ${status}`)
  return found
}

test('every request of the traffic is documented', () => {
  assert.deepEqual(unknown, [])
})

test('every response matches the documents', () => {
  assert.deepEqual(exchanges.map((item) => judged(item)).filter(Boolean), [])
})

test('every response without a key matches the document', async () => {
  const options = { public: true, public_columns: ['speaker'] }
  const table = { name: 'Open', table_schema: 'speaker C(9), secret C(9)', ...options }
  const calendar = { ...table, name: 'Open talks' }
  const event = { event_title: 'Talk', start_time: '2026-03-02T09:00:00Z' }
  for (const [kind, module, entry] of [
    ['datatable', table, {}],
    ['calendar', calendar, event],
  ] as const) {
    const { body } = await server.call('POST', `/api/v2/${kind}`, { json: module })
    const json = { speaker: 'Ada', secret: 'x', ...entry }
    assert.equal((await server.call('POST', body.module_url, { json })).status, 201)
    const path = '/public/api/module/swagger.json'
    const { body: document } = await server.call('GET', path, { key: null })
    for (const query of ['', '/1', '/1?fields=*', '?fields=speaker']) {
      const url = `${body.module_url}${query}`
      const answer = await server.call('GET', url, { key: null })
      assert.equal(answer.status, 200, url)
      const operation = findOperation(operationsOf(document), 'GET', url)
      assert.ok(operation)
      assert.equal(judged({ operation, judge: judgeOf(document), answer }), undefined)
    }
  }
})

test('the traffic calls every documented endpoint successfully', () => {
  const used = new Set(
    exchanges.filter(({ answer }) => answer.status < 400).map(({ operation }) => operation),
  )
  const all = documents.flatMap(({ operations }) => operations)
  const unused = all.filter((operation) => !used.has(operation)).map(({ name }) => name)
  const refused = BACKUP_STATUS < 400 ? [] : ['GET /backup']
  const assets = ['GET /admin/assets/{name}', 'GET /public/api/assets/{version}/{name}']
  assert.deepEqual(unused, [...refused, ...assets])
})

test('System API responses carry their documented ETag and Location', () => {
  const missing = exchanges.flatMap(({ operation, answer }) => {
    const documented = operation.operation.responses[answer.status]?.headers ?? {}
    return (
      ['ETag', 'Location']
        .filter((name) => name in documented && !operation.name.includes('/module/'))
        // A plan is not a stored record.
        .filter(() => answer.body?.plan === undefined)
        .filter((name) => answer.headers[name.toLowerCase()] === undefined)
        .map((name) => `${operation.name} ${answer.status} has no ${name}`)
    )
  })
  assert.deepEqual(missing, [])
})

describe('the documents reject', () => {
  const faults: readonly {
    readonly name: string
    readonly of: readonly [string, number]
    readonly spoil: (body: any) => unknown
  }[] = [
    {
      name: 'a record without one of its fields',
      of: ['create_asset_file', 201],
      spoil: ({ sha256: _, ...rest }) => rest,
    },
    {
      name: 'a field of another type',
      of: ['read_asset_file', 200],
      spoil: (body) => ({ ...body, size: 'large' }),
    },
    {
      name: 'a property that nobody documented',
      of: ['update_asset_file', 200],
      spoil: (body) => ({ ...body, internal: 1 }),
    },
    {
      name: 'an identifier that is null',
      of: ['search_asset_category', 200],
      spoil: (body) => ({ ...body, asset_category: [{ asset_category_id: null }] }),
    },
    {
      name: 'a list without its page',
      of: ['search_user', 200],
      spoil: ({ user }) => ({ user }),
    },
    {
      name: 'a new key without its secret',
      of: ['create_api_key', 201],
      spoil: ({ secret: _, ...rest }) => rest,
    },
    {
      name: 'an entry whose column is of another type',
      of: ['search_datatable_1_press_releases', 200],
      spoil: (body) => ({ ...body, datatable_entry: [{ small: 'many' }] }),
    },
    {
      name: 'a created entry that lacks a column',
      of: ['create_datatable_1_press_releases', 201],
      spoil: ({ datatable_entry: { body: _, ...rest } }) => ({ datatable_entry: rest }),
    },
    {
      name: 'a read entry without its identifier',
      of: ['read_datatable_1_press_releases', 200],
      spoil: ({ datatable_entry_id: _, ...rest }) => rest,
    },
    {
      name: 'an occurrence with a time that is none',
      of: ['search_calendar_1_events', 200],
      spoil: (body) => ({ ...body, calendar_entry: [{ start_time: 'soon' }] }),
    },
    {
      name: 'a plan with something else in it',
      of: ['update_datatable', 200],
      spoil: () => ({ plan: { added: [1] } }),
    },
    {
      name: 'a problem whose code is in no table',
      of: ['search_asset_category', 400],
      spoil: (body) => ({ ...body, code: 'oops' }),
    },
    {
      name: 'a problem that does not say what to do',
      of: ['create_asset_category', 422],
      spoil: ({ detail: _, ...rest }) => rest,
    },
  ]
  for (const { name, of, spoil } of faults) {
    test(name, () => {
      const exchange = exchangeOf(...of)
      const body = bodyOf(exchange.answer)
      assert.equal(judged(exchange, body), undefined)
      assert.notEqual(judged(exchange, spoil(body)), undefined)
    })
  }
})
