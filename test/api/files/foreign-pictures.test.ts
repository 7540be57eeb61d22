// A page of another origin shows a picture with a ticket in a real browser, if the operator configured the
// origin.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../../helpers/browser.ts'
import { uploadFile } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a picture with a ticket, on a page of another origin', { skip: NO_BROWSER }, () => {
  let page: Server
  let origin: string
  let browser: Browser
  const servers: TestServer[] = []
  before(async () => {
    page = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>p</title>')
    })
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    page.close()
    for (const server of servers) await server.stop()
    removeDataDirectories()
  })

  /** Returns the width of the picture in the browser, or 0 if the picture is blocked. */
  async function widthOn(corsOrigins: readonly string[]): Promise<number> {
    const server = await startTestServer({ dataDir: newDataDirectory(), config: { corsOrigins } })
    servers.push(server)
    const { url } = await uploadFile(server, PIXEL, { name: 'a.png' })
    const json = { path: `${url}?version=1` }
    const { body } = await server.call('POST', '/api/v2/ticket', { json })
    const tab = await browser.newPage()
    await tab.goto(origin)
    const width = await tab.evaluate(async (source) => {
      const picture = new Image()
      const isThere = new Promise<number>((resolve) => {
        picture.addEventListener('load', () => resolve(picture.naturalWidth))
        picture.addEventListener('error', () => resolve(0))
      })
      picture.src = source
      document.body.append(picture)
      return isThere
    }, `${server.url}${body.path}`)
    await tab.close()
    return width
  }

  test('is shown if --cors-origin names the origin', async () => {
    assert.equal(await widthOn([origin]), 1)
  })

  test('is blocked if no origin is named', async () => {
    assert.equal(await widthOn([]), 0)
  })
})
