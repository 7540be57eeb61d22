// Times at which the server publishes, unpublishes and stages: what may be set, what happens when a time comes, and what
// changes of the file do to it. The tests move the clock of the server; nothing waits for a real time.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, newName, read } from '../../helpers/content.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
let server: TestServer
let aheadMs = 0

const now = (): Date => new Date(Date.now() + aheadMs)
/** A whole second this many seconds ahead of the clock of the server. */
const inSeconds = (seconds: number): string =>
  `${new Date(now().getTime() + seconds * 1_000 + 999).toISOString().slice(0, 19)}.000Z`

before(async () => {
  server = await startTestServer({ now })
})
after(() => server.close())

const pathOf = (file: any): string => `${PATH}/${file.asset_file_id}`
const fileNow = async (file: any): Promise<any> => (await read(server, pathOf(file))).body

async function send(file: any, json: object, key?: string): Promise<any> {
  const call = key === undefined ? { json } : { json, key }
  const answer = await server.call('POST', pathOf(file), call)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function act(file: any, path: string): Promise<any> {
  const answer = await server.call('POST', `${pathOf(file)}/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Moves the clock behind the time, and waits until the file has no time left. */
async function pass(file: any, seconds: number): Promise<any> {
  aheadMs += seconds * 1_000
  let body: any
  const isOver = async (): Promise<boolean> => {
    body = await fileNow(file)
    const times = [body.publish_at, body.unpublish_at, body.stage_at]
    return times.every((time) => time === null || Date.parse(time) > now().getTime())
  }
  assert.ok(await eventually(isOver, 20_000), 'the time is not carried out')
  return body
}

async function lastRow(file: any): Promise<any> {
  const query = new URLSearchParams({
    qry: JSON.stringify({ object: 'asset_file', object_id: file.asset_file_id }),
    ...{ orderStr: 'audit_id', orderDir: 'DESC', length: '1' },
  })
  return (await server.call('GET', `/api/v2/audit?${query}`)).body.audit[0]
}

test('a file goes live at its time, with the approved version, as the user who set the time', async () => {
  const at = inSeconds(60)
  const file = await makeFile(server, { pageContent: 'approved' })
  const set = await send(file, { publish_at: at })
  assert.deepEqual(
    [set.publish_at, set.publish_version, set.version, set.date_modified],
    [at, 1, 1, file.date_modified],
  )
  await send(file, { pageContent: 'later' })
  assert.equal((await fileNow(file)).live_version, null)

  const live = await pass(file, 61)
  const { publish_at, publish_version, live_version, staged_version, version, state } = live
  assert.deepEqual(
    { publish_at, publish_version, live_version, staged_version, version, state },
    {
      publish_at: null,
      publish_version: null,
      live_version: 1,
      staged_version: 1,
      version: 2,
      state: 'changed',
    },
  )
  assert.ok(live.date_published >= at)
  assert.equal((await server.call('GET', file.url)).text, 'approved')
  const row = await lastRow(file)
  assert.deepEqual(
    [row.action, row.user_name, row.request_id, row.version],
    ['publish', 'admin', null, 1],
  )
})

test('create, update and upload set times; a body with content names its own version', async () => {
  const [first, second] = [inSeconds(1_000), inSeconds(2_000)]
  const made = await makeFile(server, { publish_at: first, unpublish_at: second })
  assert.deepEqual(
    [made.publish_at, made.publish_version, made.unpublish_at, made.stage_at],
    [first, 1, second, null],
  )
  const saved = await send(made, { pageContent: '2', stage_at: first })
  assert.deepEqual([saved.publish_version, saved.stage_version, saved.version], [1, 2, 2])
  const parts = [
    { name: 'asset_category_id', value: '1' },
    { name: 'publish_at', value: second },
    { name: 'Filedata', bytes: Buffer.from('x'), fileName: newName('txt') },
  ]
  const uploaded = await server.upload(parts)
  assert.equal(uploaded.status, 201, uploaded.text)
  assert.deepEqual([uploaded.body.publish_at, uploaded.body.publish_version], [second, 1])
})

test('a file is unpublished or staged at its time', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  await send(file, { unpublish_at: inSeconds(10) })
  const off = await pass(file, 11)
  assert.deepEqual([off.live_version, off.unpublish_at, off.staged_version], [null, null, 1])
  await send(file, { pageContent: '2', stage_at: inSeconds(10) })
  const staged = await pass(file, 11)
  assert.deepEqual([staged.staged_version, staged.stage_at, staged.live_version], [2, null, null])
})

describe('refused times', () => {
  const cases: Readonly<Record<string, readonly [() => object, RegExp]>> = {
    'in the past': [() => ({ publish_at: inSeconds(-10) }), /is in the past: .* send a later time/],
    'a fraction of a second': [
      () => ({ publish_at: inSeconds(60).replace('.000', '.500') }),
      /must be a whole second/,
    ],
    'a fraction below a millisecond': [
      () => ({ stage_at: inSeconds(60).replace('.000', '.0001') }),
      /must be a whole second/,
    ],
    'seconds with a fraction': [() => ({ publish_at: 4_102_444_800.5 }), /must be a whole second/],
    'the name of a zone': [
      () => ({ publish_at: '2099-01-01T12:00:00 Europe/Berlin' }),
      /must be a date/,
    ],
    'no offset': [() => ({ publish_at: '2099-01-01T12:00:00' }), /has no offset: append Z/],
    'an end before the start': [
      () => ({ publish_at: inSeconds(60), unpublish_at: inSeconds(60) }),
      /must be later than publish_at/,
    ],
    'now and later': [
      () => ({ publish_at: inSeconds(60), fileState: 'publish' }),
      /is not allowed with fileState publish/,
    ],
    'a version': [() => ({ publish_version: 2 }), /read-only/],
  }
  for (const [name, [body, detail]] of Object.entries(cases)) {
    test(name, async () => {
      const file = await makeFile(server)
      const answer = await server.call('POST', pathOf(file), { json: body() })
      assertProblem(answer, 'invalid-content')
      assert.match(answer.body.detail, detail)
      assert.equal((await fileNow(file)).publish_at, null)
    })
  }

  test('a create with a time in the past', async () => {
    const json = { name: newName(), type: 'html', parent_category_id: 1, publish_at: inSeconds(-9) }
    assertProblem(await server.call('POST', PATH, { json }), 'invalid-content')
  })
})

describe('a change by hand and a time', () => {
  const changes: Readonly<
    Record<string, readonly [(file: any) => Promise<any>, readonly unknown[]]>
  > = {
    // publish_at, unpublish_at and stage_at are still set afterwards.
    'publish of the scheduled version': [(file) => act(file, 'publish'), [false, true, false]],
    'publish of an older version': [(file) => act(file, 'publish?version=1'), [true, true, true]],
    'stage of the scheduled version': [(file) => act(file, 'stage'), [true, true, false]],
    unpublish: [(file) => act(file, 'unpublish'), [true, true, true]],
    unstage: [(file) => act(file, 'unstage'), [true, true, true]],
    save: [(file) => send(file, { title: 'new' }), [true, true, true]],
    rename: [(file) => send(file, { name: newName() }), [true, true, true]],
    'null for all': [
      (file) => send(file, { publish_at: null, unpublish_at: null, stage_at: null }),
      [false, false, false],
    ],
    'the record posted back': [
      async (file) => send(file, { ...(await fileNow(file)), title: 'back' }),
      [true, true, true],
    ],
  }
  for (const [name, [change, left]] of Object.entries(changes)) {
    test(name, async () => {
      const file = await makeFile(server)
      const times = { publish_at: inSeconds(9_000), unpublish_at: inSeconds(9_900) }
      await send(file, { pageContent: '2', ...times, stage_at: inSeconds(9_000) })
      const { publish_at, publish_version, unpublish_at, stage_at, stage_version } =
        await change(file)
      assert.deepEqual(
        [publish_at, unpublish_at, stage_at].map((time) => time !== null),
        left,
      )
      assert.deepEqual([publish_version, stage_version], [left[0] ? 2 : null, left[2] ? 2 : null])
    })
  }

  test('the same time again names the newest version', async () => {
    const at = inSeconds(9_000)
    const file = await makeFile(server, { publish_at: at })
    await send(file, { pageContent: '2' })
    assert.equal((await send(file, { publish_at: at })).publish_version, 2)
  })

  test('an unpublish by hand clears the time that would do the same', async () => {
    const file = await makeFile(server, { fileState: 'publish' })
    await send(file, { unpublish_at: inSeconds(9_000) })
    assert.equal((await act(file, 'unpublish')).unpublish_at, null)
  })
})

test('setting and clearing a time needs the grant, but not modify', async () => {
  const file = await makeFile(server)
  const stager = await server.makeKey({ name: newName('key'), grants: 'view,modify,stage' })
  const publisher = await server.makeKey({ name: newName('key'), grants: 'view,publish' })
  const ask = (key: string, json: object) => server.call('POST', pathOf(file), { json, key })
  assertProblem(await ask(stager, { publish_at: inSeconds(60) }), 'grant-missing')
  assert.equal((await ask(stager, { stage_at: inSeconds(900) })).status, 200)
  assert.equal((await ask(publisher, { publish_at: inSeconds(900) })).status, 200)
  assertProblem(await ask(publisher, { stage_at: null }), 'grant-missing')
  assertProblem(await ask(stager, { unpublish_at: inSeconds(990) }), 'grant-missing')
  assert.equal((await ask(publisher, { publish_at: null })).status, 200)
})

describe('a time that cannot be kept', () => {
  async function failed(file: any, code: string, detail: RegExp): Promise<any> {
    const body = await pass(file, 61)
    assert.equal(body.schedule_fault?.code, code, JSON.stringify(body.schedule_fault))
    assert.match(body.schedule_fault.detail, detail)
    assert.ok(body.schedule_failed_at !== null && body.publish_at === null)
    assert.equal(body.live_version, null)
    const row = await lastRow(file)
    assert.deepEqual([row.action, row.schedule_fault], ['schedule_failed', body.schedule_fault])
    return body
  }

  test('the key was deactivated', async () => {
    const name = newName('key')
    const key = await server.makeKey({ name, grants: 'view,publish' })
    const file = await makeFile(server)
    await send(file, { publish_at: inSeconds(60) }, key)
    const qry = encodeURIComponent(JSON.stringify({ name }))
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${qry}`)
    const { api_key_id: id } = body.api_key[0]
    const json = { status: 'inactive' }
    assert.equal((await server.call('POST', `/api/v2/api_key/${id}`, { json })).status, 200)
    await failed(file, 'grant-missing', /the key that was used is inactive/)
  })

  test('the file was moved to a folder without the grant, and the change is in the feed', async () => {
    const folder = await makeFolder(server)
    const file = await makeFile(server, { parent_category_id: folder.asset_category_id })
    const key = await server.makeKey({
      ...{ name: newName('key'), grants: 'view,publish' },
      category: folder.asset_category_id,
    })
    await send(file, { publish_at: inSeconds(60) }, key)
    await send(file, { parent_category_id: 1 })
    const start = (await server.call('GET', '/api/v2/change?length=1')).body.page.next
    const { schedule_fault } = await failed(file, 'grant-missing', /lacks the grant "publish"/)
    const { body } = await server.call(
      'GET',
      `/api/v2/change?since=${start}&action=schedule_failed`,
    )
    assert.deepEqual(
      body.change.map((change: any) => [change.object_id, change.schedule_fault]),
      [[file.asset_file_id, schedule_fault]],
    )
  })

  test('the name was taken; the fault is counted, and cleared by the next time', async () => {
    const name = newName()
    const file = await makeFile(server, { name, publish_at: inSeconds(60) })
    await send(file, { name: newName() })
    await makeFile(server, { name })
    await failed(file, 'name-taken', /is taken/)
    const samples = await readMetrics((method, path) => server.call(method, path))
    const count = samples.find((one) => one.name === 'cms_scheduled_action_failures_total')
    assert.ok(count !== undefined && count.value >= 1)
    const again = await send(file, { publish_at: inSeconds(60) })
    assert.deepEqual([again.schedule_fault, again.schedule_failed_at], [null, null])
    assert.equal((await pass(file, 61)).live_version, 2)
  })
})

