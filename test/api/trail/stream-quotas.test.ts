// Streams of changes count for their key, user and address like every other running request. All streams with
// the same visibility share the generated events.

import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertProblem, make, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { ask, CHANGES, openStream, type TestStream } from '../../helpers/follow.ts'
import { eventually } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const streams: TestStream[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

interface Client {
  readonly key: string
  readonly address?: string
}

/** Opens this many streams with each client in turn and returns how many were accepted. */
async function openEach(
  server: TestServer,
  clients: readonly Client[],
  times: number,
): Promise<number> {
  const statuses: (number | undefined)[] = []
  for (let time = 0; time < times; time += 1)
    for (const client of clients) {
      const stream = await openStream(server, client)
      streams.push(stream)
      statuses.push(stream.answer.statusCode)
    }
  assert.ok(
    statuses.every((status) => status === 200 || status === 429),
    `${statuses}`,
  )
  return statuses.filter((status) => status === 200).length
}

const siblings = (server: TestServer, user: string, count: number): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: count }, async () => ({
      key: await server.makeKey({ name: newName(), user, grants: 'view' }),
    })),
  )

describe('streams', oneNode('running'), () => {
  test('of keys of one user stop at the quota of the user and leave room for others', async () => {
    // Streams may use half of the connections: four of one key, six of one user.
    const server = await startTestServer({ config: { maxConnections: 32 } })
    try {
      await server.command({ command: 'user.create', name: 'bert', role: 'viewer' })
      const keys = await siblings(server, 'bert', 5)
      assert.equal(await openEach(server, keys.slice(0, 1), 6), 4)
      assert.equal(await openEach(server, keys, 4), 2)
      const [first] = keys
      assert.ok(first !== undefined)
      const refused = await server.call('GET', `${CHANGES}/stream`, first)
      assertProblem(refused, 'too-many-requests')
      assert.ok(Number(refused.headers['retry-after']) > 0)
      // A key with the maximum number of streams can still send requests, and so can all other keys.
      assert.equal((await server.call('GET', '/api/v2/me', first)).status, 200)
      assert.equal((await server.call('GET', '/api/v2/user')).status, 200)
      assert.equal(await openEach(server, [{ key: server.key }], 1), 1)

      const isFree = async (): Promise<boolean> => {
        for (const stream of streams.splice(0)) stream.close()
        await sleep(2_000)
        return (await openEach(server, keys, 1)) === 5
      }
      assert.ok(await eventually(isFree), 'a stream that is closed still counts')
    } finally {
      await server.close()
    }
  })

  test('of one address stop at its quota, whichever keys open them', async () => {
    const config = { proxies: trustLoopback(), maxConnections: 32, maxConnectionsPerAddress: 0 }
    const server = await startTestServer({ config })
    try {
      const clients: Client[] = []
      for (const name of ['anna', 'bert', 'carl', 'dora']) {
        await server.command({ command: 'user.create', name, role: 'viewer' })
        const [key] = await siblings(server, name, 1)
        assert.ok(key !== undefined)
        clients.push({ ...key, address: '192.0.2.1' })
      }
      assert.equal(await openEach(server, clients, 4), 8)
      assert.equal(await openEach(server, [{ key: server.key, address: '192.0.2.2' }], 1), 1)
    } finally {
      await server.close()
    }
  })

  test('count with the requests and long polls of their key', async () => {
    // A key may run eight requests at once, and four of them are streams.
    const server = await startTestServer({ config: { maxConnections: 32 } })
    try {
      const key = await server.makeKey({ name: 'one', grants: 'view' })
      const { page } = await ask(server)
      assert.equal(await openEach(server, [{ key }], 4), 4)
      // The request that checks for free slots may occupy the slot of a poll.
      const poll = async (): Promise<Answer> => {
        const answer = await server.call('GET', `${CHANGES}?since=${page.next}&wait=60`, { key })
        return answer.status === 429 ? poll() : answer
      }
      const polls = Array.from({ length: 4 }, poll)
      const isFull = async (): Promise<boolean> =>
        (await server.call('GET', '/api/v2/me', { key })).status === 429
      assert.ok(await eventually(isFull), 'more run than one key may have')
      assert.equal((await server.call('GET', '/api/v2/me')).status, 200)

      await make(server, 'file_group', { name: 'g' })
      for (const { status } of await Promise.all(polls)) assert.equal(status, 200)
      assert.equal((await server.call('GET', '/api/v2/me', { key })).status, 200)
    } finally {
      await server.close()
    }
  })
})

test('every filter of a stream selects the same changes as in a list', async () => {
  const server = await startTestServer()
  try {
    const { asset_category_id: above } = await makeFolder(server)
    const [inside, moved, outside] = [
      (await makeFolder(server, { parent_category_id: above })).asset_category_id,
      (await makeFolder(server, { parent_category_id: above })).asset_category_id,
      (await makeFolder(server)).asset_category_id,
    ]
    const { datatable_id: table, module_url: url } = await make(server, 'datatable', {
      name: 't',
      table_schema: 'a I',
      parent_category_id: inside,
    })
    await server.command({ command: 'user.create', name: 'bert', role: 'viewer' })
    const keys = [
      server.key,
      await server.makeKey({ name: 'all', grants: 'view' }),
      await server.makeKey({ name: 'in', grants: 'view', category: above }),
      await server.makeKey({ name: 'bert', user: 'bert' }),
    ]
    const filters = [
      '',
      'object=asset_file',
      'action=create,delete',
      `asset_category_id=${above}`,
      `asset_category_id=${inside}`,
      `asset_category_id=${above}&action=delete`,
      `module_id=${table}`,
      `module_id=${table}&action=delete&object=datatable_entry`,
    ]
    const asked = keys.flatMap((key) => filters.map((query) => ({ key, query })))
    const began = await Promise.all(
      asked.map(async ({ key, query }) => (await ask(server, query, key)).page.next as string),
    )
    streams.push(...(await Promise.all(asked.map((options) => openStream(server, options)))))

    const { asset_file_id: file } = await makeFile(server, { parent_category_id: inside })
    for (const parent of [outside, inside, above])
      await server.call('POST', `/api/v2/asset_file/${file}`, {
        json: { parent_category_id: parent },
      })
    // This move comes last because the contents of a stream depend on the folders at the time of reading.
    await server.call('POST', `/api/v2/asset_category/${moved}`, {
      json: { parent_category_id: outside },
    })
    assert.equal((await server.call('POST', url, { json: [{ a: 1 }, { a: 2 }] })).status, 201)
    await server.call('DELETE', `${url}/1`)
    await server.call('DELETE', `/api/v2/asset_file/${file}`)
    await make(server, 'user', { name: newName() })

    for (const [at, { key, query }] of asked.entries()) {
      const { change } = await ask(server, `since=${began[at]}&${query}&length=1000`, key)
      const events = (await streams[at]?.until(change.length)) ?? []
      assert.deepEqual(
        events.map(({ data }) => data),
        change,
        query,
      )
    }
  } finally {
    await server.close()
  }
})
