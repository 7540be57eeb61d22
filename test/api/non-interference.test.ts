// Records that a key cannot see do not influence its answers. The tests repeat the requests that once leaked
// such records. test/rigs/interference searches for further leaks.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder, newName } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../helpers/server.ts'

const EDITING = 'view,create,modify,stage,publish,delete'

let server: TestServer
/** The keys may see Main/Layouts/site, but neither Main/Layouts nor Main/Layouts/Payroll. */
let above: number
let folder: number
let beside: number
/** A key with all grants in the folder. */
let narrow: string
/** A key of a user who is an editor in the folder and has no role elsewhere. */
let weak: string

const as =
  (key: string) =>
  (method: string, path: string, call: Call = {}) =>
    server.call(method, path, { key, ...call })

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  above = (await makeFolder(server, { name: 'Layouts' })).asset_category_id
  folder = (await makeFolder(server, { name: 'site', parent_category_id: above })).asset_category_id
  beside = (await makeFolder(server, { name: 'Payroll', parent_category_id: above }))
    .asset_category_id
  narrow = await server.makeKey({ name: 'narrow', category: folder })
  const category_roles = [{ asset_category_id: folder, role: 'editor' }]
  await make(server, 'user', { name: 'weak', role: null, category_roles })
  weak = await server.makeKey({ name: 'weak', user: 'weak' })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

/**
 * Returns an answer without its request id. The identifier `number` is replaced, so that answers for
 * different records can be compared.
 */
function told({ status, text }: Answer, number?: number): string {
  const plain = text.replace(/"request_id":"[^"]*"/, '')
  return `${status} ${number === undefined ? plain : plain.replaceAll(String(number), 'N')}`
}

describe('searches', () => {
  test('only administrators of the site see the cost of a search', async () => {
    const path = '/api/v2/asset_category?qry={"name":{"$startsWith":"Pay"}}'
    const whole = await server.call('GET', path)
    assert.match(String(whole.headers['server-timing']), /scanned 1, returned 1/)
    for (const key of [narrow, weak]) {
      const { status, headers } = await as(key)('GET', path)
      assert.equal(status, 200)
      assert.equal(headers['server-timing'], undefined)
    }
  })

  test('only administrators of the site see the cost of a list of entries', async () => {
    const table = {
      name: newName('table'),
      table_schema: 'title C(40)',
      parent_category_id: folder,
    }
    const { module_url: path } = await make(server, 'datatable', table)
    assert.ok((await server.call('GET', path)).headers['server-timing'] !== undefined)
    assert.equal((await as(narrow)('GET', path)).headers['server-timing'], undefined)
  })

  test('a cursor reveals no stored value', async () => {
    for (const name of ['Alpha', 'Beta'])
      await makeFolder(server, { name, title: name, parent_category_id: folder })
    await makeFolder(server, { name: 'Gamma', title: 'Azure', parent_category_id: beside })
    for (const key of [server.key, narrow]) {
      const path = '/api/v2/asset_category?orderStr=title&length=1'
      for (let next = ''; ; ) {
        const at = next === '' ? '' : `&cursor=${next}`
        const { status, body, headers } = await as(key)('GET', `${path}${at}`)
        assert.equal(status, 200)
        if (body.page.next === null) break
        next = body.page.next
        assert.ok(String(headers['link']).includes(`cursor=${next}`))
        const shown = Buffer.from(next, 'base64url').toString('latin1')
        for (const text of ['Alpha', 'Beta', 'Azure', 'Gamma', 'asset'])
          assert.ok(!shown.includes(text))
      }
    }
  })

  test('a cursor that was changed is refused', async () => {
    const path = '/api/v2/asset_category?orderStr=name&length=1'
    const { body } = await server.call('GET', path)
    const cursor: string = body.page.next
    for (let at = 0; at < cursor.length; at += 3) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      const changed = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
      const answer = await server.call('GET', `${path}&cursor=${changed}`)
      assertProblem(answer, 'bad-qry')
    }
    assertProblem(await server.call('GET', `${path}&cursor=${cursor.slice(0, -4)}`), 'bad-qry')
  })

  test('the order of a long range does not reveal the number of hidden records in it', async () => {
    const files = async (parent_category_id: number, count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 50) {
        const json = Array.from({ length: Math.min(50, left) }, (_, index) => {
          // The order of the names differs from the order of the identifiers.
          const name = `many-${1_000 - index}-${left}.txt`
          return { name, type: 'txt', title: `Many ${1_000 - index}`, parent_category_id }
        })
        assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
      }
    }
    await files(folder, 500)
    const path =
      '/api/v2/asset_file?qry={"title":{"$startsWith":"Many"}}&length=5&fields=asset_file_id'
    const ask = async (): Promise<readonly string[]> => {
      const answers = await Promise.all([narrow, weak].map((key) => as(key)('GET', path)))
      return answers.map((answer) => told(answer))
    }
    const alone = await ask()
    await files(beside, 600)
    assert.deepEqual(await ask(), alone)
  })

  test('the choice of the first condition does not reveal the number of hidden records that match it', async () => {
    for (const at of [0, 1, 2, 3]) {
      const title = at === 0 ? null : 'Zu'
      await makeFolder(server, { name: `scale-${at}`, title, parent_category_id: folder })
    }
    const qry = JSON.stringify({ name: { $startsWith: 'scale' }, title: { $startsWith: 'Zu' } })
    const path = `/api/v2/asset_category?qry=${qry}&orderStr=name&length=1`
    const ask = async (): Promise<string> => told(await as(narrow)('GET', path))
    const alone = await ask()
    await makeFolder(server, { title: 'Zurich', parent_category_id: beside })
    assert.equal(await ask(), alone)
  })
})

