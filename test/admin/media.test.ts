// Versions as images, video, audio and downloads. Signed addresses load them, so that pages do not embed
// large data.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { film } from './film.ts'
import { openReverseProxy } from '../helpers/reverse-proxy.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, previewIn, setPassword, shows, startSite, until, visit } from './area.ts'

/** Silent audio. */
function sound(seconds = 1): Buffer {
  const data = Buffer.alloc(seconds * 8_000, 128)
  const head = Buffer.from('RIFF....WAVEfmt ........................data....')
  head.writeUInt32LE(36 + data.length, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head.subarray(0, 44), data])
}

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
)

const IMAGE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')

describe('a version', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function makeFile(name: string, bytes: Buffer, at = server): Promise<number> {
    const { body } = await at.upload([
      { name: 'asset_category_id', value: '1' },
      { name: 'name', value: name },
      { name: 'Filedata', fileName: 'x', bytes },
    ])
    return Number(body.asset_file_id)
  }

  async function openFile(id: number, user = 'admin') {
    const visited = await visit(browser, { url: server.url, user })
    await visited.page.goto(`${server.url}/admin/content/file/${id}`)
    return visited
  }

  const save = async (page: Page) => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const download = await coming
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }

  test('with sound is played, and continues when its address expires', async () => {
    const { page, context, faults } = await openFile(await makeFile('one "two".wav', sound()))
    await until(page, "document.querySelector('audio')?.duration === 1")
    await page.evaluate("document.querySelector('audio').currentTime = 0.5")
    const first = await page.evaluate<string>("document.querySelector('audio').src")
    await page.evaluate("document.querySelector('audio').dispatchEvent(new Event('error'))")
    await until(page, "document.querySelector('audio')?.currentTime === 0.5")
    assert.notEqual(await page.evaluate("document.querySelector('audio').src"), first)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('with sound can be played from any position, and only that part is sent', async () => {
    const id = await makeFile('long.wav', sound(1_000))
    const next = await server.upload([
      { name: 'asset_file_id', value: String(id) },
      { name: 'Filedata', fileName: 'x', bytes: sound() },
    ])
    assert.equal(next.status, 200, next.text)
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    const ranges: string[] = []
    page.on('response', (response) => {
      const range = response.headers()['content-range']
      if (response.status() === 206 && range !== undefined) ranges.push(range)
    })
    await page.goto(`${server.url}/admin/content/file/${id}?version=1`)
    await until(page, "document.querySelector('audio')?.duration === 1000")
    await page.evaluate("document.querySelector('audio').currentTime = 900")
    await until(page, "document.querySelector('audio').readyState >= 2")
    const from = ranges.map((range) => Number(/bytes (\d+)-/.exec(range)?.[1]))
    assert.ok(
      from.some((each) => each > 6_000_000 && each <= 7_200_044),
      ranges.join(', '),
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('with a film is shown in its tile, and on its page from any position', async () => {
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content`)
    const id = await makeFile('film.webm', Buffer.from(await film(page), 'base64'))
    await page.reload()
    await page.getByRole('button', { name: 'Tiles' }).click()
    await until(page, "document.querySelector('.tile video')?.videoWidth === 64")
    await page.goto(`${server.url}/admin/content/file/${id}`)
    await until(page, "document.querySelector('.version-player video')?.videoWidth === 64")
    await page.evaluate("document.querySelector('.version-player video').currentTime = 0.2")
    await until(page, "!document.querySelector('.version-player video').seeking")
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('without sound in a file named as sound has no preview', async () => {
    const { page, context } = await openFile(await makeFile('not.mp3', Buffer.from('ID3 no sound')))
    await page.getByText('No preview for this file type').waitFor()
    await context.close()
  })

  test('in PDF is shown by the viewer of the browser, if the browser has a viewer', async () => {
    const id = await makeFile('one.pdf', PDF)
    const { page, context } = await openFile(id)
    // The headless shell has no viewer; the second visit pretends to have a viewer.
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
    assert.equal(await page.locator('iframe.version-pdf').count(), 0)
    await context.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })",
    )
    await page.reload()
    await page.locator('iframe.version-pdf').waitFor()
    assert.match((await page.locator('iframe.version-pdf').getAttribute('src')) ?? '', /^blob:/)
    await context.close()
  })

  test('is saved by the browser under its name, even for users who may only view', async () => {
    const id = await makeFile('größe & "1".svg', IMAGE)
    const { page, context, faults } = await openFile(id)
    await until(page, "document.querySelector('.version-image img')?.naturalWidth === 9")
    assert.deepEqual((await save(page)).bytes, IMAGE)
    assert.deepEqual(faults, [])
    await context.close()

    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'viewer' } })
    await setPassword(server, 'vera')
    await server.call('POST', `/api/v2/asset_file/${id}/publish`)
    const viewer = await openFile(id, 'vera')
    await until(viewer.page, "document.querySelector('.version-image img')?.naturalWidth === 9")
    assert.deepEqual((await save(viewer.page)).bytes, IMAGE)
    assert.deepEqual(viewer.faults, [])
    await viewer.context.close()
  })

  test('of a text is shown in the form of its type, and as it is', async () => {
    const rows = Array.from({ length: 205 }, (_, at) => `"City; ${at}";${at}\r\n`)
    const csv = await makeFile('cities.csv', Buffer.from(`name;people\r\n${rows.join('')}`))
    const { page, context, faults } = await openFile(csv)
    await page.getByRole('cell', { name: 'City; 1', exact: true }).waitFor()
    await page.getByText('Only the first 200 rows are shown.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const show = async (name: string, bytes: string) => {
      const id = await makeFile(name, Buffer.from(bytes))
      await page.goto(`${server.url}/admin/content/file/${id}`)
    }
    const text = page.getByRole('group', { name: 'Text' })
    const ways = page.getByRole('group', { name: 'Show as' })

    await show('broken.csv', 'a,b\n"1')
    await shows(() => text.innerText(), 'a,b\n"1')
    assert.equal(await ways.count(), 0)
    await show('settings.json', '{"big": 12345678901234567890, "list": [1]}')
    await page.getByRole('group', { name: 'settings.json' }).getByText('list').waitFor()
    await ways.getByRole('button', { name: 'Text' }).click()
    await shows(() => text.innerText(), '{"big": 12345678901234567890, "list": [1]}')
    await show('dot.svg', IMAGE.toString())
    await until(page, "document.querySelector('.version-image img')?.naturalWidth === 9")
    await ways.getByRole('button', { name: 'Text' }).click()
    await shows(() => text.innerText(), IMAGE.toString())
    await show('page.md', '# Head\n\n![A dot](dot.svg)\n\n<script>document.title = 1</script>')
    const inner = await previewIn(page)
    await until(inner, "document.querySelector('h1')?.textContent === 'Head'")
    await until(inner, "document.querySelector('img')?.naturalWidth === 9")
    await show('long.txt', 'x'.repeat(1_100_000))
    await page.getByText('Only the first 1 MB of the text is shown.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('without bytes is shown as empty', async () => {
    const { page, context } = await openFile(await makeFile('empty.txt', Buffer.alloc(0)))
    await page.getByText('This version is empty').waitFor()
    await context.close()
  })

  test('that is live opens in a new tab', async () => {
    const id = await makeFile('live.txt', Buffer.from('for all'))
    await server.call('POST', `/api/v2/asset_file/${id}/publish`)
    const { page, context } = await openFile(id)
    const coming = context.waitForEvent('page')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await (await coming).getByText('for all').waitFor()
    await context.close()
  })

  test('of an impossible file number is not requested', async () => {
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    let count = 0
    await context.route('**/api/v2/asset_file/**', (route) => {
      count += 1
      return route.continue()
    })
    for (const path of ['file/x', 'file/x/edit']) {
      await page.goto(`${server.url}/admin/content/${path}`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
    await page.waitForLoadState('networkidle')
    assert.equal(count, 0)
    await context.close()
  })

  for (const stripsPrefix of [false, true]) {
    test(`is shown under a path that a proxy ${stripsPrefix ? 'removes' : 'passes on'}`, async () => {
      const late: { target?: string } = {}
      const target = (): string => late.target ?? ''
      const proxy = await openReverseProxy({ target, prefix: '/cms', stripsPrefix })
      const behind = await startSite({ config: { baseUrl: proxy.url } })
      late.target = behind.url
      const id = await makeFile('dot.svg', IMAGE, behind)
      const { page, context, faults } = await visit(browser, { url: proxy.url, user: 'admin' })
      try {
        await page.goto(`${proxy.url}/admin/content/file/${id}`)
        await until(page, "document.querySelector('.version-image img')?.naturalWidth === 9")
        assert.deepEqual((await save(page)).bytes, IMAGE)
        await page.getByRole('link', { name: 'Edit', exact: true }).click()
        await page.locator('.cm-content').waitFor()
        await page.getByRole('button', { name: 'Preview' }).waitFor()
        const inner = await previewIn(page, `${proxy.url}/admin/preview`)
        await until(inner, "document.querySelector('img')?.naturalWidth === 9")
        assert.deepEqual(faults, [])
      } finally {
        await context.close()
        await behind.close()
        proxy.close()
      }
    })
  }
})