describe('keys that do not see drafts', () => {
  const HIDDEN = ['publish_at', 'publish_version', 'unpublish_at', 'stage_at', 'stage_version']

  test('get the same bytes, ETag, searches and changes with and without a schedule', async () => {
    const folder = await makeFolder(server)
    const place = { parent_category_id: folder.asset_category_id }
    const file = await makeFile(server, { ...place, fileState: 'publish' })
    await makeFile(server, { ...place, fileState: 'publish' })
    const key = await server.makeKey({
      ...{ name: newName('key'), grants: 'view' },
      category: folder.asset_category_id,
    })
    const ask = (path: string) => server.call('GET', path, { key })
    const since = (await ask('/api/v2/change?length=1')).body.page.next
    const list = (query: Readonly<Record<string, string>>) =>
      `${PATH}?${new URLSearchParams({ count: 'exact', ...query })}`
    const paths = [
      pathOf(file),
      list({}),
      list({ qry: '{"publish_at":{"$ne":null}}' }),
      list({ qry: '{"publish_at":null}' }),
      list({ qry: '{"stage_version":1}' }),
      list({ orderStr: 'publish_at', orderDir: 'DESC' }),
      list({ orderStr: 'unpublish_at' }),
      `/api/v2/change?since=${since}`,
    ]
    const look = async () => {
      const answers = []
      for (const path of paths) answers.push(await ask(path))
      return answers.map(({ status, text, headers }) => ({ status, text, etag: headers.etag }))
    }
    const before = await look()
    await send(file, { publish_at: inSeconds(900), unpublish_at: inSeconds(990) })
    await send(file, { stage_at: inSeconds(900) })
    const shown = await fileNow(file)
    assert.ok(HIDDEN.every((name) => shown[name] !== null))
    const afterwards = await look()
    for (const [at, path] of paths.entries()) {
      const [left, right] = [before[at], afterwards[at]]
      assert.equal(left?.status, 200, left?.text)
      // Each answer of the change log has a new encrypted position.
      if (path.includes('/change')) assert.deepEqual(JSON.parse(String(right?.text)).change, [])
      else assert.deepEqual(right, left, path)
    }
    const { body } = await ask(pathOf(file))
    assert.deepEqual(
      HIDDEN.map((name) => body[name]),
      [null, null, null, null, null],
    )
  })

  test('the right to see drafts finds scheduled files in their order', async () => {
    const folder = await makeFolder(server)
    const place = { parent_category_id: folder.asset_category_id }
    const files: any[] = []
    for (const seconds of [800, 600, 700])
      files.push(await makeFile(server, { ...place, publish_at: inSeconds(seconds) }))
    await makeFile(server, place)
    const key = await server.makeKey({
      ...{ name: newName('key'), grants: 'view,modify' },
      category: folder.asset_category_id,
    })
    const query = { qry: '{"publish_at":{"$ne":null}}', orderStr: 'publish_at' }
    const { body } = await server.call('GET', `${PATH}?${new URLSearchParams(query)}`, { key })
    const ids = body.asset_file.map((file: any) => file.asset_file_id)
    assert.deepEqual(
      ids,
      [files[1], files[2], files[0]].map((file) => file.asset_file_id),
    )
  })
})

test('times that passed while the server was down are carried out at the start, in their order', async () => {
  const other = await startTestServer({ now })
  const made: any[] = []
  for (const seconds of [30, 10, 20])
    made.push(
      await makeFile(other, { publish_at: inSeconds(seconds), unpublish_at: inSeconds(40) }),
    )
  await other.stop()
  aheadMs += 35_000
  const again = await startTestServer({ now, dataDir: other.dataDir })
  const changed = async (action: string): Promise<number[]> => {
    const { body } = await again.call('GET', `/api/v2/change?since=0&action=${action}`)
    return body.change.map((change: any) => change.object_id)
  }
  assert.ok(await eventually(async () => (await changed('publish')).length === 3, 20_000))
  assert.deepEqual(
    await changed('publish'),
    [made[1], made[2], made[0]].map((file) => file.asset_file_id),
  )
  aheadMs += 10_000
  assert.ok(await eventually(async () => (await changed('unpublish')).length === 3, 20_000))
  for (const { asset_file_id: id } of made) {
    const { body } = await again.call('GET', `${PATH}/${id}`)
    assert.deepEqual(
      [body.live_version, body.unpublish_at, body.schedule_fault],
      [null, null, null],
    )
  }
  await again.close()
})
