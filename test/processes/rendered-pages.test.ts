// Every process of a server shows pages of type stml, and follows the files that they link to.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { doAllServe, openProcessClients } from '../helpers/process-clients.ts'
import { eventually } from '../helpers/raw.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const PROCESSES = 3
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']
const dataDir = join(temporaryDirectory(), 'data')

let server: ChildServer
let key: string
before(async () => {
  server = await startChild(dataDir, [...FLAGS, '--site-origin', 'https://www.example.org'])
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  key = await makeKey(dataDir)
  await post('asset_category/1', { public: true })
})
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function post(path: string, json: object): Promise<any> {
  const answer = await send(server.url, 'POST', `/api/v2/${path}`, { key, json })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

function publish(name: string, type: string, pageContent: string): Promise<any> {
  return post('asset_file', {
    name,
    type,
    parent_category_id: 1,
    pageContent,
    fileState: 'publish',
  })
}

/** The body of the page from each process, which is the same in all of them. */
async function bodyOf(path: string): Promise<string> {
  const clients = await openProcessClients({ url: server.url, key: '' }, server.pid, PROCESSES)
  const call = { key: null, headers: { host: 'www.example.org' } }
  const answers = await Promise.all(clients.map((client) => client.call('GET', path, call)))
  for (const client of clients) client.close()
  const [first, ...others] = answers.map(({ text, headers }) => ({ text, etag: headers.etag }))
  for (const other of others) assert.deepEqual(other, first)
  return /<body>\n([^]*)\n<\/body>/.exec(first?.text ?? '')?.[1] ?? ''
}

test('every process shows the same page, and follows a linked file', async () => {
  const { asset_file_id: id } = await publish('first.txt', 'txt', 'x')
  const page = (path: string): string => `<div id="dd.0"><a href="${path}">x</a></div>`
  await publish('page.stml', 'stml', page(`[get_asset_file_url id=${id}]`))
  for (let times = 0; times < 2; times += 1) assert.equal(await bodyOf('/page'), page('/first.txt'))
  await post(`asset_file/${id}`, { name: 'second.txt', fileState: 'publish' })
  assert.equal(await bodyOf('/page'), page('/second.txt'))
})

test('every process shows a page that is rendered in a thread', async () => {
  const text = `<div id="dd.0">${'<p>a long page</p>'.repeat(20_000)}</div>`
  await publish('long.stml', 'stml', text.replaceAll('a long', '[a_long]'))
  const expected = text.replaceAll('a long', '<!-- shortcode a_long -->')
  const found = await bodyOf('/long')
  assert.equal(found.slice(0, 200_000), expected.slice(0, 200_000))
  assert.ok(found.endsWith('<p> page</p></div>'))
})
