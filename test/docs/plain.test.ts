// Requirements of programs that load a document and call its operations: one server, plain types and
// parameters, and examples that are real answers.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { oneNode } from '../helpers/node-pair.ts'
import { judgeOf, operationsOf } from './document.ts'
import { makeModules } from './traffic.ts'

const MAX_UPLOAD_MIB = 3
const MIB = 2 ** 20

let server: TestServer
const documents: Record<string, any> = {}
before(async () => {
  server = await startTestServer({ config: { maxUploadBytes: MAX_UPLOAD_MIB * MIB } })
  await makeModules(server.call)
  for (const name of ['system', 'module'])
    documents[name] = (await server.call('GET', `/public/api/${name}/swagger.json`)).body
})
after(() => server.close())

/** Yields every object in a value with its path. */
function* parts(value: unknown, place = ''): Generator<readonly [string, any]> {
  if (typeof value !== 'object' || value === null) return
  yield [place, value]
  for (const [key, item] of Object.entries(value)) yield* parts(item, `${place}/${key}`)
}

function* operations(): Generator<any> {
  for (const document of Object.values(documents))
    for (const { name, method, operation } of operationsOf(document))
      yield { text: name, method, document, operation }
}

test('one server entry serves every path', oneNode('address'), async () => {
  for (const document of Object.values(documents)) {
    const withServers = [...parts(document)].filter(([, part]) => 'servers' in part)
    assert.deepEqual(
      withServers.map(([place]) => place),
      [''],
    )
    assert.deepEqual(document.servers, [{ url: `${server.url}/api/v2` }])
    assert.equal(document.info.contact.url, server.url)
  }
  for (const path of ['/health', '/ready', '/metrics', '/problems/not-found', '/public/api/system'])
    assert.equal((await server.call('GET', `/api/v2${path}`)).status, 200, path)
  const missing = await server.call('GET', '/api/v2/public/api/assets/0/no.js')
  assert.match(missing.body.detail, /no such file/)
})

test('upload and download addresses are documented below the server address', async () => {
  for (const prefix of ['', '/api/v2']) {
    const name = `${prefix.length}.txt`
    const form = new FormData()
    form.set('Filedata', new Blob(['bytes']), name)
    form.set('asset_category_id', '1')
    form.set('fileState', 'publish')
    const headers = { authorization: `Bearer ${server.key}` }
    const answer = await fetch(`${server.url}${prefix}/upload`, {
      method: 'POST',
      headers,
      body: form,
    })
    assert.equal(answer.status, 201)
    const { url } = (await answer.json()) as { readonly url: string }
    assert.equal((await server.call('GET', `${prefix}${url}`)).text, 'bytes')
    assert.equal((await server.call('GET', `${prefix}${url}`, { key: null })).status, 401)
    assert.equal((await server.call('DELETE', `${prefix}${url}`)).status, 405)
  }
})

test('a type has one name, plus null where null is a value', () => {
  for (const [name, document] of Object.entries(documents)) {
    for (const [place, { type }] of parts(document)) {
      if (!Array.isArray(type)) continue
      assert.deepEqual([type.length, type[1]], [2, 'null'], `${name} ${place}: ${type}`)
    }
  }
})

test('an object lists its members, or accepts any member', () => {
  const silent = Object.values(documents).flatMap((document) =>
    [...parts(document)]
      .filter(([, { type }]) => [type].flat().includes('object'))
      .filter(([, part]) => !('properties' in part) && !('additionalProperties' in part))
      .map(([place]) => place),
  )
  assert.deepEqual(silent, [])
})

/** Members that some answers lack. A rule has either `all` or `latest` and `days`. `renamed_from` belongs to requests; versions have the members that `fields` selects. */
const SOMETIMES = [
  'all',
  'complete',
  'days',
  'errors',
  'explain',
  'hint',
  'latest',
  'number',
  'renamed_from',
  'request_id',
  'warnings',
]
const SELECTED = /_selection$|_entry$|^asset_file_version$/