test('a key for a folder does not read the metrics, which count every record', async () => {
  assert.equal((await as(narrow)('GET', '/metrics')).status, 403)
  assert.equal((await server.call('GET', '/metrics')).status, 200)
})

describe('folders', () => {
  test('a new key gets the same refusal for a hidden and a missing folder', async () => {
    for (const [key, fields] of [
      [narrow, {}],
      [narrow, { grants: ['view'] }],
      [weak, {}],
      [weak, { grants: [] }],
    ] as const) {
      const ask = async (asset_category_id: number): Promise<string> => {
        const json = { name: 'sub', asset_category_id, ...fields }
        return told(await as(key)('POST', '/api/v2/api_key', { json }), asset_category_id)
      }
      const nowhere = await ask(77_777)
      assert.match(nowhere, /^(?:403|422) /)
      for (const hidden of [beside, above, 12]) assert.equal(await ask(hidden), nowhere)
    }
  })

  test('a key cannot rename its own folder, and the refusal does not reveal taken names', async () => {
    const ask = async (name: string): Promise<Answer> =>
      as(narrow)('POST', `/api/v2/asset_category/${folder}`, { json: { name } })
    const free = await ask('Not taken')
    assert.equal(free.status, 403)
    for (const name of ['Payroll', 'payroll', 'Layouts'])
      assert.equal(told(await ask(name)), told(free))
    const { body } = await server.call('GET', `/api/v2/asset_category/${folder}`)
    assert.equal(body.name, 'site')
  })

  test('a path begins at the first visible folder', async () => {
    const below = await makeFolder(server, { name: 'below', parent_category_id: folder })
    const file = await makeFile(server, {
      name: 'path.html',
      parent_category_id: below.asset_category_id,
    })
    const paths = [
      [`asset_category/${folder}`, '/site'],
      [`asset_category/${below.asset_category_id}`, '/site/below'],
      [`asset_file/${file.asset_file_id}`, '/site/below/path.html'],
    ] as const
    for (const [path, shown] of paths) {
      const whole = await server.call('GET', `/api/v2/${path}`)
      assert.equal(whole.body.path, `/Main/Layouts${shown}`)
      for (const key of [narrow, weak]) {
        const { body } = await as(key)('GET', `/api/v2/${path}`)
        assert.equal(body.path, shown)
        const again = await as(key)('GET', `/api/v2/${path}?fields=path`)
        assert.deepEqual(again.body, { path: shown })
      }
    }
  })

  test('lists and changes show the same path, and a guessed path is refused', async () => {
    const below = await makeFolder(server, { parent_category_id: folder })
    const path = `/api/v2/asset_category/${below.asset_category_id}`
    const { body } = await as(narrow)('GET', path)
    assert.equal(body.path, `/site/${body.name}`)
    const posted = await as(narrow)('POST', path, { json: { ...body, title: 'posted back' } })
    assert.equal(posted.status, 200, posted.text)
    assert.equal(posted.body.path, body.path)
    const id = below.asset_category_id
    const list = await as(narrow)('GET', `/api/v2/asset_category?qry={"asset_category_id":${id}}`)
    assert.equal(list.body.asset_category[0].path, body.path)

    const guess = (above: string) =>
      as(narrow)('POST', path, { json: { path: `/Main/${above}/site/${body.name}` } })
    const wrong = await guess('Wrong')
    assert.equal(wrong.status, 422)
    assert.equal(told(await guess('Layouts')), told(wrong))
  })

  test('the parent of the folder of a key has no number', async () => {
    for (const key of [narrow, weak]) {
      const one = await as(key)('GET', `/api/v2/asset_category/${folder}`)
      assert.equal(one.body.parent_category_id, null)
      const search = (id: number) =>
        as(key)('GET', `/api/v2/asset_category?qry={"parent_category_id":${id}}&fields=name`)
      assert.deepEqual((await search(above)).body.asset_category, [])
      assert.equal(told(await search(above)), told(await search(77_777)))
    }
    const { body } = await server.call('GET', `/api/v2/asset_category/${folder}`)
    assert.equal(body.parent_category_id, above)
  })
})

