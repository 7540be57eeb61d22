// The pages that show the documents: their contents, and what a person can do with them in a real browser.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { MARKUP } from '../corpora/hostile-texts.ts'
import { make } from '../helpers/content.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { authorize, execute, giveKey, visit, visitForm } from './pages.ts'
import { makeModules } from './traffic.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
})
after(() => server.close())

const NAMES = ['system', 'module'] as const

describe('a documentation page', () => {
  for (const name of NAMES) {
    test(`of the ${name} document needs no key and loads from its own host only`, async () => {
      const { status, headers, text } = await server.call('GET', `/public/api/${name}`, {
        key: null,
      })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const policy = String(headers['content-security-policy'])
      assert.match(
        policy,
        /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+';/,
      )
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      assert.doesNotMatch(text, /<style|\son\w+=|<script(?![^>]* src=)|https?:/)
    })
  }

  test('has no trailing slash, because its addresses are relative', async () => {
    assert.equal((await server.call('GET', '/public/api/system/', { key: null })).status, 404)
  })

  test('loads immutable assets, with the same bytes in every encoding', async () => {
    const { text } = await server.call('GET', '/public/api/system', { key: null })
    const paths = [...text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path)
    assert.equal(paths.length, 4)
    for (const path of paths) {
      const plain = await server.call('GET', `/public/api/${path}`, { key: null })
      const headers = { 'accept-encoding': 'br, gzip' }
      const packed = await server.call('GET', `/public/api/${path}`, { key: null, headers })
      assert.equal(plain.status, 200)
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.equal(packed.headers.vary, 'Accept-Encoding')
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
    }
  })

  test('serves no other files and no other versions of the package', async () => {
    const { text } = await server.call('GET', '/public/api/system', { key: null })
    const version = /assets\/([^/]+)\//.exec(text)?.[1]
    const wrong = [
      `${version}/swagger-ui-bundle.js.map`,
      `${version}/package.json`,
      `${version}/..%2Fpackage.json`,
      `${version}/__proto__`,
      `${version}/constructor`,
      '1.0.0/start.js',
    ]
    for (const path of wrong) {
      const { status } = await server.call('GET', `/public/api/assets/${path}`, { key: null })
      assert.equal(status, 404, path)
    }
  })
})

