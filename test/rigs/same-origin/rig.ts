// No stored content runs on any page of the server or is included there as code (README.md of the
// rigs). An editor stores scripts in every form. An administrator views all of them and opens each
// picture in its own window. Then each page is made to include the contents as code, as a hole in
// the page would do. The same contents do run when a careless server sends them, so the rig can
// fail.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { make, makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, PASSWORD } from '../../helpers/sessions.ts'
import { SURFERS, type Surfer, type Tab } from './browsers.ts'
import { type Content, contentsFor, nameFor, RAN, SCRIPT, STYLE, textFor } from './contents.ts'

export type BrowserName = keyof typeof SURFERS

interface Site {
  readonly server: TestServer
  readonly contents: readonly Content[]
  /** Addresses with a ticket, by file name. */
  readonly addresses: ReadonlyMap<string, string>
  /** Pages of the server that show the contents. */
  readonly pages: readonly string[]
}

export interface Outcome {
  readonly faults: readonly string[]
  readonly pages: number
  /** The number of windows opened on pictures, frames and videos of these pages. */
  readonly opened: number
  /** The contents that ran without protection. */
  readonly controls: readonly string[]
}

export async function runSameOrigin(name: BrowserName): Promise<Outcome> {
  const site = await makeSite()
  const surfer = await SURFERS[name]()
  try {
    const tab = await surfer.newTab()
    const faults: string[] = []
    const check = (where: string): void => {
      faults.push(...ranSince(surfer).map((line) => `${where}: ${line}`))
    }
    for (const [file, address] of site.addresses) {
      await tab.goto(site.server.url + address)
      await settle(tab)
      check(`${file} at its address`)
    }
    await signInWith(tab, site.server)
    let opened = 0
    for (const path of site.pages) {
      await tab.goto(site.server.url + path)
      opened += Number(await tab.evaluate(openAllShown()))
      check(path)
      // All pages of the administration area have the same policy.
      if (path.startsWith('/admin/') && path !== '/admin/content') continue
      faults.push(...(await includeAll(tab, site, path)))
      check(`${path}, made to include it`)
    }
    await tab.evaluate(openOwnBlobs(site.contents))
    check('a blob: of our origin')
    const controls = await runControls(surfer, site.contents)
    return { faults, opened, controls, pages: site.pages.length }
  } finally {
    await surfer.close()
    await site.server.close()
  }
}

const seen = new WeakMap<Surfer, number>()

function ranSince(surfer: Surfer): string[] {
  const from = seen.get(surfer) ?? 0
  seen.set(surfer, surfer.lines.length)
  return surfer.lines.slice(from).filter((line) => line.startsWith(RAN))
}

async function makeSite(): Promise<Site> {
  const server = await startTestServer()
  await givePassword(server)
  const addresses = new Map<string, string>()
  const store = async (name: string, bytes: string): Promise<number> => {
    const file = await uploadFile(server, bytes, { fileName: name, fileState: 'publish' })
    const path = `${file.url}?version=1`
    const { body } = await server.call('POST', '/api/v2/ticket', { json: { path } })
    addresses.set(name, body.path)
    return file.asset_file_id
  }
  await store('lib.js', SCRIPT)
  await store('lib.css', STYLE)
  const contents = contentsFor(String(addresses.get('lib.js')))
  const ids: number[] = []
  for (const { name, bytes } of contents) ids.push(await store(name, bytes))
  const page = await makeFile(server, { name: 'edited.html', pageContent: contents[3]?.bytes })
  const { asset_category_id: folder } = await makeFolder(server, { name: nameFor('folder') })
  const table = await makeTable(server, 'a D, b C(200)', {
    name: nameFor('table'),
    description: textFor('description'),
  })
  await makeEntry(server, table.url, { b: textFor('entry') })
  await make(server, 'user', { name: nameFor('user'), role: 'viewer' })
  return {
    server,
    contents,
    addresses,
    pages: [
      '/public/api/system',
      '/public/api/module',
      '/admin/content',
      `/admin/content/${folder}`,
      ...ids.map((id) => `/admin/content/file/${id}`),
      `/admin/content/file/${page.asset_file_id}/edit`,
      '/admin/data',
      `/admin/data/${table.id}`,
      `/admin/data/${table.id}/api`,
      '/admin/users',
      '/admin/audit',
    ],
  }
}

