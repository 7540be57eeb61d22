// The log of changes: each change once, in order, and each key reads the changes that it sees.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import { ask, CHANGES, changesOf, inShort, openStream } from '../../helpers/follow.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (path: string, json: object): Promise<Answer> => server.call('POST', path, { json })
const remove = (path: string): Promise<Answer> => server.call('DELETE', path)

/** Makes a key that sees this folder and everything below it. */
async function narrowKey(folder: number): Promise<string> {
  return server.makeKey({ name: 'narrow', grants: 'view', category: folder })
}

describe('a change is listed', () => {
  test('once, with its content and a number of its own, for each kind of request', async () => {
    let file: any
    const told = await changesOf(server, async () => {
      file = await makeFile(server, { fileState: 'publish' })
      await post(`/api/v2/asset_file/${file.asset_file_id}`, { title: 'new' })
      await post(`/api/v2/asset_file/${file.asset_file_id}/unpublish`, {})
      await remove(`/api/v2/asset_file/${file.asset_file_id}`)
    })
    const id = file.asset_file_id
    assert.deepEqual(inShort(told), [
      `create asset_file ${id}`,
      `update asset_file ${id}`,
      `unpublish asset_file ${id}`,
      `delete asset_file ${id}`,
    ])
    assert.deepEqual(
      told.map(({ version, fileState, changed_fields }) => [version, fileState, changed_fields]),
      [
        [1, 'publish', null],
        [2, null, ['title', 'version']],
        [1, null, ['fileState', 'live_version', 'date_published']],
        [null, null, null],
      ].map((row, at) => (at === 2 ? [told[2].version, told[2].fileState, row[2]] : row)),
    )
    const numbers = told.map(({ sequence }) => sequence)
    assert.deepEqual(
      numbers,
      [0, 1, 2, 3].map((at) => numbers[0] + at),
    )

    // One change at a time, each from the previous position.
    let next = String(numbers[0] - 1)
    for (const change of told) {
      const { change: one, page } = await ask(server, `length=1&since=${next}`)
      assert.deepEqual(one, [change])
      next = page.next
    }
    assert.deepEqual((await ask(server, `since=${next}`)).change, [])
    assert.deepEqual((await ask(server, `since=${numbers[1]}`)).change, told.slice(2))
  })

  test('from a time on, by polling and by a stream', async () => {
    let nowMs = Date.parse('2026-03-01T08:00:00Z')
    const own = await startTestServer({ now: () => new Date(nowMs) })
    await make(own, 'file_group', { name: 'early' })
    nowMs += 3_600_000
    const { file_group_id: id } = await make(own, 'file_group', { name: 'late' })
    const since = 'since=2026-03-01T10:00:00%2B01:00'
    const expected = [`create file_group ${id}`]
    assert.deepEqual(inShort((await ask(own, since)).change), expected)
    const stream = await openStream(own, { query: since })
    const [event] = await stream.until(1)
    assert.deepEqual(inShort([event?.data]), expected)
    stream.close()
    assert.deepEqual((await ask(own, 'since=2026-03-01T09:00:00.001Z')).change, [])
    assert.equal((await ask(own, 'since=2026-03-01')).change.at(-1).object_id, id)
    assertProblem(await own.call('GET', `${CHANGES}?since=2026-03-32T00:00:00Z`), 'bad-request')
    await own.close()
  })

  test('for each entry of a bulk request, and a reader can stop within the request', async () => {
    const { module_url: url } = await make(server, 'datatable', {
      name: 'Books',
      table_schema: 'title C(20)',
    })
    const { page } = await ask(server)
    const list = Array.from({ length: 30 }, (_, at) => ({ title: `book ${at}` }))
    assert.equal((await post(url, list)).status, 201)
    const first = await ask(server, `length=7&since=${page.next}`)
    const second = await ask(server, `length=1000&since=${first.page.next}`)
    assert.deepEqual(
      [...first.change, ...second.change].map(({ object, object_id: id }) => [object, id]),
      list.map((_, at) => ['datatable_entry', at + 1]),
    )
    const numbers = [...first.change, ...second.change].map(({ sequence }) => sequence)
    assert.equal(new Set(numbers).size, 30)
    assert.deepEqual(
      numbers,
      numbers.toSorted((left, right) => left - right),
    )
    // A second read starts in the middle.
    const { change } = await ask(server, `since=${numbers[12]}&length=1000`)
    assert.equal(change.length, 17)
  })

  test('for groups that a deleted file leaves, and for the contents of a deleted folder', async () => {
    const folder = await makeFolder(server)
    const below = await makeFolder(server, { parent_category_id: folder.asset_category_id })
    const inside = { parent_category_id: below.asset_category_id }
    const file = await makeFile(server, inside)
    const other = await makeFile(server)
    const asset_file_ids = [file.asset_file_id, other.asset_file_id]
    const group = await make(server, 'file_group', { name: 'group', asset_file_ids })
    const table = await make(server, 'datatable', { name: 't', table_schema: 'a I', ...inside })
    const first = await changesOf(server, () => remove(`/api/v2/asset_file/${other.asset_file_id}`))
    assert.deepEqual(inShort(first), [
      `update file_group ${group.file_group_id}`,
      `delete asset_file ${other.asset_file_id}`,
    ])
    assert.deepEqual(first[0].changed_fields, ['asset_file_ids'])

    const all = await changesOf(server, () =>
      remove(`/api/v2/asset_category/${folder.asset_category_id}?recursive=true`),
    )
    assert.deepEqual(inShort(all), [
      `delete asset_category ${folder.asset_category_id}`,
      `update file_group ${group.file_group_id}`,
      `delete asset_file ${file.asset_file_id}`,
      `delete datatable ${table.datatable_id}`,
      `delete asset_category ${below.asset_category_id}`,
    ])
    assert.deepEqual([...new Set(all.map(({ user_name: name }) => name))], ['admin'])
  })

  test('for keys that are deleted with their user', async () => {
    const { user_id: id } = await make(server, 'user', { name: 'eve', role: 'editor' })
    await server.makeKey({ name: 'one', user: 'eve' })
    await server.makeKey({ name: 'two', user: 'eve' })
    const told = await changesOf(server, () => remove(`/api/v2/user/${id}`))
    assert.deepEqual(
      told.map(({ action, object }) => [action, object]),
      [
        ['delete', 'user'],
        ['delete', 'api_key'],
        ['delete', 'api_key'],
      ],
    )
  })
})