describe('in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  test('a request without a key is refused and works after Authorize', async () => {
    const { page, noise } = await visit(browser, server.url, 'system')
    assert.equal(await execute(page, 'search_asset_category'), '401')
    await authorize(page, server.key)
    assert.equal(await execute(page, 'search_asset_category'), '200')
    const answer = page.locator('.opblock[id$="-search_asset_category"] .live-responses-table')
    assert.match(await answer.innerText(), /"name": "Modules"/)

    // The request has the body that the page suggests.
    assert.equal(await execute(page, 'create_asset_category'), '201')
    const list = await server.call('GET', '/api/v2/asset_category?qry={"name":"Press"}')
    assert.equal(list.body.asset_category.length, 1)

    // The upload route lies outside the API.
    const status = await execute(page, 'upload_file', async (operation) => {
      const buffer = Buffer.from('hello')
      const file = { name: 'hello.txt', mimeType: 'text/plain', buffer }
      await operation.locator('input[type=file]').setInputFiles(file)
      await operation.locator('tr[data-property-name=asset_category_id] input').first().fill('1')
    })
    assert.equal(status, '201')

    // The browser itself logs the answer 401.
    assert.deepEqual(
      noise.filter((text) => !text.includes('401')),
      [],
    )
    await page.close()
  })

  test('an entry is created in a datatable without requests to other hosts', async () => {
    const { page, noise } = await visit(browser, server.url, 'module?module=datatable/1')
    await authorize(page, server.key)
    assert.equal(await execute(page, 'create_datatable_1_press_releases'), '201')
    assert.deepEqual(noise, [])
    await page.close()
  })

  describe('with --docs keyed', () => {
    let keyed: TestServer
    let narrow: string
    before(async () => {
      keyed = await startTestServer({ config: { docs: 'keyed' } })
      await makeModules(keyed.call)
      const { asset_category_id: category } = await make(keyed, 'asset_category', { name: 'Own' })
      const fields = { parent_category_id: category, table_schema: 'title C(9) NOTNULL' }
      await make(keyed, 'datatable', { name: 'Mine', ...fields })
      narrow = await keyed.makeKey({ name: 'narrow', category })
    })
    after(() => keyed.close())

    test('the page asks for a key, shows its modules and sends the key with requests', async () => {
      const { page, noise } = await visitForm(browser, keyed.url)
      await giveKey(page, keyed.key)
      await page.getByRole('link', { name: 'Press releases' }).click()
      assert.equal(await execute(page, 'create_datatable_1_press_releases'), '201')

      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save TypeScript types' }).click()
      const path = await (await saved).path()
      const { text } = await keyed.call('GET', '/public/api/module/types.ts')
      assert.equal(readFileSync(path, 'utf8'), text)
      assert.deepEqual(noise, [])
      await page.close()
    })

    test('a key of one folder sees no modules of other folders', async () => {
      const { page, noise } = await visitForm(browser, keyed.url)
      await giveKey(page, narrow)
      await page.locator('.opblock-tag').first().waitFor()
      assert.deepEqual(await page.locator('.opblock-tag > :first-child').allInnerTexts(), [
        'datatable 2: Mine',
      ])
      assert.equal(await page.locator('#modules li').count(), 1)
      assert.deepEqual(noise, [])
      await page.close()
    })

    test('a wrong key is reported and can be replaced, by keyboard alone', async () => {
      const { page, noise } = await visitForm(browser, keyed.url)
      for (const [key, said] of [
        [`${keyed.key}x`, /unknown, inactive or expired/],
        ['schlüssel', /not an API key/],
      ] as const) {
        await page.keyboard.type(key)
        await page.keyboard.press('Enter')
        await page.getByRole('alert').filter({ hasText: said }).waitFor()
      }
      await page.keyboard.type(keyed.key)
      await page.keyboard.press('Enter')
      await page.locator('.opblock-tag').first().waitFor()
      // The browser itself logs the answer 401.
      assert.deepEqual(
        noise.filter((text) => !text.includes('401')),
        [],
      )
      await page.close()
    })

    test('without its script the page sends the key nowhere', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      await page.goto(`${keyed.url}/public/api/module`)
      assert.equal(await page.locator('#key').isVisible(), false)
      assert.equal(await page.locator('[name]:not(meta)').count(), 0)
      await context.close()
    })
  })

  test('X2: markup in names of modules and columns is shown as text and runs nothing', async (t) => {
    const other = await startTestServer()
    t.after(() => other.close())
    for (const markup of MARKUP) {
      const schema = { table_schema: "a C(40) DEFAULT '<img src=/canary>'", title_field: 'a' }
      // A name cannot contain a slash. The remaining markup needs none.
      const json = { name: markup.replaceAll('/', ''), parent_category_id: 12, ...schema }
      const { status, text } = await other.call('POST', '/api/v2/datatable', { json })
      assert.equal(status, 201, text)
    }
    const { page, noise } = await visit(browser, other.url, 'module')
    const names = await page.locator('#modules li a').allInnerTexts()
    assert.ok(names.length >= MARKUP.length, 'modules are missing')
    assert.ok(names.join().includes('<script>fetch("canary")<script>'), 'no name is shown')
    for (const [at, name] of names.entries()) {
      await page.locator('#modules li a').nth(at).click()
      const tag = page.locator('.opblock-tag').filter({ hasText: name.split('\n')[0] ?? '' })
      await tag.waitFor()
      await page.locator('.opblock-summary-control').first().click()
      await page.locator('.opblock-body').waitFor()
    }
    const made = page
      .locator('main, #modules')
      .locator(
        'script, iframe, form[action], meta, base, link, [onerror], [onload], [href^="javascript:"], [src*="canary"], [href*="canary"]:not([href^="#"])',
      )
    assert.equal(await made.count(), 0)
    assert.deepEqual(noise, [])
    await page.close()
  })
})
