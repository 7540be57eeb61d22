// Public content in a real browser: a page of the site reads public rows and pictures, and can do nothing to
// somebody who is signed in to the administration area in the same browser.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { setPassword, signInBefore } from '../../admin/area.ts'
import { NO_BROWSER, openBrowser } from '../../helpers/browser.ts'
import { makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { freePort } from '../../helpers/nginx.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM8M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a page of the site in a browser', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** The site, and the server of the administration area. */
  let origin: string
  let folder: number
  before(async () => {
    const port = await freePort()
    origin = `http://site.localhost:${port}`
    const sites = [{ origin, folder: '/Main/website' }]
    server = await startTestServer({ config: { port, sites } })
    folder = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
    await makeFile(server, {
      name: 'index.html',
      parent_category_id: folder,
      pageContent: '<!doctype html><title>hostile</title><script>window.hasRun = true</script>',
      fileState: 'publish',
    })
    browser = await openBrowser()
    context = await browser.newContext()
    page = await context.newPage()
    await page.goto(origin)
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  test('runs its scripts, and reads public rows of the API without a header', async () => {
    assert.equal(await page.evaluate('window.hasRun'), true)
    const table = await makeTable(server, 'title C(20)', { public: true })
    await makeEntry(server, table.url, { title: 'for everybody' })
    const rows = await page.evaluate(async (address) => {
      const response = await fetch(address)
      return [(await response.json()).datatable_entry, response.headers.get('x-total')]
    }, server.url + table.url)
    assert.deepEqual([rows[0][0].title, rows[1]], ['for everybody', '1'])
  })

  test('is HTML for a page of type stml, and the template code is neither run nor shown', async () => {
    const fields = { asset_category_id: String(folder), fileName: 'dot.png', fileState: 'publish' }
    const { asset_file_id: picture } = await uploadFile(server, PIXEL, fields)
    const code = [
      '[menu_x of="--><script>window.isBroken = 1</script>"]secret',
      '<?php echo "--><script>window.isBroken = 2</script>secret" ?>',
      '<% secret --> <script>window.isBroken = 3</script> %>{{secret}}',
      '<p title="[a_b of=">secret<"]" class=[a_b] id=p>Grüße</p>',
    ]
    await makeFile(server, {
      name: 'page.stml',
      type: 'stml',
      title: 'A page </title><script>window.isBroken = 4</script>',
      parent_category_id: folder,
      pageContent: `<div id="dd.0">${code.join('')}<img src="[get_asset_file_url id=${picture}]" alt="dot"/></div>`,
      fileState: 'publish',
    })
    const shown = await context.newPage()
    await shown.goto(`${origin}/page`)
    const found = await shown.evaluate(() => {
      const [image] = document.images
      const paragraph = document.getElementById('p')
      return {
        type: document.contentType,
        mode: document.compatMode,
        title: document.title,
        text: document.body.innerText.trim(),
        attributes: paragraph?.getAttributeNames().map((name) => paragraph.getAttribute(name)),
        width: image?.naturalWidth,
        scripts: document.scripts.length,
        isBroken: Reflect.get(window, 'isBroken'),
      }
    })
    assert.deepEqual(found, {
      type: 'text/html',
      mode: 'CSS1Compat',
      title: 'A page </title><script>window.isBroken = 4</script>',
      text: 'secret\n\nGrüße',
      attributes: ['', '', 'p'],
      width: 1,
      scripts: 0,
      isBroken: undefined,
    })
    await shown.close()
  })

  test('shows a public picture of the API but no private picture', async () => {
    const widthOf = (address: string): Promise<number> =>
      page.evaluate(async (source) => {
        const picture = new Image()
        picture.src = source
        return picture.decode().then(
          () => picture.naturalWidth,
          () => 0,
        )
      }, server.url + address)
    const ofFolder = async (id: number, fileName: string): Promise<string> => {
      const fields = { fileName, asset_category_id: String(id), fileState: 'publish' }
      return (await uploadFile(server, PIXEL, fields)).url
    }
    assert.equal(await widthOf(await ofFolder(folder, 'a.png')), 1)
    assert.equal(await widthOf(await ofFolder(1, 'b.png')), 0)
  })

  test('can neither use the session of a signed-in person nor frame the area', async () => {
    await setPassword(server, 'admin')
    await signInBefore(context, { url: server.url, user: 'admin' })
    const area = await context.newPage()
    await area.goto(`${server.url}/admin`)
    await area.getByRole('navigation').first().waitFor()
    const tried = await page.evaluate(async (api) => {
      const result = (sent: Promise<Response>): Promise<unknown> =>
        sent.then(
          ({ status }) => status,
          () => 'blocked',
        )
      const [renew, create] = [`${api}/api/v2/session/renew`, `${api}/api/v2/asset_category`]
      const body = '{"name":"by the site"}'
      const post = { method: 'POST', credentials: 'include' } as const
      const answers = [
        await result(fetch(renew, post)),
        await result(fetch(create, { ...post, body })),
        await result(fetch(`${api}/api/v2/me`, { credentials: 'include' })),
      ]
      // Sent without reading the response, as a form is.
      await fetch(renew, { ...post, mode: 'no-cors' })
      await fetch(create, { ...post, mode: 'no-cors', body })
      const frame = document.createElement('iframe')
      const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      frame.src = `${api}/admin`
      document.body.append(frame)
      await isLoaded
      return answers
    }, server.url)
    assert.deepEqual(tried, ['blocked', 'blocked', 'blocked'])
    assert.equal(page.frames()[1]?.url(), 'chrome-error://chromewebdata/')
    const { body } = await server.call(
      'GET',
      `/api/v2/asset_category?qry=${encodeURIComponent('{"name":"by the site"}')}`,
    )
    assert.deepEqual(body.asset_category, [])
    // The person is still signed in.
    await area.reload()
    await area.getByRole('navigation').first().waitFor()
    assert.deepEqual(await context.cookies(origin), [])
    await area.close()
  })
})
