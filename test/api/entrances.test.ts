// The addresses that newcomers try first: people are redirected to a page, programs to the documents.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { oneNode } from '../helpers/node-pair.ts'

/** The redirect target of each address for people. */
const ENTRANCES = {
  '/': '/admin',
  '/public': '/public/api/system',
  '/public/api': '/public/api/system',
  '/docs': '/public/api/system',
} as const

/** The Accept header of clients, and whether a person uses the client. */
const CLIENTS: readonly (readonly [string, string | undefined, boolean])[] = [
  [
    'Chromium',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    true,
  ],
  ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['lynx', 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01', true],
  ['a client that accepts any text', 'text/*', true],
  ['curl', '*/*', false],
  ['a client without Accept', undefined, false],
  ['a client of JSON', 'application/json', false],
  ['axios', 'application/json, text/plain, */*', false],
  ['a client that prefers JSON', 'text/html;q=0.5, application/json', false],
  ['a client that refuses pages', 'text/html;q=0, */*', false],
  ['a client that accepts images', 'image/png', false],
  ['a client with an invalid Accept', ';;,,"', false],
]

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

for (const [path, page] of Object.entries(ENTRANCES)) {
  describe(path, () => {
    for (const [who, accept, isPerson] of CLIENTS) {
      test(`sends ${who} to the ${isPerson ? 'page' : 'documents'}`, async () => {
        const headers = accept === undefined ? {} : { accept }
        for (const method of ['GET', 'HEAD']) {
          const answer = await server.call(method, path, { key: null, headers })
          assert.equal(answer.headers.vary, 'Accept, Host')
          assert.equal(answer.status, isPerson ? 303 : 200)
          if (isPerson) assert.equal(answer.headers.location, page)
          else assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
        }
      })
    }
  })
}

test('the documents and pages in the response for programs exist', oneNode('address'), async () => {
  const { body } = await server.call('GET', '/', { key: null })
  for (const [name, url] of Object.entries<string>(body.documents)) {
    assert.ok(url.startsWith(`${server.url}/`), url)
    const document = (await server.call('GET', new URL(url).pathname, { key: null })).body
    assert.equal(document.info.title.toLowerCase(), `${name} api`)
    const page = await server.call('GET', new URL(body.pages[name]).pathname, { key: null })
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  }
  assert.deepEqual(Object.keys(body.documents), ['system', 'module'])
})

test('their addresses begin with --base-url if it is set, including its path', async () => {
  const other = await startTestServer({ config: { baseUrl: 'https://www.example.org/cms' } })
  try {
    const { body } = await other.call('GET', '/docs', { key: null })
    assert.deepEqual(body.pages, {
      system: 'https://www.example.org/cms/public/api/system',
      module: 'https://www.example.org/cms/public/api/module',
    })
    const headers = { accept: 'text/html' }
    const answer = await other.call('GET', '/', { key: null, headers })
    assert.equal(answer.headers.location, '/cms/admin')
  } finally {
    await other.close()
  }
})

test('an invalid Host is refused', async () => {
  const answer = await server.call('GET', '/', { key: null, headers: { host: 'a"b' } })
  assert.equal(answer.status, 400)
})

describe('in a browser', { skip: NO_BROWSER || oneNode('address').skip }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  for (const [path, led] of Object.entries(ENTRANCES)) {
    test(`${path} opens the page`, async () => {
      const page = await browser.newPage()
      const answer = await page.goto(`${server.url}${path}`)
      assert.equal(answer?.status(), 200)
      assert.equal(page.url(), `${server.url}${led}`)
      await page.close()
    })
  }
})
