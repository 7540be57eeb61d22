// Changes as server-sent events: from the last position of the client, as they happen, until the key expires.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertProblem, make, makeFile, makeFolder } from '../../helpers/content.ts'
import { ask, CHANGES, inShort, openStream, type StreamEvent } from '../../helpers/follow.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { oneNode } from '../../helpers/node-pair.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const shown = (events: readonly StreamEvent[]): readonly string[] =>
  inShort(events.map(({ data }) => data))

async function makeGroups(names: readonly string[], of = server): Promise<readonly string[]> {
  const made: string[] = []
  for (const name of names)
    made.push(`create file_group ${(await make(of, 'file_group', { name })).file_group_id}`)
  return made
}

test('missed changes come first and then new changes, each once and in order', async () => {
  const { page } = await ask(server)
  const missed = await makeGroups(Array.from({ length: 120 }, (_, at) => `missed ${at}`))
  const stream = await openStream(server, { query: `since=${page.next}` })
  assert.equal(stream.answer.headers['content-type'], 'text/event-stream')
  assert.equal(stream.answer.headers['x-accel-buffering'], 'no')
  const later = await makeGroups(['a', 'b', 'c'])
  const events = await stream.until(123)
  assert.deepEqual(shown(events), [...missed, ...later])
  assert.ok(events.every(({ event }) => event === 'change'))
  stream.close()

  // A stream resumes from the id of any event, as in a browser.
  const last = events[119]?.id ?? ''
  const again = await openStream(server, { query: 'since=0', last })
  assert.deepEqual(shown(await again.until(3)), later)
  const { change } = await ask(server, `since=${last}`)
  assert.deepEqual(inShort(change), later)
  again.close()
})

test(
  'streams with equal and different filters get exactly their changes',
  oneNode('position'),
  async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const key = await server.makeKey({ name: 'n', grants: 'view', category: id })
    const options = [{}, {}, { query: 'object=asset_file' }, { key }]
    const streams = await Promise.all(options.map((item) => openStream(server, item)))
    const group = await make(server, 'file_group', { name: 'g' })
    const file = await makeFile(server, { parent_category_id: id })
    const [first, second] = [
      `create file_group ${group.file_group_id}`,
      `create asset_file ${file.asset_file_id}`,
    ]
    const wanted = [[first, second], [first, second], [second], [second]]
    for (const [at, stream] of streams.entries()) {
      const all = wanted[at] ?? []
      assert.deepEqual(shown(await stream.until(all.length)), all)
    }
    // All streams with the same visibility share one text.
    assert.deepEqual(streams[0]?.events, streams[1]?.events)
    for (const stream of streams) stream.close()
  },
)

test('a stream ends with its key, and with its grants', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const { user_id: userId } = await make(server, 'user', { name: 'bob', role: 'viewer' })
  const bob = await server.makeKey({ name: 'bob', user: 'bob' })
  const gone = await server.makeKey({ name: 'gone', grants: 'view' })
  const narrow = await server.makeKey({ name: 'in', grants: 'view', category: id })
  const streams = await Promise.all([bob, gone, narrow].map((key) => openStream(server, { key })))
  const started = performance.now()
  await server.call('POST', `/api/v2/user/${userId}`, { json: { status: 'disabled' } })
  await server.command({ command: 'key.revoke', key: 'gone' })
  await server.call('DELETE', `/api/v2/asset_category/${id}`)
  await Promise.all(streams.map((stream) => stream.ended()))
  assert.ok(performance.now() - started < 30_000)
})

test('streams are limited per key and in total', oneNode('counts'), async () => {
  // Streams may use half of the connections, and streams of one key a quarter.
  const own = await startTestServer({
    config: { maxConnections: 16 },
    limits: { heartbeatMs: 100 },
  })
  const key = await own.makeKey({ name: 'other' })
  const streams = [await openStream(own), await openStream(own)]
  const refused = await own.call('GET', `${CHANGES}/stream`)
  assertProblem(refused, 'too-many-requests')
  streams.push(await openStream(own, { key }))
  assertProblem(await own.call('GET', `${CHANGES}/stream`, { key }), 'too-many-requests')
  // Other requests of the key still have room, and a closed stream makes room for another.
  await makeGroups(['x'], own)
  streams[0]?.close()
  for (;;) {
    const next = await openStream(own)
    next.close()
    if (next.answer.statusCode === 200) break
    await sleep(20)
  }

  // A stream without events still receives ids.
  const [, quiet] = streams
  const id = quiet?.lastId()
  while (quiet?.lastId() === id) await sleep(20)
  const stopping = performance.now()
  await own.close()
  await Promise.all(streams.slice(1).map((stream) => stream.ended()))
  assert.ok(performance.now() - stopping < 5_000)
})

test('a client that does not read is disconnected and can resume at its position', async () => {
  const own = await startTestServer({ limits: { streamQueueBytes: 20_000, stallTimeoutMs: 1_000 } })
  const { module_url: url } = await make(own, 'datatable', { name: 't', table_schema: 'a I' })
  const stream = await openStream(own)
  stream.answer.pause()
  const list = Array.from({ length: 500 }, () => ({ a: 1 }))
  for (let round = 0; round < 24; round += 1)
    assert.equal((await own.call('POST', url, { json: list })).status, 201)
  stream.answer.resume()
  await stream.ended()
  const seen = stream.events.length
  assert.ok(seen < 12_000)
  const rest = await openStream(own, { last: stream.lastId() })
  rest.answer.on('error', () => undefined)
  const { change } = await ask(own, `since=${stream.lastId()}&length=1`)
  assert.equal(change[0].object_id, seen + 1)
  assert.equal((await rest.until(1))[0]?.data.object_id, seen + 1)
  rest.close()
  await own.close()
})

test('a slow reader of missed changes gets no earlier id again', async () => {
  const own = await startTestServer({ limits: { heartbeatMs: 10 } })
  const { page } = await ask(own)
  const { module_url: url } = await make(own, 'datatable', { name: 't', table_schema: 'a I' })
  const list = Array.from({ length: 500 }, () => ({ a: 1 }))
  for (let round = 0; round < 50; round += 1)
    assert.equal((await own.call('POST', url, { json: list })).status, 201)
  const stream = await openStream(own, { query: `since=${page.next}&object=datatable_entry` })
  stream.answer.pause()
  // The server checks every half second which streams have received nothing for long.
  await sleep(1_200)
  stream.answer.resume()
  const last = (await stream.until(25_000)).at(-1)?.id ?? ''
  const at = stream.ids.indexOf(last)
  while (stream.ids.length < at + 3) await sleep(20)
  for (const id of stream.ids.slice(at))
    assert.deepEqual((await ask(own, `since=${id}`)).change, [])
  stream.close()
  await own.close()
})