test('members of responses are required, except the few that may be missing', () => {
  const missing = new Set<string>()
  for (const document of Object.values(documents)) {
    const whole = Object.entries(document.components.schemas).filter(
      ([name]) => !SELECTED.test(name),
    )
    const answers = operationsOf(document).map(({ operation }) => operation.responses)
    for (const [, { properties, required = [] }] of parts([answers, Object.fromEntries(whole)])) {
      const names = Object.keys(properties ?? {})
      for (const name of names) if (!required.includes(name)) missing.add(name)
    }
  }
  assert.deepEqual([...missing].toSorted(), SOMETIMES)
})

test('patterns are valid in RE2 and in a search of the server', async () => {
  const patterns = Object.values(documents).flatMap((document) =>
    [...parts(document)]
      .map(([, { pattern }]) => pattern)
      // A column of a datatable has a member of this name.
      .filter((item) => typeof item === 'string'),
  )
  for (const pattern of new Set<string>(patterns)) {
    const json = { qry: { name: { $regex: pattern } } }
    const { status, text } = await server.call('POST', '/api/v2/asset_category/search', { json })
    assert.equal(status, 200, text)
  }
})

test('forms and JSON bodies have no null, except merge patches', () => {
  for (const { text, operation } of operations()) {
    for (const [type, { schema }] of Object.entries<any>(operation.requestBody?.content ?? {})) {
      if (type === 'application/merge-patch+json') continue
      const nulls = [...parts(schema)].filter(([, part]) => [part.type].flat().includes('null'))
      assert.deepEqual(nulls, [], text)
    }
  }
})

test('a parameter has a schema of one name; qry is a string', () => {
  const seen = new Set<string>()
  for (const { text, operation } of operations()) {
    for (const { name, schema, content } of operation.parameters ?? []) {
      assert.equal(content, undefined, `${text} ${name}`)
      assert.equal(typeof schema.type, 'string', `${text} ${name}`)
      if (name === 'qry') assert.deepEqual(schema, { type: 'string' })
      seen.add(name)
    }
  }
  assert.ok(seen.has('qry'))
})

test('query parameters may repeat the path but not contradict it', async () => {
  const path = '/api/v2/asset_category/1'
  for (const [query, status] of [
    ['id=1', 200],
    ['id=1&fields=name', 200],
    ['id=1&id=1', 200],
    ['id=2', 400],
    ['id=1&id=2', 400],
    ['id=01', 400],
  ] as const)
    assert.equal((await server.call('GET', `${path}?${query}`)).status, status, query)
  const url = '/api/v2/module/datatable/1/press-releases'
  const { body } = await server.call('POST', `${url}?type=datatable&module_id=1`, {
    json: { title: 'a' },
    headers: { prefer: 'return=representation' },
  })
  const id = body.datatable_entry.datatable_entry_id
  assert.equal((await server.call('DELETE', `${url}/${id}?entry_id=${id}`)).status, 204)
})