describe('members of groups', () => {
  test('are limited to visible files, and hidden members keep their place', async () => {
    const file = async (parent_category_id: number): Promise<number> =>
      (await makeFile(server, { parent_category_id })).asset_file_id
    const [first, second, hidden, last] = [
      await file(folder),
      await file(folder),
      await file(beside),
      await file(beside),
    ]
    const { file_group_id: id } = await make(server, 'file_group', {
      name: 'members',
      parent_category_id: folder,
      asset_file_ids: [first, hidden, second, last],
    })
    const path = `/api/v2/file_group/${id}`
    const stored = async (): Promise<readonly number[]> =>
      (await server.call('GET', path)).body.asset_file_ids

    const { body } = await as(narrow)('GET', path)
    assert.deepEqual(body.asset_file_ids, [first, second])
    const posted = await as(narrow)('POST', path, { json: { ...body, title: 'posted back' } })
    assert.deepEqual(posted.body.asset_file_ids, [first, second])
    assert.deepEqual(await stored(), [first, hidden, second, last])

    const changed = await as(narrow)('POST', path, { json: { asset_file_ids: [second] } })
    assert.deepEqual(changed.body.asset_file_ids, [second])
    assert.deepEqual(new Set(await stored()), new Set([second, hidden, last]))

    const add = async (added: number): Promise<string> =>
      told(await as(narrow)('POST', path, { json: { asset_file_ids: [added] } }), added)
    assert.equal(await add(hidden), await add(77_777))
    const search = async (member: number): Promise<string> =>
      told(await as(narrow)('GET', `/api/v2/file_group?qry={"asset_file_ids":${member}}`), member)
    assert.equal(await search(hidden), await search(77_777))
  })

  test('that are hidden can change without a change of the ETag', async () => {
    const { asset_file_id: seen } = await makeFile(server, { parent_category_id: folder })
    const { asset_file_id: hidden } = await makeFile(server, { parent_category_id: beside })
    const group = { name: 'tags', parent_category_id: folder, asset_file_ids: [seen, hidden] }
    const { file_group_id: id } = await make(server, 'file_group', group)
    const path = `/api/v2/file_group/${id}`
    // The part after the dot is a checksum of the body, which contains the time.
    const tag = async (): Promise<string> =>
      String((await as(narrow)('GET', path)).headers.etag).split('.', 1)[0] ?? ''

    const before = (await as(narrow)('GET', path)).headers.etag
    const first = await tag()
    await server.call('DELETE', `/api/v2/asset_file/${hidden}`)
    assert.equal(await tag(), first)
    const headers = { 'if-match': String(before) }
    const changed = await as(narrow)('POST', path, { headers, json: { title: 'x' } })
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(await tag(), first)
    assert.equal((await as(narrow)('DELETE', path, { headers })).status, 412)
  })
})

