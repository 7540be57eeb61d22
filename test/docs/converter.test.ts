// An independent converter makes request collections from the documents. The collections have all operations,
// and the server accepts and sends the examples.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadPackage } from '../helpers/generators.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { operationsOf } from './document.ts'
import { makeModules } from './traffic.ts'

let server: TestServer
const documents: Record<string, any> = {}
const items: Record<string, readonly any[]> = {}
const collections: Record<string, any> = {}

before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
  for (const name of ['system', 'module']) {
    const { text, body } = await server.call('GET', `/public/api/${name}/swagger.json`)
    documents[name] = body
    collections[name] = await convert(text)
    items[name] = [...requestsOf(collections[name])]
  }
})
after(() => server.close())

function convert(data: string): Promise<any> {
  const { convertV2 } = loadPackage('openapi-to-postmanv2')
  const options = { parametersResolution: 'Example' }
  return new Promise((resolve, reject) => {
    convertV2({ type: 'string', data }, options, (error: unknown, outcome: any) => {
      if (outcome?.result === true) resolve(outcome.output[0].data)
      else reject(error instanceof Error ? error : new Error(outcome?.reason))
    })
  })
}

function* requestsOf({ item }: any): Generator<any> {
  for (const each of item) {
    if (each.item === undefined) yield each
    else yield* requestsOf(each)
  }
}

test('every operation becomes a request to the server with the key', () => {
  for (const [name, document] of Object.entries(documents)) {
    assert.equal(collections[name].auth.type, 'bearer')
    assert.deepEqual(
      collections[name].variable.map(({ value }: any) => value),
      [`${server.url}/api/v2`],
    )
    const found = items[name]?.map(({ request }) => `${request.method} ${pathOf(request)}`)
    const documented = operationsOf(document).map(({ name: text }) => text)
    assert.deepEqual(found?.toSorted(), documented.toSorted())
  }
})

function pathOf({ url }: any): string {
  assert.deepEqual(url.host, ['{{baseUrl}}'])
  return `/${url.path.join('/')}`.replace(/:(\w+)/g, '{$1}')
}

test('every example response has its own status', () => {
  let count = 0
  for (const { response } of Object.values(items).flat()) {
    for (const { code, body, header } of response) {
      const type = header?.find(({ key }: any) => key === 'Content-Type')?.value
      if (type !== 'application/problem+json' || code === undefined) continue
      assert.equal(JSON.parse(body).status, code)
      count += 1
    }
  }
  assert.ok(count > 100, String(count))
  assert.doesNotMatch(JSON.stringify(collections), /9007199254740991/)
})

test('every create example works on a new site', async () => {
  const sites = [{ origin: 'https://www.example.org', folder: '/Main' }]
  const fresh = await startTestServer({ config: { sites } })
  try {
    await makeModules(fresh.call)
    const all = Object.values(items).flatMap((list) => list.map(({ request }) => request))
    const creates = all.filter((item) => item.method === 'POST' && !/[:{]/.test(pathOf(item)))
    for (const request of creates.filter(({ body }) => body.mode === 'raw')) {
      const path = pathOf(request)
      // The example credentials belong to no user of a new site.
      if (/^\/(session|me)\b/.test(path)) continue
      const { header, body } = request
      const type = header.find(({ key }: any) => key === 'Content-Type').value
      const { status, text } = await fresh.call('POST', `/api/v2${path}`, {
        body: body.raw,
        headers: { 'content-type': type },
      })
      assert.ok(statusesOf(path).includes(String(status)), `${path}: ${status} ${text}`)
    }
    assert.ok(creates.length > 40, String(creates.length))
  } finally {
    await fresh.close()
  }
})

/** The documented statuses of success of a POST. */
function statusesOf(path: string): readonly string[] {
  const found = Object.values(documents).map(({ paths }) => paths[path]?.post)
  const { responses = {} } = found.find(Boolean) ?? {}
  return Object.keys(responses).filter((status) => status.startsWith('2'))
}
