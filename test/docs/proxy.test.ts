// An independent proxy stands between the traffic and the server and compares both with the documents. It
// finds no undocumented endpoint and no answer that contradicts the documents.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { outcomeOf, startRedocly } from '../helpers/redocly.ts'
import { send, startTestServer, type TestServer } from '../helpers/server.ts'
import { makeModules, type Send, sendModuleTraffic, sendTraffic } from './traffic.ts'
import { tokenOf } from '../helpers/sessions.ts'

const directory = mkdtempSync(join(tmpdir(), 'cms-proxy-'))
let server: TestServer
let urls: readonly string[]
let documents: readonly { readonly name: string; readonly document: any }[]

before(async () => {
  server = await startTestServer()
  urls = await makeModules(server.call)
  documents = await Promise.all(
    ['system', 'module'].map(async (name) => {
      const { body } = await server.call('GET', `/public/api/${name}/swagger.json`)
      return { name, document: body }
    }),
  )
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Report {
  readonly run: { readonly totalExchanges: number; readonly undocumentedExchanges: number }
  readonly problems: readonly any[]
}

/** Sends the traffic through the proxy and returns the report that the proxy prints at its end. */
async function judge(traffic: (call: Send) => Promise<void>): Promise<Report> {
  const api = join(directory, 'api')
  mkdirSync(api, { recursive: true })
  for (const { name, document } of documents)
    writeFileSync(join(api, `${name}.json`), JSON.stringify(document))

  const port = await freePort()
  const proxy = startRedocly([
    'proxy',
    `--target=${server.url}`,
    `--port=${port}`,
    `--api=${api}`,
    `--har=${join(directory, 'traffic.har')}`,
    '--format=json',
    '--match-mode=basepath',
  ])
  const outcome = outcomeOf(proxy)
  await new Promise<void>((resolve, reject) => {
    proxy.stderr?.on('data', (text: string) => text.includes('Proxy listening') && resolve())
    outcome.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  try {
    // The documents name one server and list the routes outside the API relative to the API.
    await traffic((method, path, call = {}) => {
      const below = path.startsWith('/api/v2/') ? path : `/api/v2${path}`
      return send(`http://127.0.0.1:${port}`, method, below, { key: server.key, ...call })
    })
  } finally {
    proxy.kill('SIGINT')
  }
  return JSON.parse((await outcome).stdout)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

test('all traffic is documented and matches the documents', async () => {
  const { run, problems } = await judge(async (call) => {
    await sendTraffic(call, tokenOf(server))
    await sendModuleTraffic(call, urls)
  })
  assert.ok(run.totalExchanges > 100, String(run.totalExchanges))
  assert.equal(run.undocumentedExchanges, 0)
  // The reported faults of requests are deliberate.
  const ofAnswers = problems.filter(({ target }) => target !== 'request')
  assert.deepEqual(ofAnswers, [])
})

test('undocumented and contradicting traffic is reported', async () => {
  const [{ document } = { document: {} }] = documents
  document.components.schemas.user_selection.properties.name.type = 'integer'
  delete document.paths['/file_group']
  const { run, problems } = await judge(async (call) => {
    await call('GET', '/api/v2/user')
    await call('GET', '/api/v2/file_group')
  })
  assert.equal(run.undocumentedExchanges, 1)
  const found = problems.map(({ operationId, target }) => `${operationId} ${target}`)
  assert.ok(found.includes('search_user response'), found.join())
})