test('a filter selects the named changes, and a folder includes everything in it', async () => {
  const folder = await makeFolder(server)
  const inside = { parent_category_id: folder.asset_category_id }
  const { page } = await ask(server)
  const file = await makeFile(server, inside)
  const group = await make(server, 'file_group', { name: 'g', ...inside })
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  await post(path, { parent_category_id: 1 })
  await post(path, { title: 'outside' })
  await post(path, inside)
  const since = `since=${page.next}`
  const of = async (query: string): Promise<readonly string[]> =>
    inShort((await ask(server, `${since}&${query}`)).change)
  const [inFile, inGroup] = [
    `asset_file ${file.asset_file_id}`,
    `file_group ${group.file_group_id}`,
  ]
  assert.deepEqual(await of('object=file_group'), [`create ${inGroup}`])
  assert.equal((await of('object=file_group,asset_file')).length, 5)
  assert.deepEqual(await of('action=create'), [`create ${inFile}`, `create ${inGroup}`])
  assert.deepEqual(await of(`asset_category_id=${folder.asset_category_id}`), [
    `create ${inFile}`,
    `create ${inGroup}`,
    `delete ${inFile}`,
    `create ${inFile}`,
  ])
  assert.deepEqual(await of('module_id=77'), [])
})

describe('a key for a folder', () => {
  test('sees additions and removals within its folder, and nothing else', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const inside = { parent_category_id: id }
    const key = await narrowKey(id)
    let file: any
    const told = await changesOf(
      server,
      async () => {
        file = await makeFile(server)
        const path = `/api/v2/asset_file/${file.asset_file_id}`
        await post(path, { title: 'hidden' })
        await post(path, inside)
        await post(path, { title: 'seen' })
        await post(path, { parent_category_id: 1 })
        await post(path, { title: 'hidden again' })
        await make(server, 'user', { name: 'somebody', role: null })
      },
      { key },
    )
    const what = `asset_file ${file.asset_file_id}`
    assert.deepEqual(inShort(told), [`create ${what}`, `update ${what}`, `delete ${what}`])
    for (const { sequence, previous_category_id: previous, asset_category_id: own } of told)
      assert.deepEqual([sequence, previous, own], [null, null, id])
  })

  test('sees removals when a folder below its own is deleted', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const below = await makeFolder(server, { parent_category_id: id })
    const file = await makeFile(server, { parent_category_id: below.asset_category_id })
    const key = await narrowKey(id)
    const told = await changesOf(
      server,
      () => remove(`/api/v2/asset_category/${below.asset_category_id}?recursive=true`),
      { key },
    )
    assert.deepEqual(inShort(told), [
      `delete asset_category ${below.asset_category_id}`,
      `delete asset_file ${file.asset_file_id}`,
    ])
  })

  test('gets the same answers, whatever happens in other folders', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const hidden = await makeFolder(server)
    const file = await makeFile(server, { parent_category_id: hidden.asset_category_id })
    const group = { name: 'g', parent_category_id: id, asset_file_ids: [file.asset_file_id] }
    await make(server, 'file_group', group)
    const key = await narrowKey(id)
    const { page } = await ask(server, '', key)
    const masked = async (): Promise<string> => {
      const { headers, text } = await server.call('GET', `${CHANGES}?since=${page.next}`, { key })
      const { date, 'x-request-id': _, ...rest } = headers
      assert.ok(date !== undefined)
      // A position differs each time but always has the same length.
      return JSON.stringify(rest) + text.replace(/"next":"[\w-]{51}"/, '"next"')
    }
    const before = await masked()
    assert.match(before, /"change":\[\]/)
    await makeFile(server, { parent_category_id: hidden.asset_category_id })
    await remove(`/api/v2/asset_category/${hidden.asset_category_id}?recursive=true`)
    await make(server, 'user', { name: 'hidden-one', role: 'viewer' })
    assert.equal(await masked(), before)
    const { page: later } = await ask(server, `since=${page.next}`, key)
    assert.equal(later.next.length, page.next.length)
  })

  test('uses positions instead of numbers, because numbers reveal how many changes exist', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const key = await narrowKey(id)
    const refused = await server.call('GET', `${CHANGES}?since=5`, { key })
    assertProblem(refused, 'bad-request')
    const { change } = await ask(server, 'since=0&object=asset_category', key)
    assert.deepEqual(inShort(change), [`create asset_category ${id}`])
  })

  test('gets no changes after it was deleted', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const key = await narrowKey(id)
    const waiting = server.call('GET', `${CHANGES}?wait=30`, { key })
    await server.command({ command: 'key.list' })
    await remove(`/api/v2/asset_category/${id}`)
    const answer = await server.call('GET', CHANGES, { key })
    assertProblem(answer, 'grant-missing')
    assert.ok([200, 403].includes((await waiting).status))
  })
})

