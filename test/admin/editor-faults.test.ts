// Faults that the editor marks; long, hostile and legacy texts; and use with only the keyboard.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, previewIn, shows, startSite, until, visit } from './area.ts'

/**
 * The browser's messages about what it blocked. It reports event handlers while it parses a text,
 * before they are removed.
 */
const REFUSED =
  /^(?:Setting the document's base URI|Blocked form submission|Executing inline event handler violates)/
const isNoRefusal = (fault: string): boolean => !REFUSED.test(fault)

describe('the editor', { skip: NO_BROWSER }, () => {
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

  async function makeFile(name: string, bytes: string | Uint8Array): Promise<number> {
    const { body } = await server.upload([
      { name: 'asset_category_id', value: '1' },
      { name: 'name', value: name },
      { name: 'Filedata', fileName: 'x', bytes: Buffer.from(bytes) },
    ])
    return Number(body.asset_file_id)
  }

  const read = async (id: number): Promise<any> =>
    (await server.call('GET', `/api/v2/asset_file/${id}`)).body

  async function openEditor(id: number, width = 1_280) {
    const viewport = { width, height: 800 }
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    await visited.page.goto(`${server.url}/admin/content/file/${id}/edit`)
    await visited.page.locator('.cm-content').waitFor()
    return visited
  }

  async function typeAt(page: Page, place: 'Home' | 'End', text: string): Promise<void> {
    await page.locator('.cm-content').focus()
    await page.keyboard.press(`Control+${place}`)
    await page.keyboard.insertText(text)
  }

  test('a fault of STML is shown with line and column while typing, and a click leads there', async () => {
    const id = await makeFile('page.stml', '<div id="dd.0">\n  <p>Hello</p>\n</div>')
    const { page, context, faults } = await openEditor(id)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    for (let count = 0; count < 4; count += 1) await page.keyboard.press('Backspace')
    const fault = page.getByRole('button', { name: '3:1 </div> does not close <p> on line 2.' })
    await fault.waitFor()
    await shows(() => page.locator('.cm-lint-marker-error').count(), 1)
    await shows(() => page.locator('.cm-lintRange-error').first().innerText(), '</div')
    await fault.click()
    await shows(() => page.locator('.cm-activeLine').innerText(), '</div>')
    // A rejected save shows a message that stays, and stores nothing.
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').getByText('does not close').waitFor()
    assert.equal((await read(id)).version, 1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await page.keyboard.insertText('!</p>')
    await fault.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a fault of JSON is found in the browser', async () => {
    const id = await makeFile('data.json', '{"a": 1}')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', ',')
    await page.locator('.fault').getByText('1:9').waitFor()
    await page.keyboard.press('Backspace')
    await page.locator('.fault').waitFor({ state: 'detached' })
    await context.close()
  })

  for (const width of [1_280, 360])
    test(`an address that leads nowhere is marked, and listed before publishing, ${width} px wide`, async () => {
      const name = `target-${width}.html`
      const id = await makeFile(`from-${width}.html`, '<p>Start</p>')
      const { page, context, faults } = await openEditor(id, width)
      await typeAt(page, 'End', `<a href="${name}">to</a>`)
      const text = `There is nothing at the address ${name}.`
      await page.getByRole('button', { name: `1:22 ${text}` }).click()
      await shows(() => page.locator('.cm-lintRange-warning').first().innerText(), name)
      await page.locator('.cm-lintRange-warning').first().hover()
      await page.locator('.cm-tooltip-lint').getByText(text).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)

      const publish = async (): Promise<void> => {
        await page.getByRole('button', { name: 'More save options' }).click()
        await page.getByRole('menuitem', { name: 'Save and publish' }).click()
      }
      await publish()
      const question = page.getByRole('dialog')
      await question.getByText(text).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.equal((await read(id)).live_version, null)
      await makeFile(name, '')
      await publish()
      await question.getByText(`${name} is not published.`).waitFor()
      await question.getByRole('button', { name: 'Publish anyway' }).click()
      await page.getByText('Version 2 is live.').waitFor()
      assert.deepEqual(faults, [])
      await context.close()
    })

  test('a hostile name and a hostile page run no code, not even in the preview', async () => {
    const name = `<img src=x onerror=alert(1)>${'x'.repeat(180)}.html`
    const hostile =
      '<!doctype html><html><head><meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">' +
      '<script>parent.postMessage("run","*");document.title="run"</script></head>' +
      '<body onload="document.title=\'run\'"><h1>Shown</h1><img src="x" onerror="document.title=\'run\'">' +
      '<iframe srcdoc="<script>top.document.title=1</script>"></iframe><a href="javascript:document.title=\'run\'">press</a>\u202e' +
      '<svg><script>document.title="run"</script><a xlink:href="javascript:1"><text y="9">s</text></a></svg>' +
      '<form action="https://evil.example/"><button>send</button></form><script src="/admin/assets/x.js"></script></body></html>'
    const id = await makeFile(name, hostile)
    const { page, context, faults } = await openEditor(id)
    const frame = page.frameLocator('.preview-frame')
    await frame.getByRole('heading', { name: 'Shown' }).waitFor()
    // In a frame that is not scaled down, a click reaches the point where the element is visible.
    await page.getByRole('button', { name: 'Phone' }).click()
    await frame.getByRole('link', { name: 'press' }).click()
    await frame.getByRole('button', { name: 'send' }).click()
    assert.equal(await frame.locator('script, iframe, base, meta, [onload], [onerror]').count(), 0)
    const inner = await previewIn(page)
    assert.notEqual(await inner.title(), 'run')
    const reach = (what: string): Promise<string> =>
      inner.evaluate<string>(
        `(() => { try { return String(${what}) } catch (e) { return e.name } })()`,
      )
    assert.equal(await reach('origin'), 'null')
    for (const what of [
      'document.cookie',
      'localStorage',
      'indexedDB.open("x")',
      'parent.document',
    ])
      assert.equal(await reach(what), 'SecurityError', what)
    assert.deepEqual(faults.filter(isNoRefusal), [])
    await context.close()
    const narrow = await openEditor(id, 360)
    assert.equal(await isTooWide(narrow.page), false)
    await narrow.context.close()
  })

  test('Markdown is shown as a page beside the text and runs no code', async () => {
    const id = await makeFile('read.md', '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
    await makeFile('mark.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const { page, context, faults } = await openEditor(id)
    const frame = page.frameLocator('.preview-frame')
    await frame.getByRole('heading', { level: 1, name: 'Title' }).waitFor()
    await frame.getByRole('cell', { name: '2' }).waitFor()
    const hostile = [
      '<script>document.title="run"</script>',
      '<img src=x onerror="document.title=\'run\'">',
      '[press](javascript:document.title="run")',
      '<iframe srcdoc="<script>top.document.title=1</script>"></iframe>',
      '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
      '![remote](https://evil.example/x.png)',
      '![mark](mark.svg)',
      `${'>'.repeat(5_000)} deep`,
      ...Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth * 2)}- list`),
      '## The end',
    ]
    await typeAt(page, 'End', `\n\n${hostile.join('\n\n')}\n`)
    const inner = await previewIn(page)
    await until(inner, "document.querySelector('img[alt=mark]')?.naturalWidth === 9")
    assert.equal(await frame.locator('script, iframe, meta, [onerror]').count(), 0)
    assert.notEqual(await inner.title(), 'run')
    assert.equal(await frame.getByRole('link').count(), 0)
    assert.deepEqual(faults.filter(isNoRefusal), [])
    await context.close()
  })

  test('the preview shows the typed text with images and style sheets of its folder', async () => {
    await makeFile('look.css', 'h1 { color: rgb(1, 2, 3); }')
    const image = await makeFile(
      'dot.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    )
    const id = await makeFile('shown.html', '<link rel="stylesheet" href="look.css"><h1>Old</h1>')
    const { page, context, faults } = await openEditor(id)
    const frame = page.frameLocator('.preview-frame')
    await typeAt(page, 'End', `<h2>New</h2><img alt="dot" src="/file/${image}/dot.svg">`)
    await frame.getByRole('heading', { name: 'New' }).waitFor()
    const inner = await previewIn(page)
    for (const fact of [
      "getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)'",
      "document.querySelector('img').naturalWidth === 9",
    ])
      await until(inner, fact)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('everything works by the keyboard, and Tab leaves the editor', async () => {
    const id = await makeFile('keys.html', '<p>one</p>')
    const { page, context } = await openEditor(id)
    await page.goto(`${server.url}/admin/content/file/${id}`)
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Text of keys.html' }).waitFor()
    const label = (): Promise<string | null> =>
      page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label') ?? null")
    for (let count = 0; count < 30 && (await label()) !== 'Text of keys.html'; count += 1)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+f')
    await page.keyboard.insertText('one')
    await page.keyboard.press('Escape')
    await shows(() => label(), 'Text of keys.html')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.notEqual(await label(), 'Text of keys.html')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, '  <p>one</p>')
    await context.close()
  })

  test('line endings stay unchanged', async () => {
    const id = await makeFile('old.txt', '\uFEFFone\r\ntwo\r\n')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', 'three\n')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, '\uFEFFone\r\ntwo\r\nthree\r\n')
    const mixed = await makeFile('mixed.txt', 'one\r\ntwo\nthree\n')
    await page.goto(`${server.url}/admin/content/file/${mixed}/edit`)
    await page.getByText('This file mixes different line endings.').waitFor()
    await context.close()
  })

  test('a file that is not UTF-8 is not opened', async () => {
    const id = await makeFile('latin.txt', Uint8Array.of(0x66, 0xfc, 0x72, 0x0a))
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/file/${id}/edit`)
    await page.getByText('This file cannot be edited here').waitFor()
    await context.close()
  })

  test('a text of a megabyte can be typed, survives a reload and is saved', async () => {
    const line = '<p>A line of some length, as there are many of them in a long page.</p>\n'
    const text = line.repeat(Math.ceil(1_048_576 / line.length))
    const id = await makeFile('long.html', text)
    const { page, context } = await openEditor(id)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('The end of it.')
    await page.getByRole('status').getByText('Draft kept', { exact: true }).waitFor()
    await page.reload()
    await page.getByText(/^Draft from/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, `${text}The end of it.`)
    await page.reload()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await context.close()
  })

  test('a browser without storage warns that drafts are not kept', async () => {
    const id = await makeFile('lost.txt', 'one\n')
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    await page.addInitScript(
      "Storage.prototype.setItem = () => { throw new Error('full') }; IDBFactory.prototype.open = () => { throw new Error('full') }",
    )
    await page.goto(`${server.url}/admin/content/file/${id}/edit`)
    await page.locator('.cm-content').waitFor()
    await typeAt(page, 'End', 'two\n')
    await page.getByText('This browser cannot keep a draft of this text').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal(await page.getByText('This browser cannot keep').count(), 0)
    await context.close()
  })
})
