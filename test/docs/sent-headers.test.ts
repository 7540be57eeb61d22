// A real run against the documents: every header of every answer, and every code of a problem.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, TestServer } from '../helpers/server.ts'
import { startTestServer } from '../helpers/server.ts'
import { tokenOf } from '../helpers/sessions.ts'
import { findOperation, type Operation, operationsOf } from './document.ts'
import { makeModules, type Send, sendModuleTraffic, sendTraffic } from './traffic.ts'

interface Exchange {
  readonly document: any
  readonly operation: Operation
  readonly answer: Answer
}

let server: TestServer
const documents: any[] = []
const exchanges: Exchange[] = []

const record: Send = async (method, path, call) => {
  const answer = await server.call(method, path, call)
  for (const document of documents) {
    const operation = findOperation(operationsOf(document), method, path)
    if (operation !== undefined) exchanges.push({ document, operation, answer })
  }
  return answer
}

before(async () => {
  server = await startTestServer()
  const urls = await makeModules(server.call)
  for (const name of ['system', 'module'])
    documents.push((await server.call('GET', `/public/api/${name}/swagger.json`)).body)
  await sendTraffic(record, tokenOf(server))
  await sendModuleTraffic(record, urls)
})
after(() => server.close())

function responseOf({ document, operation }: Exchange, status: number): any {
  const { responses } = operation.operation
  const listed = responses[status] ?? responses.default
  const [, name] = /([^/]+)$/.exec(listed.$ref ?? '') ?? []
  return name === undefined ? listed : document.components.responses[name]
}

test('every response header is documented, at the response or in the general description', () => {
  const seen = new Set<number>()
  const missing = exchanges.flatMap((exchange) => {
    const { answer, document, operation } = exchange
    const { status } = answer
    seen.add(status)
    const tags = document.tags.filter(({ name }: any) => operation.operation.tags.includes(name))
    const texts = [document.info, ...tags].map(({ description }) => description).join(' ')
    const general = [...texts.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
    const own = Object.keys(responseOf(exchange, status).headers ?? {})
    const known = new Set([...general, ...own].map((name) => name.toLowerCase()))
    return Object.keys(answer.headers)
      .filter((name) => !known.has(name))
      .map((name) => `${operation.name} ${status}: ${name}`)
  })
  assert.deepEqual(missing, [])
  for (const status of [206, 304, 308, 401, 403, 412, 416]) assert.ok(seen.has(status), `${status}`)
})

test('responses 401, 403 and 503 have a code that the operation lists', () => {
  const wrong = exchanges.flatMap((exchange) => {
    const { answer, operation } = exchange
    if (![401, 403, 503].includes(answer.status)) return []
    const listed = codesOf(exchange, answer.status)
    const { code } = answer.body
    return listed.includes(code) ? [] : [`${operation.name} ${answer.status}: ${code}`]
  })
  assert.deepEqual(wrong, [])
})

function codesOf(exchange: Exchange, status: number): readonly string[] {
  if (!(status in exchange.operation.operation.responses)) return []
  const { content } = responseOf(exchange, status)
  return Object.keys(content['application/problem+json'].examples)
}

test('operations list no code of 401, 403 or 503 that they cannot return', () => {
  const [document] = documents
  const listed = (operationId: string, status: number): readonly string[] => {
    const operation = operationsOf(document).find(
      (item) => item.operation.operationId === operationId,
    )
    assert.ok(operation, operationId)
    return codesOf({ document, operation, answer: undefined as never }, status)
  }
  const keys = ['key-required', 'key-invalid']
  const changes = ['unavailable', 'outcome-unknown', 'read-only']
  const rows: readonly (readonly [
    string,
    readonly string[],
    readonly string[],
    readonly string[],
  ])[] = [
    ['search_asset_file', keys, ['grant-missing'], []],
    ['create_asset_file', keys, ['grant-missing'], changes],
    ['publish_asset_file', keys, ['grant-missing'], changes],
    ['read_me', keys, [], []],
    ['create_api_key', keys, ['grant-missing'], changes],
    ['check_stml', keys, ['grant-missing'], ['unavailable']],
    ['sign_in', ['sign-in-failed', 'code-required', 'code-wrong'], ['cross-site'], changes],
    ['sign_in_with_link', ['code-required', 'code-wrong', 'link-over'], ['cross-site'], changes],
    ['renew_session', ['session-over'], ['cross-site'], changes],
    ['sign_out', [], ['cross-site'], changes],
    ['change_password', keys, ['session-required', 'grant-missing'], changes],
    ['set_password', keys, ['session-required', 'grant-missing'], changes],
    ['download_file', keys, ['ticket-as-code', 'grant-missing'], []],
    ['read_health', [], [], []],
    ['read_ready', [], [], ['unavailable']],
  ]
  for (const [name, ...expected] of rows)
    for (const [at, status] of [401, 403, 503].entries())
      assert.deepEqual(listed(name, status), expected[at], `${name} ${status}`)
})
