// The documents themselves: what they list, how they follow the site, and what a generic client can read in
// them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIST_PARAMETERS } from '../../lib/api/request/query.ts'
import { keepsAnswer } from '../../lib/api/request/route.ts'
import { allRoutes } from '../../lib/api/routes.ts'
import { PICTURE_PARAMETERS } from '../../lib/shared/picture-parameters.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { operationName, operationsOf } from './document.ts'
import { missingTypes } from '../schema/columns/column.ts'
import { CALENDAR, makeModules, TABLE } from './traffic.ts'

const ROUTES = allRoutes(ROUTE_OPTIONS)

let server: TestServer
before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
})
after(() => server.close())

async function read(name: 'system' | 'module'): Promise<any> {
  const answer = await server.call('GET', `/public/api/${name}/swagger.json`, { key: null })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function create(object: string, json: object): Promise<any> {
  const answer = await server.call('POST', `/api/v2/${object}`, { json })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('the test table has a column of each type', () => {
  const columns = TABLE.table_schema.split(/, (?=\w+ [A-Z])/)
  assert.deepEqual(missingTypes(columns.map((column) => column.replace(/^\w+ /, ''))), [])
})

test('routes and documented endpoints are the same', async () => {
  const isOfModules = (path: string): boolean => path.startsWith('/api/v2/module/')
  const system = operationsOf(await read('system')).map(({ name }) => name)
  const fixed = ROUTES.filter(({ path }) => !isOfModules(path)).map(operationName)
  assert.deepEqual(system.toSorted(), fixed.toSorted())

  const ofModules = ROUTES.filter(({ path }) => isOfModules(path))
  const { paths } = await read('module')
  const calendar = Object.keys(paths).filter((path) => path.startsWith('/module/calendar/'))
  const methods = calendar.flatMap((path) => Object.keys(paths[path]))
  assert.equal(methods.length, ofModules.length)
})

test('operation names are unique', async () => {
  for (const name of ['system', 'module'] as const) {
    const ids = operationsOf(await read(name)).map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  }
})

const isNoTicket = (name: string): boolean => name !== 'ticket'

test('every endpoint accepts its documented query parameters and no others', async () => {
  const wrong: string[] = []
  for (const name of ['system', 'module'] as const) {
    const document = await read(name)
    for (const { name: text, method, operation } of operationsOf(document)) {
      const path = text.split(' ')[1]?.replace(/\{\w+\}/g, '1')
      if (operation.security !== undefined || operation.requestBody?.required === false) continue
      // These routes ignore unknown parameters, so that a changed address can bypass caches.
      if (text === 'GET /file/{number}/{name}' || text === 'GET /link/{token}/{name}') continue
      const { body } = await server.call(method, `/api/v2${path}?zzz=1`, { json: {} })
      const told = /known are ([\w, ]+)\./.exec(body?.detail)?.[1]?.split(', ') ?? []
      const documented = (operation.parameters ?? []).filter((item: any) => item.in === 'query')
      // The ticket is removed before the other parameters are checked.
      const names = documented.map((item: any) => item.name).filter(isNoTicket)
      // This parameter is documented for modules with a unique column, and explained at the others.
      const known = told.filter((item) => item !== 'on_conflict' || names.includes(item))
      const isSame = known.toSorted().join() === names.toSorted().join()
      if (!isSame) wrong.push(`${text}: ${names} documented, ${told} known; ${body?.detail}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('a download accepts its documented query parameters, each once', async () => {
  const { parameters } = (await read('system')).paths['/file/{number}/{name}'].get
  const names = parameters.filter((item: any) => item.in === 'query').map(({ name }: any) => name)
  assert.deepEqual(names, ['state', 'version', ...PICTURE_PARAMETERS, 'ticket'])
  for (const name of names.filter(isNoTicket)) {
    const { body } = await server.call('GET', `/file/1/a.txt?${name}=1&${name}=1`)
    assert.equal(
      body.detail,
      `The query parameter "${name}" was sent more than once. Send it once.`,
    )
  }
})

test('every POST that changes something documents Idempotency-Key, its response header and its errors', async () => {
  const kept = new Set(ROUTES.filter(keepsAnswer).map(operationName))
  for (const name of ['system', 'module'] as const) {
    const posts = operationsOf(await read(name)).filter(
      ({ method, name: text }) =>
        method === 'POST' && (name === 'system' ? kept.has(text) : !/\/search$|\.ics$/.test(text)),
    )
    assert.ok(posts.length > 0)
    for (const { name: text, operation } of posts) {
      const header = operation.parameters.find((item: any) => item.name === 'Idempotency-Key')
      assert.equal(header?.in, 'header', text)
      const answers = Object.entries<any>(operation.responses)
      for (const [status, { headers }] of answers.filter(([code]) => code.startsWith('2')))
        assert.ok('Idempotency-Replayed' in headers, `${text} ${status}`)
      const problems = ['409', '422', '429'].filter((status) => !(status in operation.responses))
      assert.deepEqual(problems, [], text)
    }
  }
})

test('list parameters are documented completely, with the largest length', async () => {
  const { paths } = await read('system')
  const { parameters } = paths['/asset_file'].get
  const names = parameters.map(({ name }: any) => name)
  assert.deepEqual(names.toSorted(), [...LIST_PARAMETERS].toSorted())

  const { maximum } = parameters.find(({ name }: any) => name === 'length').schema
  const most = await server.call('GET', `/api/v2/asset_file?length=${maximum}`)
  const more = await server.call('GET', `/api/v2/asset_file?length=${maximum + 1}`)
  assert.deepEqual([most.status, more.status], [200, 400])
})

test('every documented sort field sorts the list', async () => {
  for (const name of ['system', 'module'] as const) {
    for (const { name: text, operation } of operationsOf(await read(name))) {
      const order = operation.parameters?.find((item: any) => item.name === 'orderStr')
      if (order === undefined) continue
      const fields = / Fields: (.+)\.$/.exec(order.description)?.[1]?.split(', ') ?? []
      assert.ok(fields.length > 0, text)
      const both = fields.length > 1 ? [`${fields[1]},${fields[0]}`] : []
      for (const field of [...fields, ...both]) {
        const path = `/api/v2${text.split(' ')[1]}?length=1&orderStr=${field}`
        const { status } = await server.call('GET', path)
        assert.equal(status, 200, path)
      }
    }
  }
})

test('every create and update example returns the record that the document shows', async () => {
  const fresh = await startTestServer()
  try {
    const { paths } = await read('system')
    for (const [path, item] of Object.entries<any>(paths)) {
      const example = item.post?.requestBody?.content['application/json']?.example
      const isObject = paths[`${path}/{id}`] !== undefined
      if (example === undefined || !isObject) continue
      const created = await fresh.call('POST', `/api/v2${path}`, { json: example })
      assert.equal(created.status, 201, `${path}: ${created.text}`)
      const change = paths[`${path}/{id}`].post.requestBody.content['application/json'].example
      const id = created.body[`${path.slice(1)}_id`]
      const changed = await fresh.call('POST', `/api/v2${path}/${id}`, { json: change })
      assert.equal(changed.status, 200, `${path}: ${changed.text}`)
      assert.notDeepEqual(changed.body, created.body)
    }
  } finally {
    await fresh.close()
  }
})

test('the example entry can be created', async () => {
  const { paths } = await read('module')
  for (const [path, item] of Object.entries<any>(paths)) {
    if (/\{|\.ics$|\/(?:search|bulk_\w+)$/.test(path) || item.post === undefined) continue
    const { example } = item.post.requestBody.content['application/json']
    const { status, text } = await server.call('POST', `/api/v2${path}`, { json: example })
    assert.equal(status, 201, text)
  }
})

test('request bodies are inline objects without read-only properties', async () => {
  for (const name of ['system', 'module'] as const) {
    const document = await read(name)
    for (const { operation, name: text } of operationsOf(document)) {
      if (operation.requestBody === undefined || text.endsWith('.ics')) continue
      const [content] = Object.values<any>(operation.requestBody.content)
      const isList = text.endsWith('/bulk')
      const { schema: body } = content
      if (isList) assert.deepEqual([body.type, body.minItems], ['array', 1], text)
      const schema = isList ? body.items : body
      assert.equal(schema.type, 'object', text)
      const properties = Object.values<any>(schema.properties)
      assert.ok(properties.length > 0, text)
      assert.ok(!properties.some((item) => item.readOnly === true), text)
      assert.ok(!JSON.stringify(content).includes('$ref'), text)
      const unknown = (schema.required ?? []).filter((item: string) => !(item in schema.properties))
      assert.deepEqual(unknown, [], text)
      if (!isList) continue
      const single = document.paths[text.replace(/^POST |\/bulk$/g, '')].post.requestBody
      assert.deepEqual(schema, single.content['application/json'].schema, text)
    }
  }
})

test('the document describes bodies, lists and feeds of modules', async () => {
  const { paths } = await read('module')
  const listed = Object.entries<any>(paths).filter(
    ([path]) => !/\{|\.ics$|\/(?:bulk\w*|search)$/.test(path),
  )
  assert.ok(listed.length > 1)
  for (const [path, item] of listed) {
    const { schema } = item.post.requestBody.content['application/json']
    assert.equal(schema.additionalProperties, false, path)
    const { headers } = item.get.responses['200']
    assert.deepEqual(Object.keys(headers), ['Link', 'X-Total', 'Server-Timing'], path)
  }
  const feed = Object.entries<any>(paths).find(([path]) => path.endsWith('.ics'))
  assert.match(feed?.[1].get.responses['200'].headers.ETag.description, /checksum of the feed/)
})

describe('the server address', () => {
  test('is the address of the request', async () => {
    const headers = { host: 'cms.example.org:8443' }
    const { body } = await server.call('GET', '/public/api/system/swagger.json', { headers })
    assert.equal(body.servers[0].url, 'http://cms.example.org:8443/api/v2')
  })

  test('is rejected if the Host header is invalid', async () => {
    for (const host of ['a b', 'a"b', 'user@host', 'host/path']) {
      const headers = { host }
      const { status } = await server.call('GET', '/public/api/module/swagger.json', { headers })
      assert.equal(status, 400, host)
    }
  })

  test('is --base-url with its path, if the flag is set', async () => {
    const config = { baseUrl: 'https://cms.example.org/site' }
    const other = await startTestServer({ config })
    try {
      const system = await other.call('GET', '/public/api/system/swagger.json')
      const module = await other.call('GET', '/public/api/module/swagger.json')
      assert.equal(system.body.servers[0].url, 'https://cms.example.org/site/api/v2')
      assert.equal(module.body.servers[0].url, 'https://cms.example.org/site/api/v2')
    } finally {
      await other.close()
    }
  })
})

/** Returns every object in a document, at any depth. */
function objectsIn(value: unknown): readonly any[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

test('every required property of a schema is described', async () => {
  for (const name of ['system', 'module'] as const) {
    const schemas = objectsIn(await read(name)).filter(
      ({ type, required, properties }) =>
        type === 'object' && Array.isArray(required) && properties !== undefined,
    )
    assert.ok(schemas.length > 5, name)
    for (const { required, properties } of schemas)
      assert.deepEqual(
        required.filter((item: string) => !Object.hasOwn(properties, item)),
        [],
      )
  }
})

test('the description of a save explains versions, pointers and records that are sent back', async () => {
  const { paths } = await read('system')
  const { description } = paths['/asset_file/{id}'].post
  for (const says of [/Every save creates a version/, /also publishes or stages/, /posted back/])
    assert.match(description, says)
})

describe('the module document', () => {
  test('follows new datatables, changed columns, renames and deletions', async () => {
    const { datatable_id: id } = await create('datatable', {
      name: 'Films',
      table_schema: 'title C(9) NOTNULL',
    })
    const path = `/module/datatable/${id}/films`
    const bodyOf = (document: any): any =>
      document.paths[path].post.requestBody.content['application/json'].schema

    assert.deepEqual(bodyOf(await read('module')).required, ['title'])
    const json = { table_schema: 'title C(20) NOTNULL, year I2' }
    await server.call('POST', `/api/v2/datatable/${id}`, { json })
    const { properties } = bodyOf(await read('module'))
    assert.equal(properties.title.maxLength, 20)
    assert.equal(properties.year.maximum, 32_767)

    await server.call('POST', `/api/v2/datatable/${id}`, { json: { name: 'Movies' } })
    const renamed = await read('module')
    const moved = path.replace('films', 'movies')
    assert.deepEqual([path in renamed.paths, moved in renamed.paths], [false, true])

    await server.call('DELETE', `/api/v2/datatable/${id}`)
    const text = JSON.stringify(await read('module'))
    assert.ok(!text.includes(`datatable_${id}`) && !text.includes('Movies'))
  })

  test('describes unique columns, assigned numbers and rejected values', async () => {
    const { datatable_id: id } = await create('datatable', {
      name: 'Parts',
      table_schema: 'serial R AUTO, code C(9) KEY, note C(9)',
    })
    const path = `/module/datatable/${id}/parts`
    const { paths } = await read('module')
    const { schema } = paths[path].post.requestBody.content['application/json']
    assert.deepEqual(schema.required, ['code'])
    assert.match(schema.properties.serial.description, /the next number.*Unique/)
    assert.match(schema.properties.code.description, /Unique/)
    assert.doesNotMatch(schema.properties.note.description, /Unique/)
    for (const each of [path, `${path}/{entry_id}`]) assert.ok('409' in paths[each].post.responses)
    await server.call('DELETE', `/api/v2/datatable/${id}`)
  })

  test('describes a column with the name of a calendar field', async () => {
    const { datatable_id: id } = await create('datatable', {
      name: 'Sites',
      table_schema: 'location I NOTNULL, end_time D, event_title C(2)',
    })
    const { paths } = await read('module')
    const { content } = paths[`/module/datatable/${id}/sites`].get.responses['200']
    const [entry] = content['application/json'].example.datatable_entry
    const { location, end_time, event_title } = entry
    assert.deepEqual([location, end_time, event_title], [1, '2026-01-31', 'a'])
    await server.call('DELETE', `/api/v2/datatable/${id}`)
  })

  test('omits the modules of a deleted folder', async () => {
    const { asset_category_id: folder } = await create('asset_category', { name: 'Old' })
    await create('calendar', { name: 'Forgotten', parent_category_id: folder })
    assert.ok(JSON.stringify(await read('module')).includes('Forgotten'))
    await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
    assert.ok(!JSON.stringify(await read('module')).includes('Forgotten'))
  })

  test('contains columns but no entries, counts or owners', async () => {
    const path = '/public/api/module/swagger.json'
    const before = await server.call('GET', path, { key: null })
    const url = '/api/v2/module/datatable/1/press-releases'
    await server.call('POST', url, { json: { title: 'A secret of ours' } })
    const after = await server.call('GET', path, { key: null })
    assert.equal(after.headers.etag, before.headers.etag)
    assert.equal(after.text, before.text)
    assert.ok(!/secret of ours|"admin"|entry_count/.test(after.text))
  })

  test('answers 304 to a client that has the document', async () => {
    const path = '/public/api/module/swagger.json'
    const { headers } = await server.call('GET', path)
    const again = await server.call('GET', path, {
      headers: { 'if-none-match': String(headers.etag) },
    })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
    // A browser replaces the headers of its stored response with the headers of a 304 (RFC 9111, section
    // 3.2).
    for (const name of ['etag', 'cache-control', 'vary'])
      assert.equal(again.headers[name], headers[name], name)
    await create('datatable', { ...TABLE, name: 'Another' })
    const changed = await server.call('GET', path, {
      headers: { 'if-none-match': String(headers.etag) },
    })
    assert.equal(changed.status, 200)
    const head = await server.call('HEAD', path)
    assert.deepEqual(head.headers['content-length'], String(changed.bytes.length))
  })

  test('has one tag per module, ordered by identifier', async () => {
    const names = (await read('module')).tags.map(({ name }: any) => name)
    assert.equal(names[0], `datatable 1: ${TABLE.name}`)
    assert.ok(names.includes(`calendar 1: ${CALENDAR.name}`))
  })
})
