// Files that contain programs, opened in a real browser at their address: no program runs. The browser runs
// the same bytes from a server that sends only a Content-Type, which proves that the files work.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../../helpers/browser.ts'
import { uploadFile } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const RUN = 'fetch("/canary")'
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'

/** File name, bytes, the Content-Type of a careless server, and whether a browser then runs the file. */
const FILES: readonly (readonly [string, string, string, boolean])[] = [
  ['a.html', `<script>${RUN}</script>`, 'text/html', true],
  ['b.htm', `<img src=x onerror='${RUN}'>`, 'text/html', true],
  [
    'c.svg',
    `<svg xmlns="http://www.w3.org/2000/svg"><script>${RUN}</script></svg>`,
    'image/svg+xml',
    true,
  ],
  ['d.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload='${RUN}'/>`, 'image/svg+xml', true],
  ['e.xml', `<html ${XHTML}><script>${RUN}</script></html>`, 'application/xml', true],
  ['f.xhtml', `<html ${XHTML}><body onload='${RUN}'/></html>`, 'application/xhtml+xml', true],
  ['g.stml', `<div id="dd.0"><script>${RUN}</script></div>`, 'text/html', true],
  ['h.txt', `<!doctype html><script>${RUN}</script>`, '', true],
  ['i.png', `<!doctype html><script>${RUN}</script>`, '', true],
  ['j.html', `GIF89a/*<script>${RUN}</script>*/=1`, 'text/html', true],
  [
    'k.pdf',
    `%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${RUN})>>>>endobj\n<script>${RUN}</script>`,
    'application/pdf',
    false,
  ],
  ['l.unheard', `<!doctype html><script>${RUN}</script>`, '', true],
]

/** The browser does not render a download, so no part of the download can run. */
function requireDownload(error: Error): void {
  assert.match(error.message, /Download is starting/)
}

describe('X1: a file', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let careless: Server
  let carelessUrl: string
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
    careless = createServer(({ url = '' }, response) => {
      const [, bytes, type] = FILES.find(([name]) => url === `/${name}`) ?? []
      response
        .writeHead(bytes === undefined ? 404 : 200, type ? { 'content-type': type } : {})
        .end(bytes)
    })
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
    carelessUrl = `http://127.0.0.1:${(careless.address() as AddressInfo).port}`
  })
  after(async () => {
    await browser.close()
    careless.close()
    careless.closeAllConnections()
    await server.close()
  })

  /**
   * Opens an address and returns whether its content sent a request. Downloads are not requests of the page.
   */
  async function runs(address: string, context: BrowserContext): Promise<boolean> {
    const page = await context.newPage()
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.goto(address).catch(requireDownload)
    await page.waitForLoadState('networkidle')
    await page.close()
    return calls.some((url) => url.endsWith('/canary'))
  }

  for (const [name, bytes, type, isRun] of FILES) {
    test(`${name} runs no script`, async () => {
      const { url } = await uploadFile(server, bytes, { fileName: name, fileState: 'publish' })
      const careful = await browser.newContext({
        extraHTTPHeaders: { authorization: `Bearer ${server.key}` },
      })
      assert.equal(await runs(server.url + url, careful), false)

      // For a client that renders content in spite of the attachment header, only the sandbox remains.
      const page = await careful.newPage()
      const calls: string[] = []
      page.on('request', (request) => calls.push(request.url()))
      await page.route('**/file/**', async (route) => {
        const answer = await route.fetch()
        const { 'content-disposition': _, ...headers } = answer.headers()
        await route.fulfill({ response: answer, headers })
      })
      await page.goto(server.url + url).catch(requireDownload)
      await page.waitForLoadState('networkidle')
      assert.deepEqual(
        calls.filter((call) => call.endsWith('/canary')),
        [],
      )
      await careful.close()

      const plain = await browser.newContext()
      assert.equal(
        await runs(`${carelessUrl}/${name}`, plain),
        isRun,
        `${type} of a careless server`,
      )
      await plain.close()
    })
  }
})