test('a waiting request is answered with the first visible change, or with none', async () => {
  const { page } = await ask(server, 'object=file_group')
  const waiting = ask(server, `wait=30&object=file_group&since=${page.next}`)
  await makeFile(server)
  const group = await make(server, 'file_group', { name: 'at last' })
  assert.deepEqual(inShort((await waiting).change), [`create file_group ${group.file_group_id}`])
  assert.deepEqual((await ask(server, 'wait=1')).change, [])
})

test('a waiting request is answered at its time limit, even after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const collecting = setInterval(() => collect(), 50)
  const never = AbortSignal.timeout(20_000)
  try {
    const answer = await fetch(`${server.url}${CHANGES}?wait=1`, {
      headers: { authorization: `Bearer ${server.key}` },
      signal: never,
    })
    const { change }: any = await answer.json()
    assert.deepEqual(change, [])
  } finally {
    clearInterval(collecting)
  }
})

const HOSTILE = [
  'since=-1',
  'since=99999999999999999',
  'since=%00',
  'since=rzhCJm5tWcu1yXN9A5uIu0KQk2b3gq1mT5yGkq6cZPxq0YbJ1c8',
  'since=1&since=2',
  'length=0',
  'length=1001',
  'wait=61',
  'wait=-1',
  'wait=1.5',
  'object=audit',
  'object=',
  'object=asset_file,',
  'action=sign_in',
  'asset_category_id=x',
  'module_id=0',
  'sicne=1',
] as const

for (const query of HOSTILE) {
  test(`?${query} is refused`, async () => {
    assertProblem(await server.call('GET', `${CHANGES}?${query}`), 'bad-request')
  })
}

test('a missing or invisible folder is not found', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const key = await narrowKey(id)
  for (const answer of [
    await server.call('GET', `${CHANGES}?asset_category_id=999999`),
    await server.call('GET', `${CHANGES}?asset_category_id=1`, { key }),
    await server.call('GET', `${CHANGES}/stream?asset_category_id=1`, { key }),
  ])
    assertProblem(answer, 'not-found')
})