describe('examples', () => {
  test('every JSON response has an example that matches its schema', () => {
    const judges = new Map(Object.values(documents).map((item) => [item, judgeOf(item)]))
    for (const { document, text, method, operation } of operations()) {
      for (const [status, { content }] of Object.entries<any>(operation.responses)) {
        const json = content?.['application/json']
        if (json === undefined) continue
        const answer = { status: Number(status), type: 'application/json', body: json.example }
        assert.notEqual(json.example, undefined, text)
        const item = { name: text, method, operation, pattern: /x/ }
        if (!text.includes('swagger.json'))
          assert.equal(judges.get(document)?.(item, answer), undefined, text)
        assert.doesNotMatch(JSON.stringify(json.example), /9007199254740991/)
      }
    }
  })

  test('every problem example has its own status and code', () => {
    for (const { components } of Object.values(documents)) {
      for (const [name, { content }] of Object.entries<any>(components.responses)) {
        const shown = Object.entries<any>(content['application/problem+json'].examples)
        assert.ok(shown.length > 0)
        for (const [code, { value }] of shown) {
          assert.deepEqual([value.code, value.type], [code, `/problems/${code}`])
          const [status] = name.split('.', 1)
          if (name !== 'problem') assert.equal(`problem_${value.status}`, status)
        }
      }
    }
  })

  test('every create example matches the response of a new site', async () => {
    const fresh = await startTestServer()
    try {
      for (const [path, item] of Object.entries<any>(documents['system'].paths)) {
        const { example } = item.post?.requestBody?.content['application/json'] ?? {}
        const isObject = `${path}/{id}` in documents['system'].paths
        if (example === undefined || !isObject) continue
        const { body } = await fresh.call('POST', `/api/v2${path}`, { json: example })
        const shown = item.post.responses[201].content['application/json'].example
        assert.deepEqual(constant(body), constant(shown), path)
        const change = documents['system'].paths[`${path}/{id}`].post
        const json = change.requestBody.content['application/json'].example
        const id = body[`${path.slice(1)}_id`]
        const { body: changed } = await fresh.call('POST', `/api/v2${path}/${id}`, { json })
        const after = change.responses[200].content['application/json'].example
        assert.deepEqual(constant(changed), constant(after), path)
      }
    } finally {
      await fresh.close()
    }
  })
})

/** The delivery state of a webhook. The creation is delivered at once, to an address that does not exist. */
const STANDING = /^(state|last_error|date_retry)$/

/** Removes values that differ from site to site or from moment to moment. */
function constant(record: any): object {
  const own = Object.entries(record).map(([name, value]) => {
    if (STANDING.test(name)) return [name, 'of now']
    return [name, /^(date_|secret$|hint$|position$)/.test(name) ? typeof value : value]
  })
  return Object.fromEntries(own)
}

describe('the limit of a request body', () => {
  test('is documented for every body', () => {
    for (const { text, operation } of operations()) {
      if (operation.requestBody !== undefined)
        assert.match(
          operation.requestBody.description,
          /\b[Aa]t most \d+ [KM]iB|A file of at most/,
          text,
        )
    }
    const { post } = documents['system'].paths['/upload']
    assert.match(post.requestBody.description, new RegExp(`at most ${MAX_UPLOAD_MIB} MiB`))
  })

  test('counts keys as documented', async () => {
    for (const [name, path] of [
      ['system', '/asset_category'],
      ['system', '/asset_file'],
      ['system', '/datatable'],
      ['system', '/user'],
      ['module', '/module/datatable/1/press-releases'],
    ] as const) {
      const { description } = documents[name].paths[path].post.requestBody
      const most = Number(/at most ([\d,]+) keys/.exec(description)?.[1]?.replaceAll(',', ''))
      const send = async (count: number): Promise<string> => {
        const keys = Array.from({ length: count }, (_, index) => [`_${index.toString(36)}`, 1])
        const json = Object.fromEntries(keys)
        return (await server.call('POST', `/api/v2${path}`, { json })).body.code
      }
      assert.deepEqual(
        [await send(most), await send(most + 1)],
        ['invalid-content', 'bad-json'],
        path,
      )
    }
  })

  test('is the limit that the server enforces', async () => {
    for (const [name, path] of [
      ['system', '/asset_category'],
      ['module', '/module/datatable/1/press-releases'],
    ] as const) {
      const { description } = documents[name].paths[path].post.requestBody
      const most = Number(/At most (\d+) MiB/.exec(description)?.[1]) * MIB
      const send = async (bytes: number): Promise<number> => {
        const body = `{"nothing":1}${' '.repeat(bytes - 13)}`
        const headers = { 'content-type': 'application/json' }
        return (await server.call('POST', `/api/v2${path}`, { body, headers })).status
      }
      assert.deepEqual([await send(most), await send(most + 1)], [422, 413])
    }
  })
})

test('the assets of the pages are documented correctly', () => {
  const { parameters } = documents['system'].paths['/public/api/assets/{version}/{name}'].get
  const types = parameters.map(({ name, schema }: any) => [name, schema.type])
  assert.deepEqual(types, [
    ['version', 'string'],
    ['name', 'string'],
  ])
})
