// A client that is refused before its body was read receives the answer. The tests use common HTTP clients,
// some of which send everything before they read.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { buildForm, startTestServer, type TestServer } from '../../helpers/server.ts'

const MIB = 1024 * 1024
const TRIES = 8

let server: TestServer
let viewer: string
before(async () => {
  server = await startTestServer({ limits: { invalidKeys: 1_000 } })
  viewer = await server.makeKey({ grants: 'view' })
})
after(() => server.close())

interface Refused {
  readonly status: number
  readonly path: string
  readonly key: () => string
  readonly contentType: string
  readonly body: Buffer
}

const file = { name: 'Filedata', fileName: 'a.bin', bytes: Buffer.alloc(40 * MIB) }
const upload = buildForm([{ name: 'asset_category_id', value: '1' }, file])
const wrongPart = buildForm([{ name: 'nobody_knows_it', value: '1' }, file])
const asUpload = (form: typeof upload) => ({
  path: '/upload',
  contentType: form.contentType,
  body: Buffer.from(form.body),
})

const REFUSED: Readonly<Record<string, Refused>> = {
  'an upload with a wrong key': { ...asUpload(upload), status: 401, key: () => 'cms_wrong' },
  'an upload without the grant': { ...asUpload(upload), status: 403, key: () => viewer },
  'an upload whose first part is wrong': {
    ...asUpload(wrongPart),
    status: 400,
    key: () => server.key,
  },
  'JSON that is too large': {
    status: 413,
    path: '/api/v2/asset_category',
    key: () => server.key,
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify({ name: 'x'.repeat(5 * MIB) })),
  },
}

interface Seen {
  readonly status: number
  readonly connection: string | null | undefined
}

function headersOf({ key, contentType }: Refused): Record<string, string> {
  return { authorization: `Bearer ${key()}`, 'content-type': contentType }
}

async function byFetch(refused: Refused): Promise<Seen> {
  const { path, body } = refused
  const init = { method: 'POST', headers: headersOf(refused), body: new Uint8Array(body) }
  const { status, headers } = await fetch(server.url + path, init)
  return { status, connection: headers.get('connection') }
}

async function byNode(refused: Refused): Promise<Seen> {
  const { path, body } = refused
  const headers = { ...headersOf(refused), 'content-length': body.length }
  const request = httpRequest(server.url + path, { method: 'POST', headers })
  request.end(body)
  const [{ statusCode, headers: answered }] = await once(request, 'response')
  request.destroy()
  return { status: statusCode, connection: answered.connection }
}

const PYTHON = `
import http.client, sys
host, path, length = sys.argv[1], sys.argv[2], int(sys.argv[3])
body = sys.stdin.buffer.read(length)
c = http.client.HTTPConnection(host)
c.request('POST', path, body, dict(a.split(': ', 1) for a in sys.argv[4:]))
r = c.getresponse()
print(r.status, r.getheader('Connection'))
`

async function output(command: string, args: readonly string[], input: Buffer): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(child, 'close')
  return text
}

function toSeen(text: string): Seen {
  const [status, connection] = text.trim().split(' ')
  return { status: Number(status), connection }
}

async function byPython(refused: Refused): Promise<Seen> {
  const { path, body } = refused
  const headers = Object.entries(headersOf(refused)).map(([name, value]) => `${name}: ${value}`)
  const { host } = new URL(server.url)
  const args = ['-c', PYTHON, host, path, String(body.length), ...headers]
  return toSeen(await output('python3', args, body))
}

async function byCurl(refused: Refused): Promise<Seen> {
  const headers = Object.entries(headersOf(refused)).flatMap(([name, value]) => [
    ...['-H', `${name}: ${value}`],
  ])
  // curl does not send Expect: 100-continue here, like the other clients.
  const args = ['-s', '-o', '/dev/null', '-w', '%{http_code} %header{connection}', '-H', 'Expect:']
  const sent = ['--data-binary', '@-', ...headers, server.url + refused.path]
  return toSeen(await output('curl', [...args, ...sent], refused.body))
}

const CLIENTS = { fetch: byFetch, 'node:http': byNode, Python: byPython, curl: byCurl }

for (const [what, refused] of Object.entries(REFUSED)) {
  describe(`${what} gets an explanation`, () => {
    for (const [name, ask] of Object.entries(CLIENTS)) {
      test(`to ${name}`, async () => {
        for (let index = 0; index < TRIES; index++) {
          const { status, connection } = await ask(refused)
          assert.deepEqual([status, connection], [refused.status, 'close'])
        }
      })
    }
  })
}
