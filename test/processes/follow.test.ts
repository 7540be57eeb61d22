// Followers of changes on one process receive the changes of all processes without delay.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make } from '../helpers/content.ts'
import { ask, inShort, openStream } from '../helpers/follow.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { processes: 3 } })
})
after(() => server.close())

test('streams and waiting requests get each change once in every process', async () => {
  const { page } = await ask(server, 'object=file_group')
  // Connections are distributed evenly, so each process has some of the streams.
  const streams = await Promise.all(Array.from({ length: 9 }, () => openStream(server)))
  const waiting = Array.from({ length: 9 }, () =>
    ask(server, `wait=30&object=file_group&since=${page.next}`),
  )
  const made: string[] = []
  for (let count = 0; count < 20; count += 1) {
    const { file_group_id: id } = await make(server, 'file_group', { name: `g${count}` })
    made.push(`create file_group ${id}`)
    // A change that was acknowledged is visible to the next request on any process.
    const { change } = await ask(server, `object=file_group&since=${page.next}`)
    assert.deepEqual(inShort(change), made)
  }
  for (const stream of streams) {
    const events = await stream.until(20)
    assert.deepEqual(inShort(events.map(({ data }) => data)), made)
    stream.close()
  }
  for (const { change } of await Promise.all(waiting)) assert.ok(change.length > 0)
})

test('revoking a key ends its streams in every process', async () => {
  const key = await server.makeKey({ name: 'gone', grants: 'view' })
  const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(server, { key })))
  await server.command({ command: 'key.revoke', key: 'gone' })
  await Promise.all(streams.map((stream) => stream.ended()))
})
