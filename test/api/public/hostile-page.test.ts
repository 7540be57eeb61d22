// A hostile page of the site in a real browser, on a host of the same domain as the administration area. Browsers then send
// the session cookie even with SameSite=Strict, so the checks of the server and its headers decide alone.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PASSWORD, setPassword } from '../../admin/area.ts'
import { NO_BROWSER, openBrowser } from '../../helpers/browser.ts'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { freePort } from '../../helpers/nginx.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

describe('a hostile page beside the administration area', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let context: BrowserContext
  /** A page of the site, and the area with a person who is signed in. */
  let hostile: Page
  let area: Page
  let site: string
  let api: string
  before(async () => {
    const port = await freePort()
    site = `http://www.example.localhost:${port}`
    api = `http://cms.example.localhost:${port}`
    const sites = [{ origin: site, folder: '/Main/website' }]
    server = await startTestServer({ config: { port, sites } })
    const { asset_category_id: folder } = await makeFolder(server, {
      name: 'website',
      public: true,
    })
    const save = (name: string, pageContent: string): Promise<any> =>
      makeFile(server, {
        name,
        type: name.split('.').at(-1),
        parent_category_id: folder,
        pageContent,
        fileState: 'publish',
      })
    await save('index.html', '<!doctype html><title>hostile</title><body>')
    await save(
      'worker.js',
      'addEventListener("fetch", (event) => event.respondWith(new Response("taken over")))',
    )
    await setPassword(server, 'admin')
    browser = await openBrowser()
    context = await browser.newContext()
    area = await context.newPage()
    await area.goto(`${api}/admin`)
    const status = await area.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' }
        return (await fetch('/api/v2/session', { method: 'POST', headers, body })).status
      },
      JSON.stringify({ name: 'admin', password: PASSWORD }),
    )
    assert.equal(status, 201)
    await requireSignedIn()
    hostile = await context.newPage()
    await hostile.goto(site)
  })
  after(async () => {
    await browser?.close()
    await server.close()
  })

  /** Folders and files that a request of the page would have made. */
  async function made(): Promise<number> {
    const qry = encodeURIComponent('{"name":{"$startsWith":"hostile"}}')
    const lists = await Promise.all(
      ['asset_category', 'asset_file'].map((object) =>
        server.call('GET', `/api/v2/${object}?qry=${qry}`),
      ),
    )
    return lists.flatMap(({ body }) => body.asset_category ?? body.asset_file).length
  }

  async function requireSignedIn(): Promise<void> {
    await area.reload()
    await area.getByRole('navigation').first().waitFor()
  }

  test('gets no answer to a request with the cookies of the person', async () => {
    const tried = await hostile.evaluate(async (host) => {
      const tell = (sent: Promise<Response>): Promise<unknown> =>
        sent.then(
          ({ status }) => status,
          () => 'blocked',
        )
      const paths = ['/api/v2/session', '/api/v2/session/renew', '/api/v2/asset_category']
      const answers = []
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        for (const path of paths)
          answers.push(await tell(fetch(host + path, { method, credentials: 'include' })))
      return answers
    }, api)
    assert.deepEqual([...new Set(tried)], ['blocked'])
    await requireSignedIn()
  })

  test('changes nothing by a form of any type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      for (const path of ['/api/v2/asset_category', '/api/v2/session/renew', '/upload'])
        await hostile.evaluate(
          async ({ action, enctype }) => {
            const frame = document.createElement('iframe')
            frame.name = `target-${Math.random()}`
            document.body.append(frame)
            const form = document.createElement('form')
            Object.assign(form, { action, enctype, method: 'post', target: frame.name })
            const field = document.createElement('input')
            // As text/plain, the form is a JSON text.
            Object.assign(field, { name: '{"name":"hostile', value: '"}' })
            form.append(field)
            document.body.append(form)
            const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
            form.submit()
            await loaded
          },
          { action: api + path, enctype: type },
        )
    assert.equal(await made(), 0)
    await requireSignedIn()
  })

  test('can neither frame the area nor reach it by a window', async () => {
    for (const path of ['/admin', '/admin/content', '/public/api/system']) {
      await hostile.evaluate(async (address) => {
        const frame = document.createElement('iframe')
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        frame.src = address
        document.body.append(frame)
        await loaded
      }, api + path)
      assert.equal(hostile.frames().at(-1)?.url(), 'chrome-error://chromewebdata/', path)
    }
    const opening = context.waitForEvent('page')
    const window = await hostile.evaluateHandle((address) => open(address), `${api}/admin`)
    const opened = await opening
    await opened.getByRole('navigation').first().waitFor()
    // The area is in a browsing context of its own: the opener holds a closed window.
    assert.equal(await window.evaluate((given) => given?.closed), true)
    assert.equal(await opened.evaluate('window.opener'), null)
    await opened.close()
  })

  test('serves no worker and no script to the host of the area', async () => {
    const tried = await hostile.evaluate(async (host) => {
      const register = (script: string, scope?: string): Promise<string> =>
        navigator.serviceWorker.register(script, scope === undefined ? {} : { scope }).then(
          () => 'registered',
          ({ name }) => name,
        )
      return [
        await register(`${host}/admin/worker.js`),
        await register('/worker.js', `${host}/admin`),
        await register('/worker.js'),
      ]
    }, api)
    assert.deepEqual(tried.slice(0, 2), ['SecurityError', 'SecurityError'])
    await requireSignedIn()
    assert.doesNotMatch(await area.content(), /taken over/)
  })

  test('reads no cookie, and its cookies reach no session', async () => {
    assert.equal(await hostile.evaluate('document.cookie'), '')
    const cookies = await context.cookies(`${api}/api/v2/session`)
    const [session] = cookies
    assert.equal(cookies.length, 1)
    for (const path of ['/', '/api/v2/session', '/api/v2/session/renew'])
      await hostile.evaluate((cookie) => {
        document.cookie = cookie
      }, `${session?.name}=hostile; domain=example.localhost; path=${path}`)
    await requireSignedIn()
  })
})