async function signInWith(tab: Tab, { url }: TestServer): Promise<void> {
  await tab.goto(`${url}/public/api/system`)
  const body = JSON.stringify({ name: 'admin', password: PASSWORD })
  const options = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} }`
  const status = await tab.evaluate(
    `localStorage.setItem('cms.file-shape', 'tiles'); fetch('/api/v2/session', ${options}).then((a) => String(a.status))`,
  )
  if (status !== '201') throw new Error(`Nobody was signed in: ${status}`)
}

/** The time for opened pages to load and run. Slower pages are missed, which causes no failure. */
const SETTLE_MS = 300

/** Frames and windows do not report when their scripts have run. */
async function settle(tab: Tab): Promise<void> {
  await tab
    .evaluate(`new Promise((ok) => setTimeout(() => ok(''), ${SETTLE_MS}))`)
    .catch(() => undefined)
}

/**
 * Waits until the page is loaded, opens all its pictures, frames and videos, and returns their
 * number.
 */
function openAllShown(): string {
  return `(async () => {
    const sleep = (ms) => new Promise((ok) => setTimeout(ok, ms))
    for (let round = 0, last = -1; round < 12 && last !== performance.getEntriesByType('resource').length; round += 1) {
      last = performance.getEntriesByType('resource').length
      await sleep(${SETTLE_MS})
    }
    const shown = [...document.querySelectorAll('img, iframe, video, audio, embed, object')]
      .map((each) => each.currentSrc || each.src || each.data)
      .filter((src) => src && !src.startsWith('data:'))
    const windows = [...new Set(shown)].map((src) => window.open(src))
    await sleep(windows.length === 0 ? 0 : ${SETTLE_MS})
    for (const each of windows) each?.close()
    return String(windows.length)
  })()`
}

/**
 * Adds elements that load an address as code, as an attacker would do through a hole in the page.
 */
async function includeAll(tab: Tab, site: Site, path: string): Promise<string[]> {
  const { server, addresses } = site
  const script = server.url + String(addresses.get('lib.js'))
  const style = server.url + String(addresses.get('lib.css'))
  const loaded = await tab.evaluate(`(async () => {
    const loaded = []
    const add = (name, tag, given) => new Promise((ok) => {
      try {
        const element = document.createElement(tag)
        element.onload = () => { loaded.push(name); ok() }
        element.onerror = ok
        for (const [key, value] of Object.entries(given)) element[key] = value
        document.head.append(element)
      } catch { ok() }
      setTimeout(ok, 2_000)
    })
    const attempt = async (name, start) => {
      try { await start(); loaded.push(name) } catch {}
    }
    const worker = (Kind) => new Promise((ok, fail) => {
      const made = new Kind(${JSON.stringify(script)})
      const target = made.port ?? made
      made.onerror = fail
      setTimeout(fail, 300)
    })
    await Promise.all([
      add('script', 'script', { src: ${JSON.stringify(script)} }),
      add('module', 'script', { type: 'module', src: ${JSON.stringify(script)} }),
      add('style', 'link', { rel: 'stylesheet', href: ${JSON.stringify(style)} }),
      attempt('service worker', () => navigator.serviceWorker.register(${JSON.stringify(script)})),
      attempt('worker', () => worker(Worker)),
      attempt('shared worker', () => worker(SharedWorker)),
    ])
    if (getComputedStyle(document.documentElement).getPropertyValue('--cms-styled')) loaded.push('styled')
    return loaded.join(', ')
  })()`)
  return loaded === '' ? [] : [`${path} included the content as ${loaded}`]
}

/** Opens the pictures as blob: URLs of the page. */
function openOwnBlobs(contents: readonly Content[]): string {
  const given = JSON.stringify(contents.filter(({ type }) => type === 'image/svg+xml'))
  return `(async () => {
    const windows = ${given}.map(({ bytes, type }) =>
      window.open(URL.createObjectURL(new Blob([bytes.replaceAll('"/file', '"' + location.origin + '/file')], { type }))))
    await new Promise((ok) => setTimeout(ok, ${SETTLE_MS} * 2))
    for (const each of windows) each?.close()
    return ''
  })()`
}

/** Serves the same contents with nothing but their type. */
async function runControls(surfer: Surfer, contents: readonly Content[]): Promise<string[]> {
  const careless: Server = createServer(({ url = '' }, response) => {
    const found = contents.find(({ name }) => url === `/${name}`)
    const script = url.startsWith('/file/')
    const type = script ? 'text/javascript' : found?.type
    if (type === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type }).end(script ? SCRIPT : found?.bytes)
  })
  await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
  const { port } = careless.address() as AddressInfo
  const tab = await surfer.newTab()
  try {
    const ran: string[] = []
    for (const { name } of contents) {
      await tab.goto(`http://127.0.0.1:${port}/${name}`)
      await settle(tab)
      if (ranSince(surfer).length > 0) ran.push(name)
    }
    return ran
  } finally {
    await tab.close()
    careless.close()
    careless.closeAllConnections()
  }
}
