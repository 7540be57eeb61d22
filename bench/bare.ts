// The limit that a read is compared with: a bare node:http server that answers the same bytes with
// the same headers, ready in memory, whatever is asked. With a path instead of bytes it streams a file.

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Replay {
  readonly headers: Readonly<Record<string, string>>
  /** Base64, or a path to stream from. */
  readonly body?: string
  readonly path?: string
}

const [file = ''] = process.argv.slice(2)
const { headers, body, path } = JSON.parse(readFileSync(file, 'utf8')) as Replay
const bytes = body === undefined ? undefined : Buffer.from(body, 'base64')
const length = bytes?.length ?? statSync(path ?? file).size

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { ...headers, 'content-length': length })
  if (bytes === undefined) createReadStream(path ?? file).pipe(response)
  else response.end(bytes)
})

server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
