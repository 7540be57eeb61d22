// A stream of changes through the real nginx: no configuration delays the events.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { make } from '../../helpers/content.ts'
import { CHANGES, inShort, openStream } from '../../helpers/follow.ts'
import { NO_NGINX, type Nginx, startNginx } from '../../helpers/nginx.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const GZIP = 'gzip on; gzip_min_length 0; gzip_types text/event-stream;'

describe('behind nginx', { skip: NO_NGINX }, () => {
  let server: TestServer
  const opened: Nginx[] = []
  before(async () => {
    server = await startTestServer({ limits: { heartbeatMs: 100 } })
  })
  after(async () => {
    for (const nginx of opened) await nginx.close()
    await server.close()
  })

  async function start(more?: string): Promise<Nginx> {
    const lines = more === undefined ? undefined : `proxy_pass ${server.url}; ${more}`
    const nginx = await startNginx(server, lines)
    opened.push(nginx)
    return nginx
  }

  async function create(): Promise<string> {
    return `create file_group ${(await make(server, 'file_group', { name: 'g' })).file_group_id}`
  }

  for (const [what, lines] of [
    ['configured as in docs/reverse-proxy.md', undefined],
    ['configured only with proxy_pass', ''],
    ['configured to compress events', GZIP],
  ] as const) {
    test(`${what}: each event and comment arrives before the next one is sent`, async () => {
      const { url } = await start(lines)
      const stream = await openStream({ ...server, url })
      for (let count = 1; count <= 3; count += 1) {
        const made = await create()
        const events = await stream.until(count)
        assert.deepEqual(inShort(events.map(({ data }) => data)).at(-1), made)
      }
      const quiet = stream.ids.length
      while (stream.ids.length < quiet + 2) await sleep(20)
      stream.close()
    })
  }

  test('a client that accepts gzip also gets its events immediately', async () => {
    const { url } = await start(GZIP)
    const headers = { authorization: `Bearer ${server.key}`, 'accept-encoding': 'gzip' }
    const answer = await fetch(`${url}${CHANGES}/stream`, { headers })
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.ok(answer.body)
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let count = 1; count <= 2; count += 1) {
      const made = create()
      for (let text = ''; !text.includes('event: change'); ) text += (await reader.read()).value
      await made
    }
    await reader.cancel()
  })
})
