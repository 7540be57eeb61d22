// Files and folders in the administration area. Each story ends with the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, setPassword, shows, startSite, visit } from './area.ts'
import { addDemoContent } from './demo-content.ts'

describe('content', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let ids: Readonly<Record<string, number>>
  before(async () => {
    server = await startSite()
    ids = await addDemoContent(server)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function openFolder(folder: string, user = 'admin') {
    const visited = await visit(browser, { url: server.url, user })
    const { page } = visited
    await page.goto(`${server.url}/admin/content/${ids[folder] ?? 1}`)
    await page.getByRole('heading', { level: 1, name: folder, exact: true }).waitFor()
    return visited
  }

  async function file(name: string): Promise<any> {
    return (await server.call('GET', `/api/v2/asset_file/${ids[name] ?? 0}`)).body
  }

  /** All names in a folder, in order. */
  async function namesIn(folderId: number): Promise<readonly string[]> {
    const qry = JSON.stringify({ parent_category_id: folderId })
    const path = `/api/v2/asset_file?qry=${encodeURIComponent(qry)}&orderStr=name`
    const { body } = await server.call('GET', path)
    return body.asset_file.map(({ name }: { readonly name: string }) => name)
  }

  const select = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

  test('selected files can be published and unpublished', async () => {
    const { page, context, faults } = await openFolder('Images')
    await select(page, 'room-3.svg').click()
    await select(page, 'room-4.svg').click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('2 files published.').waitFor()
    assert.equal((await file('room-3.svg')).live_version, 1)
    assert.equal((await file('room-4.svg')).live_version, 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 2 files.').waitFor()
    for (const name of ['room-3.svg', 'room-4.svg']) {
      const { state, live_version, staged_version, fileState } = await file(name)
      assert.deepEqual(
        [state, live_version, staged_version, fileState],
        ['draft', null, null, null],
      )
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  for (const width of [1280, 1024, 360])
    test(`folders stand before the files, with their numbers, ${width} px wide`, async () => {
      const { page, context, faults } = await openFolder('Website')
      await page.setViewportSize({ width, height: 800 })
      const rows = page.getByRole('row')
      await page.getByText('5 files', { exact: true }).waitFor()
      await page.getByText('3 folders, 1 file', { exact: true }).waitFor()
      const names = await rows.getByRole('link').filter({ hasText: /[a-z]/ }).allInnerTexts()
      assert.deepEqual(names.slice(0, 3), ['Images', 'Press', 'about.html'])
      if (width > 360) await page.getByRole('button', { name: 'Modified' }).click()
      const menu = page.getByRole('button', { name: 'Actions for Images' })
      const { x = 0, width: across = 0 } = (await menu.boundingBox()) ?? {}
      assert.ok(x + across <= width, 'the menu is in the window')
      assert.equal(await isTooWide(page), false)
      await menu.click()
      const items = await page.getByRole('menuitem').allInnerTexts()
      assert.deepEqual(items.slice(0, 5), ['Open', 'Rename', 'Move', 'Copy', 'Publish all'])
      assert.equal(items.at(-1), 'Delete')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Tiles' }).click()
      const tiles = page.getByRole('list', { name: 'Folders' })
      await tiles.getByRole('link', { name: 'Press' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Press' }).waitFor()
      await tiles.getByRole('link', { name: '2024' }).waitFor()
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('26')
      await tiles.getByRole('link', { name: '2024' }).waitFor({ state: 'detached' })
      assert.equal(await page.getByText('No files here yet').count(), 0)
      assert.deepEqual(faults, [])
      await context.close()
    })

  test('a folder row renames, and takes files that are dropped on it', async () => {
    const { page, context } = await openFolder('Website')
    const link = page.getByRole('row').getByRole('link', { name: 'Images' })
    await link.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Pictures')
    await page.keyboard.press('Enter')
    await page.getByRole('row').getByRole('link', { name: 'Pictures' }).waitFor()
    const source = page.getByRole('link', { name: 'site.css', exact: true })
    await source.dragTo(page.getByRole('row').getByRole('link', { name: 'Pictures' }))
    await page.getByText('1 file moved.').waitFor()
    assert.equal((await file('site.css')).parent_category_id, ids['Images'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 1 file.').waitFor()
    const path = `/api/v2/asset_category/${ids['Images'] ?? 0}`
    await server.call('PATCH', path, { json: { name: 'Images' } })
    await context.close()
  })

  test('a published file offers its page, its address and the way back to the state before', async () => {
    const { page, context } = await openFolder('Images')
    const path = `/api/v2/asset_file/${ids['room-3.svg'] ?? 0}`
    await server.call('POST', path, { json: { publish_at: '2099-01-01T00:00:00Z' } })
    const { date_modified: _, ...before } = await file('room-3.svg')
    const publish = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for room-3.svg' }).click()
      await page.getByRole('menuitem', { name: 'Publish', exact: true }).click()
      await page.getByText('room-3.svg is live.').waitFor()
    }
    await publish()
    const toast = page.locator('.toast')
    const buttons = await toast.getByRole('button').allInnerTexts()
    assert.deepEqual(
      buttons.filter((text) => text !== ''),
      ['View page', 'Copy address', 'Undo'],
    )
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 1 file.').waitFor()
    const { date_modified: __, ...restored } = await file('room-3.svg')
    assert.deepEqual(restored, before)

    await publish()
    await server.call('POST', path, { json: { title: 'changed by somebody else' } })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await toast.getByText('Somebody else changed this in the meantime.').waitFor()
    assert.equal((await file('room-3.svg')).live_version, 1)
    await context.close()
  })

  test('files can be moved with the picker and moved back', async () => {
    const { page, context } = await openFolder('Website')
    await page.getByRole('button', { name: 'Actions for site.css' }).click()
    await page.getByRole('menuitem', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox', { name: 'Find a folder' }).fill('PRES')
    await dialog.getByRole('button', { name: /^Press/ }).click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await page.getByText('1 file moved.').waitFor()
    assert.equal((await file('site.css')).parent_category_id, ids['Press'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 1 file.').waitFor()
    assert.equal((await file('site.css')).parent_category_id, ids['Website'])
    await context.close()
  })

  test('the menu of a file has one order, and copies the URL', async () => {
    const { page, context } = await openFolder('Website')
    await page.getByRole('button', { name: 'Actions for index.html' }).click()
    const expected = [
      ...['Edit', 'View', 'View staged version', 'Download', 'Copy address'],
      ...['Replace', 'Duplicate', 'Move', 'Rename', 'Details'],
      ...['Publish', 'Stage', 'Schedule', 'Unpublish', 'Unstage', 'Delete'],
    ]
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), expected)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('menuitem', { name: 'Copy address' }).click()
    await page.getByText('Address copied.').waitFor()
    const { url } = await file('index.html')
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${server.url}${url}`)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Actions for index.html' }).click()
    await page.getByRole('menuitem', { name: 'Download' }).click()
    assert.equal((await saved).suggestedFilename(), 'index.html')
    await context.close()
  })

  test('all files below a folder are published after their number was shown', async () => {
    const { page, context } = await openFolder('Press')
    const post = async (path: string, json: object) =>
      (await server.call('POST', `/api/v2/${path}`, { json })).body
    const parent_category_id = ids['2026']
    for (const name of ['one.html', 'two.html'])
      await post('asset_file', { name, type: 'html', pageContent: 'x', parent_category_id })
    const statesAfter = async (text: string): Promise<unknown> => {
      await page.getByText(text).waitFor()
      const qry = encodeURIComponent(JSON.stringify({ parent_category_id }))
      const { body } = await server.call('GET', `/api/v2/asset_file?qry=${qry}`)
      return body.asset_file.map(({ state }: any) => state)
    }
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Publish all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^The latest version of 3 files in Press and its subfolders/).waitFor()
    await dialog.getByRole('button', { name: 'Publish 3 files' }).click()
    // One of the pages has a link to a page that does not exist.
    await dialog.getByText('programme.md: contact.html').waitFor()
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    assert.deepEqual(await statesAfter('3 files published.'), ['published', 'published'])
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await statesAfter('Undone for 3 files.'), ['draft', 'draft'])
    await context.close()
  })

  test('a file that fails is named, and the others continue', async () => {
    const { page, context } = await openFolder('Images')
    await page.getByRole('link', { name: 'room-1.svg', exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    const gone = await server.upload([
      { name: 'asset_category_id', value: String(ids['2024']) },
      { name: 'Filedata', fileName: 'opening.mp3', bytes: Buffer.from('x') },
    ])
    assert.equal(gone.status, 201)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill('2024')
    await dialog.getByRole('button', { name: /^2024/ }).click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await page.getByText('1 file failed:').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'opening.mp3' }).waitFor()
    assert.deepEqual(await namesIn(ids['Images'] ?? 0), ['opening.mp3'])
    // The dialog's own button, not the button of the toast, which is inside the open dialog.
    await dialog.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 4 files.').waitFor()
    assert.equal((await namesIn(ids['Images'] ?? 0)).length, 5)
    await context.close()
  })

  test('a folder can be created, renamed, and deleted with its contents after its name was typed', async () => {
    const { page, context } = await openFolder('Newsletter')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Spring')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New file' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('first.html')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'first.html' }).waitFor()
    await page.getByRole('link', { name: 'Spring' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor()
    await page.getByRole('treeitem', { name: 'Spring', selected: true }).waitFor()
    await page.getByRole('tree').focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Summer')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Summer' }).waitFor()
    await page.getByRole('treeitem', { name: 'Summer' }).waitFor()

    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('1 file', { exact: true }).waitFor()
    await page.getByText('Deleted items stay in the trash for 30 days.').waitFor()
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('heading', { level: 1, name: 'Newsletter' }).waitFor()
    const found = async (): Promise<unknown> =>
      (await server.call('GET', '/api/v2/asset_category?table_filter=Summer')).body.asset_category
    assert.deepEqual(await found(), [])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Summer' }).waitFor()
    await page.getByRole('link', { name: 'first.html', exact: true }).waitFor()
    // An empty folder is deleted without a question.
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Empty')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Empty' }).waitFor()
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('The folder Empty was deleted.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Summer' }).waitFor()
    await context.close()
  })

  test('the tree works by the keyboard and stays open over a reload', async () => {
    const { page, context } = await openFolder('Website')
    await page.getByRole('treeitem', { name: 'Press' }).waitFor()
    await page.getByRole('tree').focus()
    for (const key of ['ArrowDown', 'p', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('treeitem', { name: '2025' }).waitFor()
    for (const key of ['ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: '2025' }).waitFor()
    await page.reload()
    const item = page.getByRole('treeitem', { name: '2025' })
    await item.waitFor()
    await shows(() => item.getAttribute('aria-selected'), 'true')
    await shows(() => item.getAttribute('aria-level'), '4')
    await context.close()
  })

  test('search, state and sort run on the server and are part of the address', async () => {
    const { page, context } = await openFolder('Website')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Published · newer changes')
    await page.getByRole('link', { name: 'about.html' }).waitFor({ state: 'detached' })
    const shown = (name: string) => page.getByRole('link', { name, exact: true }).count()
    await page.getByRole('link', { name: 'index.html' }).waitFor()
    assert.equal(await shown('contact.html'), 0)
    await page.reload()
    await page.getByRole('link', { name: 'index.html' }).waitFor()
    assert.equal(await shown('about.html'), 0)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status')
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('ROOM-')
    await page.getByText('No files found').waitFor()
    await page.getByRole('button', { name: 'In all folders' }).click()
    await page.getByRole('link', { name: 'room-4.svg' }).waitFor()
    await context.close()
  })

  test('the filter by status uses the words of the badges', async () => {
    const { page, context } = await openFolder('Website')
    const status = page.getByRole('combobox', { name: 'Status' })
    for (const [choice, badges] of [
      ['Staged', /^Staged$/],
      ['Draft', /^Draft(,Draft)+$/],
      ['Draft or staged', /^Staged(,Draft)+$/],
      ['Published', /^Published[^,]*(,Published[^,]*)+$/],
      [
        'Published · newer changes',
        /^Published · \d newer changes?(,Published · \d newer changes?)*$/,
      ],
    ] as const) {
      await status.selectOption(choice)
      await shows(() => page.locator('tbody .badge').allTextContents().then(String), badges)
    }
    await context.close()
  })

  test('keys open the live, the staged and the latest version', async () => {
    const { page, context } = await openFolder('Website')
    for (const [key, version] of [
      ['l', 2],
      ['s', 3],
      ['v', 4],
    ] as const) {
      await select(page, 'index.html').focus()
      await page.keyboard.press(key)
      await page.getByRole('heading', { name: `Version ${version}`, exact: true }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor()
    }
    await context.close()
  })

  test('a user who may only view sees no controls for changes', async () => {
    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'viewer' } })
    await setPassword(server, 'vera')
    const { page, context } = await openFolder('Website', 'vera')
    await page.getByRole('button', { name: 'Actions for index.html' }).click()
    const items = await page.getByRole('menuitem').allInnerTexts()
    assert.deepEqual(items, ['View', 'Download', 'Copy address', 'Details'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    assert.equal(await page.getByRole('menuitem').count(), 1)
    await page.getByRole('menuitem', { name: /changes since/i }).waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['New', 'Upload'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await context.close()
  })

  test('hostile names are text', async () => {
    const name = `<img src=x onerror=alert(1)>${'x'.repeat(180)}`
    const { body } = await server.call('POST', '/api/v2/asset_category', {
      json: { name: '<script>alert(1)</script>'.replace('/', ''), parent_category_id: 1 },
    })
    const send = (fileName: string) =>
      server.upload([
        { name: 'asset_category_id', value: String(body.asset_category_id) },
        { name: 'name', value: fileName },
        { name: 'Filedata', fileName: 'x', bytes: Buffer.from('x') },
      ])
    assert.equal((await send(name)).status, 201)
    // Names must not contain characters that reverse the direction of the surrounding text.
    assert.equal((await send(`\u202Egpj.${name}`)).status, 422)
    const viewport = { width: 360, height: 700 }
    const { page, context, faults } = await visit(browser, {
      url: server.url,
      user: 'admin',
      viewport,
    })
    await page.goto(`${server.url}/admin/content/${body.asset_category_id}`)
    await page.getByRole('heading', { level: 1, name: '<script>' }).waitFor()
    await page.getByRole('link', { name, exact: true }).waitFor()
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    assert.equal(await page.evaluate(isWide), false)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
