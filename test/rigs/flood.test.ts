// Crawlers flood a public site from several addresses: pages, missing pages, ranges, slow downloads, searches of a public
// table. An editor with a key is never refused. `npm run rig:flood` is the long form. The latencies are printed and decide
// nothing.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, buildForm, type Call, send } from '../helpers/server.ts'
import { percentile } from './hostile/normal.ts'
import { IS_FULL } from './sampling.ts'

const HOST = 'www.example.org'
const SECONDS = IS_FULL ? 60 : 3
const CONNECTIONS = IS_FULL ? 400 : 100
const ROWS = IS_FULL ? 10_000 : 1_000
const FLOODER = fileURLToPath(new URL('flood/flooder.js', import.meta.url))

after(removeDataDirectories)

interface Site {
  readonly url: string
  readonly pid: number
  /** Path of a public list. */
  readonly list: string
  call(method: string, path: string, call?: Call): Promise<Answer>
}

async function fill({ url, pid }: ChildServer, key: string): Promise<Site> {
  const call: Site['call'] = (method, path, given = {}) =>
    send(url, method, path, { key, ...given })
  const make = async (path: string, given: Call): Promise<any> => {
    const { status, body, text } = await call('POST', path, given)
    assert.equal(status, 201, text)
    return body
  }
  const json = { name: 'website', public: true }
  const { asset_category_id: root } = await make('/api/v2/asset_category', { json })
  const page = { parent_category_id: root, fileState: 'publish' }
  for (const [name, pageContent] of [
    ['index.html', '<h1>Home</h1>'],
    ['style.css', 'p { color: black }\n'.repeat(2_000)],
  ] as const)
    await make('/api/v2/asset_file', {
      json: { ...page, name, pageContent, type: name.split('.').at(-1) },
    })
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: String(root) },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'large.bin', bytes: Buffer.alloc(32 * 1024 * 1024, 'x') },
  ])
  await make('/upload', { body, headers: { 'content-type': contentType } })
  const table = { name: 'rows', parent_category_id: 12, table_schema: 'text C(100)', public: true }
  const { module_url: list } = await make('/api/v2/datatable', { json: table })
  const rows = Array.from({ length: 500 }, (_, at) => ({ text: `row ${at} `.repeat(8) }))
  for (let count = 0; count < ROWS; count += rows.length) await make(`${list}/bulk`, { json: rows })
  return { url, pid, list, call }
}

interface Times {
  readonly wallMs: number[]
  /** The time that the main thread of the server ran until the answer. Other programs on the machine do not change it. */
  readonly workMs: number[]
}

/** The time that the main thread of the process has run, in milliseconds. */
function workOf(pid: number): number {
  const [ns] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1_000_000
}

/** An editor saves, publishes and looks at pages for this time. */
async function edit({ url, pid, call }: Site, seconds: number): Promise<Times> {
  const times: Times = { wallMs: [], workMs: [] }
  const timed = async (asked: Promise<Answer>, ...expected: readonly number[]): Promise<Answer> => {
    const [startMs, work] = [performance.now(), workOf(pid)]
    const answer = await asked
    times.wallMs.push(performance.now() - startMs)
    times.workMs.push(workOf(pid) - work)
    assert.ok(expected.includes(answer.status), answer.text)
    return answer
  }
  const { body: file } = await timed(
    call('POST', '/api/v2/asset_file', {
      json: { parent_category_id: 13, type: 'html', name: `${Date.now()}.html` },
    }),
    201,
  )
  const path = `/api/v2/asset_file/${file.asset_file_id}`
  const end = performance.now() + seconds * 1_000
  for (let at = 0; performance.now() < end; at += 1) {
    await timed(call('POST', path, { json: { pageContent: `text ${at}` } }), 200)
    await timed(call('GET', '/api/v2/asset_file?length=20'), 200)
    await timed(call('POST', `${path}/publish`), 200)
    const seen = await timed(
      send(url, 'GET', `/${file.name}`, { key: null, headers: { host: HOST } }),
      200,
    )
    assert.equal(seen.text, `text ${at}`)
  }
  return times
}

function show({ wallMs, workMs }: Times): string {
  const of = (times: readonly number[]): string =>
    `median ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms`
  return `${wallMs.length} requests, ${of(wallMs)}; work of the server meanwhile: ${of(workMs)}`
}

test('a flood of crawlers causes no refused request of an editor', async (t) => {
  const dataDir = newDataDirectory()
  const args = ['--site-origin', `https://${HOST}=/Main/website`, '--log-level', 'error']
  const server = await startChild(dataDir, [...args, '--min-free-mb', '0'])
  try {
    const site = await fill(server, await makeKey(dataDir))
    await edit(site, 1)
    t.diagnostic(`alone: ${show(await edit(site, SECONDS))}`)
    const flooder = fork(FLOODER, [site.url, HOST, site.list, String(CONNECTIONS)], {
      silent: true,
    })
    const closed = once(flooder, 'close')
    let counts = ''
    flooder.stdout?.on('data', (text: Buffer) => (counts = String(text).trim()))
    try {
      await once(flooder.stdout ?? flooder, 'data')
      t.diagnostic(`beside the flood: ${show(await edit(site, SECONDS))}`)
    } finally {
      flooder.kill('SIGKILL')
      await closed
    }
    t.diagnostic(`answers to the flood by status: ${counts}`)
    for (const status of ['200', '206', '308', '404'])
      assert.ok(counts.includes(`"${status}"`), `${status} in ${counts}`)
    assert.equal(server.stderr(), '')
  } finally {
    await server.kill('SIGKILL')
  }
})
