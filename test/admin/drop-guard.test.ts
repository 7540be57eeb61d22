// Dropping files and links outside of drop zones must not leave the page. The browser performs the drops and
// would navigate to the dropped item unless the page prevents that.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, previewIn, shows, startSite, until, visit } from './area.ts'

describe('a drop', { skip: NO_BROWSER }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-drops-'))
  const file = join(folder, 'dropped.html')
  let server: TestServer
  let browser: Browser
  before(async () => {
    writeFileSync(file, '<title>dropped</title>')
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Dragged {
    readonly files?: readonly string[]
    readonly items?: readonly { readonly mimeType: string; readonly data: string }[]
  }

  /** Drags over the heading first, as if from outside the window, unless `isAtOnce` is set. */
  async function drop(
    page: Page,
    place: Locator,
    dragged: Dragged,
    isAtOnce = false,
    beforeDrop?: () => Promise<void>,
  ): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const data = { items: [...(dragged.items ?? [])], files: [...(dragged.files ?? [])] }
    const send = async (type: 'dragEnter' | 'dragOver' | 'drop', over: Locator): Promise<void> => {
      const box = await over.boundingBox()
      assert.ok(box !== null)
      const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 300)]
      const event = { type, x, y, data: { ...data, dragOperationsMask: 1 } }
      await session.send('Input.dispatchDragEvent', event)
    }
    const first = isAtOnce ? place : page.getByRole('heading', { level: 1 })
    await send('dragEnter', first)
    await send('dragOver', first)
    await send('dragOver', place)
    await send('dragOver', place)
    await beforeDrop?.()
    await send('drop', place)
    await session.detach()
  }

  /** Pages that open from now on. */
  function pagesOf(context: BrowserContext): readonly string[] {
    const opened: string[] = []
    context.on('page', (page) => opened.push(page.url()))
    return opened
  }

  test('anywhere in the window of a folder uploads to the folder, and names it', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context, faults } = visited
    const opened = pagesOf(context)
    await open(visited, server.url, { path: '/content/1', heading: 'Main' })
    const places = [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('navigation').getByRole('link', { name: 'Users' }),
      page.getByRole('searchbox').first(),
    ]
    for (const [at, place] of places.entries()) {
      const path = join(folder, `place-${at}.html`)
      writeFileSync(path, 'x')
      await drop(page, place, { files: [path] }, false, async () => {
        await page.getByText('Drop the files to upload them to Main').waitFor()
      })
      await page.getByRole('link', { name: `place-${at}.html`, exact: true }).waitFor()
      assert.equal(await page.locator('.window-drop').count(), 0)
    }
    // A folder of the tree takes its own drops.
    const tree = page.getByRole('treeitem', { name: 'Modules' })
    await drop(page, tree, { files: [file] }, false, async () => {
      await page.getByText('Drop the files to upload them to Modules').waitFor()
    })
    await page.getByRole('treeitem', { name: 'Modules' }).click()
    await page.getByRole('link', { name: 'dropped.html', exact: true }).waitFor()
    assert.deepEqual([opened, faults], [[], []])
    await context.close()
  })

  test('beside the list, on a heading, a field or the side bar opens nothing', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context, faults } = visited
    const opened = pagesOf(context)
    await open(visited, server.url, { path: '/audit', heading: 'Audit trail' })
    const field = page.getByRole('textbox').or(page.getByRole('searchbox')).first()
    const link = { mimeType: 'text/uri-list', data: `${server.url}/docs` }
    const places = [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('link', { name: 'Users' }),
      field,
    ]
    for (const place of places) {
      await drop(page, place, { files: [file] })
      await page.getByText('Files cannot be dropped here.').waitFor()
      await drop(page, place, { items: [link] })
    }
    // A dropped text changes the field only after the effects of the earlier drops.
    await drop(page, field, { items: [link, { mimeType: 'text/plain', data: 'some text' }] })
    await shows(() => field.inputValue(), 'some text')
    await field.fill('')
    assert.deepEqual(opened, [])
    assert.match(page.url(), /\/admin\/audit(?:\?|$)/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('on a preview does not reach its frame', async () => {
    const { body } = await server.upload([
      { name: 'asset_category_id', value: '1' },
      { name: 'Filedata', fileName: 'page.html', bytes: Buffer.from('<h1>Shown</h1>') },
    ])
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    const opened = pagesOf(context)
    const path = `/content/file/${body.asset_file_id}/edit`
    await open(visited, server.url, { path, heading: 'page.html' })
    const frame = await previewIn(page)
    await until(frame, "document.body.textContent.includes('Shown')")
    await drop(page, page.locator('.preview-frame'), { files: [file] })
    await drop(page, page.locator('.preview-frame'), { files: [file] }, true)
    await page.evaluate(`fetch('${server.url}/health')`)
    assert.equal(await frame.evaluate('document.body.textContent.includes("Shown")'), true)
    assert.deepEqual(opened, [])
    assert.match(page.url(), /\/admin\/content\/file\/\d+\/edit$/)
    await context.close()
  })
})
