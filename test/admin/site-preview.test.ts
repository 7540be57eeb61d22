// The preview of the staged site in a real browser: the frame of the area shows the host of the site.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { freePort } from '../helpers/nginx.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, openTab, startSite, until, visit, type Visit } from './area.ts'

const PAGE = `<link rel="stylesheet" href="/style.css"><h1>staged home</h1>
<a href="/news/hello.html">to the news</a> <a href="rest.html">beside it</a>
<p id="fetched"></p><p id="module"></p><p id="area"></p>
<script type="module">
  import { word } from '/words.js'
  document.querySelector('#module').textContent = word
  document.querySelector('#fetched').textContent = await (await fetch('/data.txt')).text()
  try { document.querySelector('#area').textContent = parent.document.title }
  catch { document.querySelector('#area').textContent = 'refused' }
</script>`

describe('the preview on the site', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let site: string
  let root: number
  let home: any
  before(async () => {
    const port = await freePort()
    site = `http://site.localhost:${port}`
    server = await startSite({
      config: { port, sites: [{ origin: site, folder: '/Main/website' }] },
    })
    root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
    const { asset_category_id: news } = await makeFolder(server, {
      name: 'news',
      parent_category_id: root,
    })
    home = await save('index.html', 'live home', 'publish')
    await server.call('POST', `/api/v2/asset_file/${home.asset_file_id}`, {
      json: { pageContent: PAGE, fileState: 'stage' },
    })
    await save('hello.html', '<h1>staged news</h1><a href="/">home</a>', 'stage', news)
    await save('rest.html', '<h1>the rest</h1>', 'publish')
    await save('style.css', 'h1 { color: rgb(1, 2, 3) }', 'stage')
    await save('words.js', "export const word = 'from a module'", 'stage')
    await save('data.txt', 'live data', 'publish')
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server.close()
  })

  function save(name: string, pageContent: string, fileState?: string, folder = root) {
    const type = name.split('.').at(-1)
    return makeFile(server, { name, type, pageContent, fileState, parent_category_id: folder })
  }

  async function openFile(id: number, heading: string): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    await visited.page.goto(`${server.url}/admin/content/file/${id}`)
    await visited.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    return visited
  }

  /** The frame when it shows this text. */
  async function frameWith(page: Page, text: string): Promise<Frame> {
    await page.frameLocator('.preview-frame').getByText(text, { exact: true }).waitFor()
    const frame = await (await page.waitForSelector('.preview-frame')).contentFrame()
    assert.ok(frame)
    return frame
  }

  /** Playwright does not know where a scaled frame of another host shows an element. */
  async function clickScaled(page: Page, frame: Frame, selector: string): Promise<void> {
    const at = await frame.evaluate<{ x: number; y: number }>(
      `(({ x, y }) => ({ x: x + 5, y: y + 5 }))(document.querySelector('${selector}').getBoundingClientRect())`,
    )
    const box = await page.locator('.preview-frame').boundingBox()
    const width = await frame.evaluate<number>('innerWidth')
    assert.ok(box)
    const scale = box.width / width
    await page.mouse.click(box.x + at.x * scale, box.y + at.y * scale)
  }

  const notOfSite = (faults: readonly string[]): readonly string[] =>
    faults.filter((fault) => !fault.startsWith(`request to ${site}/~preview/`))

  test('shows the staged page with styles, scripts and links at three widths, apart from the area', async () => {
    const { page, context, faults } = await openFile(home.asset_file_id, 'index.html')
    await page.getByRole('link', { name: 'View staged version' }).click()
    const frame = await frameWith(page, 'staged home')
    await until(frame, "document.querySelector('#fetched').textContent === 'live data'")
    await until(frame, "document.querySelector('#module').textContent === 'from a module'")
    await until(frame, "document.querySelector('#area').textContent === 'refused'")
    const color = "getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)'"
    await until(frame, color)

    for (const [name, fact] of [
      ['Phone', 'innerWidth === 390'],
      ['Tablet', 'innerWidth === 820'],
      ['Desktop', 'innerWidth >= 1280'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      await until(frame, fact)
    }

    await clickScaled(page, frame, 'a')
    await frameWith(page, 'staged news')
    await page.getByRole('button', { name: 'Phone', exact: true }).click()
    await page.frameLocator('.preview-frame').getByRole('link', { name: 'home' }).click()
    await frameWith(page, 'staged home')
    await page.frameLocator('.preview-frame').getByRole('link', { name: 'beside it' }).click()
    await frameWith(page, 'the rest')

    await page.setViewportSize({ width: 360, height: 700 })
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])

    const tab = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open in a new tab' }).click()
    const opened = await tab
    await opened.getByRole('heading', { name: 'staged home' }).waitFor()
    assert.ok(opened.url().startsWith(`${site}/~preview/`))
    assert.deepEqual(await context.cookies(site), [])
    // The module itself asked for a path of the site.
    const others = notOfSite(faults).filter((fault) => !fault.startsWith(`request to ${site}/`))
    assert.deepEqual(others, [])
    await context.close()
  })

  test('reloads after a save, also in another tab', async () => {
    const file = await save('reload.html', '<p>first</p>', 'stage')
    const { page, context } = await openFile(file.asset_file_id, 'reload.html')
    await page.getByRole('link', { name: 'View staged version' }).click()
    await frameWith(page, 'first')

    const { page: editor } = await openTab(context, server.url)
    await editor.setViewportSize({ width: 1_280, height: 800 })
    await editor.goto(`${server.url}/admin/content/file/${file.asset_file_id}/edit`)
    await editor.getByRole('button', { name: 'On the website' }).click()
    await frameWith(editor, 'first')
    await editor.locator('.cm-content').click()
    await editor.keyboard.press('Control+a')
    await editor.keyboard.insertText('<p>second</p>')
    await editor.getByRole('button', { name: 'More save options' }).click()
    await editor.getByRole('menuitem', { name: 'Save and stage' }).click()
    await frameWith(editor, 'second')
    await frameWith(page, 'second')
    await context.close()
  })

  async function checkLooks(page: Page): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await axeFaults(page), [])
    }
    assert.equal(await isTooWide(page), false)
  }

  test('is shared by a link that needs no account', async () => {
    const viewport = { width: 360, height: 700 }
    const { page, context } = await visit(browser, { url: server.url, user: 'admin', viewport })
    await page.goto(`${server.url}/admin/content/file/${home.asset_file_id}/preview`)
    await page.getByRole('button', { name: 'Share preview' }).click()
    await page.getByLabel('Valid for').selectOption('30 days')
    await checkLooks(page)
    await page.getByLabel('Note').fill('for the agency')
    await page.getByRole('button', { name: 'Create link' }).click()
    const shared = page.getByRole('dialog', { name: 'Share preview' })
    const link = await shared.getByRole('group', { name: 'Preview link' }).innerText()
    await checkLooks(page)
    await shared.getByRole('button', { name: 'Done' }).click()
    const { page: stranger, context: other } = await visit(browser, { url: server.url })
    await stranger.goto(link)
    await stranger.getByRole('heading', { name: 'staged home' }).waitFor()
    await page.goto(`${server.url}/admin/profile`)
    await page.getByText('index.html: for the agency').waitFor()
    await page.getByRole('button', { name: 'Revoke all links' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all links' }).click()
    await page.getByText('There are no links.').waitFor()
    await stranger.reload()
    await stranger.getByText('This preview has ended').waitFor()
    await other.close()
    await context.close()
  })

  test('explains why a file has no page on the site', async () => {
    const draft = await save('draft.html', '<p>draft</p>')
    const { page, context } = await openFile(draft.asset_file_id, 'draft.html')
    assert.equal(await page.getByRole('link', { name: 'View staged version' }).count(), 0)
    await page.goto(`${server.url}/admin/content/file/${draft.asset_file_id}/preview`)
    await page.getByText('No version of this file is staged or live').waitFor()

    const other = await makeFolder(server, { name: 'other', public: true })
    const page_ = await save('a.html', '<p>a</p>', 'stage', other.asset_category_id)
    await page.goto(`${server.url}/admin/content/file/${page_.asset_file_id}/preview`)
    // The sandboxed preview.
    await page.frameLocator('.preview-frame').getByText('a', { exact: true }).waitFor()
    await context.close()
  })

  test('is left by View, which opens the page for visitors, and Copy address copies its address', async () => {
    const { page, context } = await openFile(home.asset_file_id, 'index.html')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const tab = context.waitForEvent('page')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const opened = await tab
    await opened.getByText('live home').waitFor()
    assert.equal(opened.url(), `${site}/`)
    await opened.close()

    const copied = async (): Promise<unknown> => {
      await page.getByRole('button', { name: 'Actions for this file' }).click()
      await page.getByRole('menuitem', { name: 'Copy address' }).click()
      await page.locator('.toast').getByText('Address copied.').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      return page.evaluate<string>(`navigator.clipboard.readText()`)
    }
    assert.equal(await copied(), `${site}/`)
    const elsewhere = await makeFile(server, {
      name: 'b.md',
      type: 'md',
      pageContent: '# Title',
      fileState: 'publish',
    })
    await page.goto(`${server.url}/admin/content/file/${elsewhere.asset_file_id}`)
    await page.getByRole('heading', { level: 1, name: 'b.md' }).waitFor()
    assert.equal(await copied(), `${server.url}${elsewhere.url}`)
    const second = context.waitForEvent('page')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const preview = (await second).frameLocator('.preview-frame')
    await preview.getByRole('heading', { name: 'Title' }).waitFor()
    await context.close()
  })
})
