// The server below a path of a host: --base-url https://www.example.org/cms, behind a proxy that removes the
// path or passes it on. Every address that the server generates leads back to the server.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { exportEntries } from '../../lib/client/export-entries.ts'
import { importEntries } from '../../lib/client/import-entries.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { exchange } from '../helpers/raw.ts'
import { openReverseProxy, type ReverseProxy } from '../helpers/reverse-proxy.ts'
import {
  type Answer,
  buildForm,
  type Call,
  send,
  startTestServer,
  temporaryDirectory,
  type TestServer,
} from '../helpers/server.ts'

interface Behind {
  readonly server: TestServer
  readonly proxy: ReverseProxy
  /** Sends a request through the proxy. The path is an address that the server generated. */
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  readonly close: () => Promise<void>
}

async function startBehind(prefix: string, stripsPrefix: boolean): Promise<Behind> {
  const started: { server?: TestServer } = {}
  const target = (): string => started.server?.url ?? ''
  const proxy = await openReverseProxy({ target, prefix, stripsPrefix })
  const server = await startTestServer({ config: { baseUrl: proxy.url } })
  started.server = server
  return {
    server,
    proxy,
    call: (method, path, call = {}) => send(proxy.url, method, path, { key: server.key, ...call }),
    async close() {
      proxy.close()
      await server.close()
    },
  }
}

const TABLE = { name: 'Press', parent_category_id: 12, table_schema: 'title C(20) NOTNULL' }

for (const stripsPrefix of [false, true]) {
  describe(`behind a proxy that ${stripsPrefix ? 'strips' : 'keeps'} the path`, () => {
    let site: Behind
    before(async () => {
      site = await startBehind('/cms', stripsPrefix)
    })
    after(() => site.close())

    test('Location leads to the new record', async () => {
      const file = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: 'a' }
      const form = buildForm([
        { name: 'asset_category_id', value: '1' },
        { name: 'Filedata', bytes: Buffer.from('hello'), fileName: 'b.txt' },
      ])
      const made = [
        await site.call('POST', '/cms/api/v2/asset_file', { json: file }),
        await site.call('POST', '/cms/upload', {
          body: form.body,
          headers: { 'content-type': form.contentType },
        }),
        await site.call('POST', '/cms/api/v2/datatable', { json: TABLE }),
      ]
      const entries = made[2]?.body.module_url
      const prefer = { prefer: 'return=representation' }
      made.push(await site.call('POST', entries, { json: { title: 'a' }, headers: prefer }))
      for (const { status, headers, text } of made) {
        assert.equal(status, 201, text)
        assert.match(String(headers.location), /^\/cms\/(?!cms)/)
        assert.equal((await site.call('GET', String(headers.location))).status, 200)
      }
    })

    test('url leads to the bytes and module_url to the entries, in reads, lists and searches', async () => {
      const page = { name: 'é ü.html', type: 'html', parent_category_id: 1, pageContent: 'live' }
      const { asset_file_id: id } = (
        await site.call('POST', '/cms/api/v2/asset_file', { json: page })
      ).body
      const published = await site.call('GET', `/cms/api/v2/asset_file/${id}/publish`)
      const { url } = published.body
      assert.equal(url, `/cms/file/${id}/%C3%A9%20%C3%BC.html`)
      assert.equal((await site.call('GET', url)).text, 'live')

      const qry = encodeURIComponent(JSON.stringify({ url }))
      const found = await site.call('GET', `/cms/api/v2/asset_file?qry=${qry}&fields=url`)
      assert.deepEqual(found.body.asset_file, [{ url }])
      const bare = encodeURIComponent(JSON.stringify({ url: url.slice(4) }))
      assert.deepEqual(
        (await site.call('GET', `/cms/api/v2/asset_file?qry=${bare}`)).body.asset_file,
        [],
      )

      const { datatable } = (await site.call('GET', '/cms/api/v2/datatable')).body
      assert.equal(datatable[0].module_url, '/cms/api/v2/module/datatable/1/press')
      assert.equal((await site.call('GET', datatable[0].module_url)).status, 200)
    })

    test('a record can be sent back as it was read, and the stored address has no prefix', async () => {
      for (const path of ['/cms/api/v2/asset_file/2', '/cms/api/v2/datatable/1']) {
        const { body } = await site.call('GET', path)
        const { fileState: _, pageContent: __, ...json } = body
        const answer = await site.call('POST', path, { json })
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.url ?? answer.body.module_url, body.url ?? body.module_url)
      }
    })

    test('Link leads through the pages of a list', async () => {
      const seen: number[] = []
      let path: string | undefined = '/cms/api/v2/asset_category?length=1'
      while (path !== undefined) {
        const { status, body, headers }: Answer = await site.call('GET', path)
        assert.equal(status, 200)
        seen.push(...body.asset_category.map((item: any) => item.asset_category_id))
        path = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
      }
      assert.deepEqual(seen, [1, 12])
    })

    test('the type of a problem leads to its page, and the page to all other problem pages', async () => {
      const missing = await site.call('GET', '/cms/api/v2/asset_file/999')
      assert.equal(missing.body.type, '/cms/problems/not-found')
      const page = await site.call('GET', missing.body.type, { key: null })
      assert.equal(page.status, 200)
      const base = new URL(missing.body.type, site.proxy.url)
      const [, all = ''] = /<a href="([^"]*problems)"/.exec(page.text) ?? []
      const list = await site.call('GET', new URL(all, base).pathname, { key: null })
      assert.equal(list.status, 200)
      const [, first = ''] = /<a href="(problems\/[^"]+)"/.exec(list.text) ?? []
      const shown = new URL(first, new URL(all, base))
      assert.equal((await site.call('GET', shown.pathname, { key: null })).status, 200)
    })

    test('errors for bytes that are not a request also have the prefix', async () => {
      const text = await exchange(site.server.url, 'GET / HTTP/1.1\r\nno colon\r\n\r\n')
      assert.match(text, /"type":"\/cms\/problems\/bad-request"/)
    })

    test('a retry with or without the prefix is the same request', async () => {
      const headers = { 'idempotency-key': `one-${stripsPrefix}` }
      const json = { name: 'once' }
      const first = await site.call('POST', '/cms/api/v2/asset_category', { json, headers })
      const again = await site.server.call('POST', '/api/v2/asset_category', { json, headers })
      assert.equal(first.status, 201)
      assert.equal(again.headers['idempotency-replayed'], 'true')
      assert.equal(again.headers.location, first.headers.location)
      assert.equal(again.text, first.text)
    })

    test('import and export accept the module address that the server returns', async () => {
      const { url } = site.proxy
      const { datatable } = (await site.call('GET', '/cms/api/v2/datatable')).body
      const directory = temporaryDirectory()
      const [source, target] = [join(directory, 'in.csv'), join(directory, 'out.csv')]
      writeFileSync(source, 'title\nfrom a file\n')
      const of = { url, key: site.server.key, module: datatable[0].module_url }
      assert.equal((await importEntries({ ...of, source })).created, 1)
      await exportEntries({ ...of, target, fields: ['title'] })
      assert.match(readFileSync(target, 'utf8'), /from a file/)
      rmSync(directory, { recursive: true })
    })

    test('the documents contain the address with the path', async () => {
      const { body } = await site.call('GET', '/cms/public/api/system/swagger.json', { key: null })
      assert.equal(body.servers[0].url, `${site.proxy.url}/api/v2`)
    })

    test('the Execute button of the documentation page works in a browser', {
      skip: NO_BROWSER,
    }, async () => {
      const browser = await openBrowser()
      const page = await browser.newPage()
      await page.goto(`${site.proxy.url}/public/api/system`)
      const operation = page.locator('.opblock[id$="-search_asset_category"]')
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      await page.locator('.auth-container input').fill(site.server.key)
      await page.locator('.auth-container button.authorize').click()
      await page.locator('.auth-container .btn-done').click()
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Try it out' }).click()
      await operation.locator('button.execute').click()
      const live = operation.locator('.live-responses-table tbody .response-col_status').first()
      assert.match(await live.innerText(), /^200/)
      await browser.close()
    })
  })
}

