// A proxy before a real server, which lets every change happen and loses the answer to it once.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { openServer } from './server.ts'
import { readTree, temporaryDirectory, writeTree } from './tree.ts'

interface Proxy {
  readonly url: string
  /** Answers that were lost since this was read last. */
  readonly takeLost: () => readonly string[]
}

async function openProxy(t: TestContext, target: string): Promise<Proxy> {
  const lost: string[] = []
  const seen = new Set<string>()

  function forward(incoming: IncomingMessage, reply: ServerResponse): void {
    const { method = '', url = '', headers } = incoming
    // Uploads are told apart by their length.
    const name = `${method} ${url} ${headers['content-length'] ?? ''}`
    const outgoing = send(target + url, { method, headers }, (answer) => {
      const isChange = method === 'POST' || url.endsWith('/publish') || url.startsWith('/file/')
      if (isChange && !seen.has(name)) {
        seen.add(name)
        lost.push(url)
        return answer.resume().on('end', () => reply.destroy())
      }
      reply.writeHead(answer.statusCode ?? 0, answer.headers)
      return answer.pipe(reply)
    })
    incoming.pipe(outgoing)
  }

  const proxy = createServer(forward).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  t.after(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    takeLost: () => lost.splice(0),
  }
}

it('a change whose answer was lost happens once, and counts as what it was', async (t) => {
  const server = await openServer()
  t.after(() => server.close())
  const { url, takeLost } = await openProxy(t, server.url)
  const source = await writeTree(t, { 'in/a.txt': 'one', 'in/b.bin': randomBytes(2_000_000) })
  const target = await temporaryDirectory(t)
  const options = { source, url, key: server.key, categoryId: 1 }

  const created = await importTree({ ...options, publish: false })
  assert.deepEqual([created.uploaded, created.unchanged, created.folders], [2, 0, 1])
  assert.deepEqual(takeLost(), ['/api/v2/asset_category', '/upload', '/upload'])

  await writeFile(join(source, 'in/a.txt'), 'second')
  const replaced = await importTree({ ...options, publish: true })
  assert.deepEqual([replaced.replaced, replaced.unchanged, replaced.published], [1, 1, 2])
  assert.equal(takeLost().length, 2)

  const answer = await server.get(
    '/api/v2/asset_file?fields=name,version,live_version&orderStr=name',
  )
  assert.deepEqual(answer['asset_file'], [
    { name: 'a.txt', version: 2, live_version: 2 },
    { name: 'b.bin', version: 1, live_version: 1 },
  ])

  const exported = await exportTree({ url, key: server.key, target, state: 'live' })
  assert.deepEqual([exported.written, exported.failed, takeLost().length], [2, 0, 2])
  const { 'Modules/': modules, ...found } = await readTree(target)
  assert.deepEqual(found, await readTree(source))
})