describe('versions', () => {
  test('from a time in a hidden folder are treated as missing', async () => {
    const made = await makeFile(server, { parent_category_id: folder, pageContent: 'one' })
    const path = `/api/v2/asset_file/${made.asset_file_id}`
    const save = async (json: object): Promise<void> => {
      assert.equal((await server.call('POST', path, { json })).status, 200)
    }
    await save({ parent_category_id: beside })
    await save({ pageContent: 'Payroll of March', title: 'Payroll' })
    await save({ parent_category_id: folder, pageContent: 'four', title: null })

    const list = await as(narrow)('GET', `${path}/versions`)
    const numbers = (list.body.asset_file_version as any[]).map(({ version }) => version)
    assert.deepEqual(numbers, [4, 1])
    assert.equal(list.body.page.total, 2)
    assert.doesNotMatch(list.text, /Payroll/)
    for (const number of [2, 3, 9]) {
      const asked = [
        ['GET', `versions/${number}`],
        ['GET', `versions/${number}/content`],
        ['GET', `versions/1/diff/${number}`],
        ['POST', `versions/${number}/restore`],
        ['POST', `publish?version=${number}`],
      ] as const
      for (const [method, action] of asked)
        assertProblem(await as(narrow)(method, `${path}/${action}`), 'not-found')
      const download = `${made.url}?version=${number}`
      assertProblem(await as(narrow)('GET', download), 'not-found')
    }
    const whole = await server.call('GET', `${path}/versions`)
    assert.equal(whole.body.page.total, 4)
  })
})

describe('retries and people', () => {
  test('a retry with a key that was restricted meanwhile shows only visible records', async () => {
    const { api_key_id: id, secret: key } = await make(server, 'api_key', { name: 'narrowed' })
    const requests = [
      ['asset_category', { name: 'retried', parent_category_id: folder }],
      ['asset_category', { name: 'retried', title: 'Payroll', parent_category_id: beside }],
      [`asset_category/${folder}`, { description: 'retried' }],
      [`asset_category/${above}`, { description: 'Payroll' }],
      ['user', { name: 'Payroll clerk' }],
    ] as const
    const send = (index: number) => {
      const [path, json] = requests[index] ?? []
      const headers = { 'idempotency-key': `retry-${index}` }
      return as(key)('POST', `/api/v2/${path}`, { json, headers })
    }
    for (const index of requests.keys()) assert.ok((await send(index)).status < 300)
    await server.call('POST', `/api/v2/api_key/${id}`, {
      json: { asset_category_id: folder, grants: EDITING.split(',') },
    })
    for (const index of requests.keys()) {
      const answer = await send(index)
      assert.doesNotMatch(answer.text, /Payroll|Layouts/, answer.text)
      assert.ok([200, 201, 403, 404, 409].includes(answer.status), answer.text)
    }
  })

  test('a key for a folder sees the roles of its user only in the folder', async () => {
    const category_roles = [
      { asset_category_id: beside, role: 'viewer' },
      { asset_category_id: folder, role: 'editor' },
    ]
    const made = await make(server, 'user', { name: 'roles', role: 'viewer', category_roles })
    const key = await server.makeKey({ name: 'roles', user: 'roles', category: folder })
    const path = `/api/v2/user/${made.user_id}`
    const shown = [{ asset_category_id: folder, role: 'editor' }]
    assert.deepEqual((await as(key)('GET', path)).body.category_roles, shown)
    assert.deepEqual((await as(key)('GET', '/api/v2/user')).body.user[0].category_roles, shown)
    assert.deepEqual((await server.call('GET', path)).body.category_roles, category_roles)
  })
})