describe('the path', () => {
  const cases = [
    // If the prefix is also a path of the server, both addresses lead to the same list.
    ['/api', '/api/api/v2/asset_category', 200],
    ['/api', '/api/v2/asset_category', 200],
    ['/cms', '/api/v2/asset_category', 200],
    ['/cms', '/cms/api/v2/asset_category?length=1', 200],
    ['/cms', '/cmsapi/v2/asset_category', 404],
    ['/cms', '/CMS/api/v2/asset_category', 404],
    ['/cms', '/cms/cms/api/v2/asset_category', 404],
    ['/a/b', '/a/b/health', 200],
    ['/a/b', '/b/health', 404],
  ] as const
  for (const [prefix, path, status] of cases) {
    test(`${prefix} and a request for ${path}: ${status}`, async (t) => {
      const server = await startTestServer({
        config: { baseUrl: `https://www.example.org${prefix}` },
      })
      t.after(() => server.close())
      assert.equal((await server.call('GET', path)).status, status)
    })
  }

  test('applies to OPTIONS, HEAD and refused methods', async (t) => {
    const server = await startTestServer({ config: { baseUrl: 'https://www.example.org/cms' } })
    t.after(() => server.close())
    const options = await server.call('OPTIONS', '/cms/api/v2/asset_category')
    assert.match(String(options.headers.allow), /^GET, HEAD, POST/)
    assert.equal((await server.call('HEAD', '/cms/health')).status, 200)
    const refused = await server.call('DELETE', '/cms/api/v2/asset_category')
    assert.equal(refused.status, 405)
    assert.equal(refused.body.type, '/cms/problems/method-not-allowed')
  })

  test('appears only in responses: a start with another path changes it', async (t) => {
    const first = await startTestServer({ config: { baseUrl: 'https://www.example.org/one' } })
    await make(first, 'datatable', TABLE)
    await first.stop()
    const second = await startTestServer({ dataDir: first.dataDir })
    t.after(() => second.close())
    const { body } = await second.call('GET', '/api/v2/datatable/1')
    assert.equal(body.module_url, '/api/v2/module/datatable/1/press')
  })
})
