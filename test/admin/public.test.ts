// Public folders and modules in a real browser. Each story ends with what a reader without a key gets.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import type { Answer, TestServer } from '../helpers/server.ts'
import { setPassword, startSite, visit, type Visit } from './area.ts'

describe('public access', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'stan', role: 'stager' })
    await setPassword(server, 'stan')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** Reads as a reader without a key. */
  const read = (path: string): Promise<Answer> => server.call('GET', path, { key: null })

  async function openAt(path: string, heading: string, user = 'admin'): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user })
    await visited.page.goto(`${server.url}/admin${path}`)
    await visited.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    return visited
  }

  const markIn = (page: Page) => page.locator('.page-heading').getByRole('img', { name: 'Public' })

  async function choose(page: Page, menu: string, item: string) {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    return page.getByRole('dialog')
  }

  const openFolderDialog = (page: Page) => choose(page, 'Actions for this folder', 'Public access')

  async function makeFolder(name: string) {
    const above = await make(server, 'asset_category', { name, parent_category_id: 1 })
    const below = await make(server, 'asset_category', {
      name: `${name} below`,
      parent_category_id: above.asset_category_id,
    })
    const file = await make(server, 'asset_file', {
      name: 'a.html',
      type: 'html',
      pageContent: '<p>for everybody</p>',
      fileState: 'publish',
      parent_category_id: below.asset_category_id,
    })
    return { id: above.asset_category_id, belowId: below.asset_category_id, url: file.url }
  }

  test('a folder stays closed if the publish that would open it is canceled', async () => {
    const { id, belowId, url } = await makeFolder('Closed')
    await make(server, 'asset_file', {
      name: 'b.html',
      type: 'html',
      pageContent: '<a href="nowhere.html">x</a>',
      parent_category_id: belowId,
    })
    const { page, context } = await openAt(`/content/${id}`, 'Closed')
    const dialog = await choose(page, 'Actions for this folder', 'Publish all')
    await dialog.getByLabel('Make this folder public').check()
    await dialog.getByRole('button', { name: 'Publish 1 file' }).click()
    await page.getByText('nowhere.html').waitFor()
    const closed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await closed
    const { body } = await server.call('GET', `/api/v2/asset_category/${id}`)
    assert.deepEqual([body.public, (await read(url)).status], [null, 401])
    await context.close()
  })

  test('a folder is made public with those below, is marked, and is closed again', async () => {
    const { id, belowId, url } = await makeFolder('Press')
    assert.equal((await read(url)).status, 401)
    const { page, faults, context } = await openAt(`/content/${belowId}`, 'Press below')
    await page.getByRole('treeitem', { name: 'Press', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Press', exact: true }).waitFor()
    assert.equal(await markIn(page).count(), 0)
    const dialog = await openFolderDialog(page)
    await dialog.getByText('Only users and keys with access').waitFor()
    await dialog.getByLabel('Public access').selectOption('Public')
    await dialog.getByText(/^Anyone can read the published files of this folder/).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Press is public.').waitFor()
    await markIn(page).waitFor()
    await page.getByRole('treeitem', { name: 'Press, Public', exact: true }).waitFor()
    await page.getByRole('treeitem', { name: 'Press below, Public', exact: true }).click()
    assert.match((await read(url)).text, /for everybody/)

    await page.getByRole('button', { name: 'In all folders' }).click()
    const row = page.getByRole('row', { name: /\/Main\/Press\/Press below/ })
    await row.getByRole('img', { name: 'Public' }).waitFor()
    await page.getByRole('button', { name: 'In all folders' }).click()
    await page.getByRole('heading', { level: 1, name: 'Press below' }).waitFor()
    const path = page.getByRole('navigation', { name: 'Path' })
    await path.getByRole('img', { name: 'Public' }).waitFor()
    await openFolderDialog(page)
    await dialog.getByText('The folder /Main/Press has been public since').waitFor()
    await dialog.getByLabel('Public access').selectOption('Not public')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await markIn(page).waitFor({ state: 'detached' })
    await page.getByRole('treeitem', { name: 'Press below', exact: true }).waitFor()
    assert.equal((await read(url)).status, 401)

    await page.goto(`${server.url}/admin/content/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Press', exact: true }).waitFor()
    await openFolderDialog(page)
    await dialog.getByText(/Public since \d/).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the website settings list and delete former names, and name a file that replaces a generated one', async () => {
    const { id } = await makeFolder('Moves')
    const content = { type: 'txt', pageContent: 'x', parent_category_id: id, fileState: 'publish' }
    for (const name of ['robots.txt', 'old.txt']) {
      const json = { ...content, name }
      const { body } = await server.call('POST', '/api/v2/asset_file', { json })
      const renamed = { name: 'new.txt', fileState: 'publish' }
      if (name === 'old.txt')
        await server.call('POST', `/api/v2/asset_file/${body.asset_file_id}`, { json: renamed })
    }
    const { page, faults, context } = await openAt(`/content/${id}`, 'Moves')
    const dialog = await choose(page, 'Actions for this folder', 'Website settings')
    await dialog.getByText('This folder has a published file robots.txt.').waitFor()
    await dialog.getByText('old.txt → /Main/Moves/new.txt').waitFor()
    await dialog.getByRole('button', { name: 'End the redirect from old.txt' }).click()
    await page.getByRole('button', { name: 'End redirect', exact: true }).click()
    await page.getByText('The redirect has ended.').waitFor()
    await dialog.getByText('Automatic redirects').waitFor({ state: 'detached' })
    await dialog.getByLabel('Redirects').fill('/a /b')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await server.call('GET', `/api/v2/asset_category/${id}/former_name`)
    assert.deepEqual(body.former_name, [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('redirects and headers are written one per line, and a line that cannot work is named', async () => {
    const { id } = await makeFolder('Site')
    const { page, faults, context } = await openAt(`/content/${id}`, 'Site')
    const dialog = await choose(page, 'Actions for this folder', 'Website settings')
    await dialog.getByText('This folder is not public.').waitFor()
    await dialog.getByLabel('Redirects').fill('/old /new\n/a/* https://example.org/*  301\n\n/b')
    await dialog.getByLabel('Response headers').fill('X-Robots-Tag: noindex\nX-Frame-Options:')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/\(redirect 3\)/).waitFor()
    await dialog.getByLabel('Redirects').fill('/old /new\n/a/* https://example.org/*  301')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await server.call('GET', `/api/v2/asset_category/${id}`)
    assert.deepEqual(body.redirects, [
      { from: '/old', to: '/new', status: 308 },
      { from: '/a/*', to: 'https://example.org/*', status: 301 },
    ])
    assert.deepEqual(body.site_headers, { 'X-Robots-Tag': 'noindex', 'X-Frame-Options': '' })

    await choose(page, 'Actions for this folder', 'Website settings')
    const shown = await dialog.getByLabel('Redirects').inputValue()
    assert.equal(shown, '/old /new\n/a/* https://example.org/* 301')
    assert.equal(
      await dialog.getByLabel('Response headers').inputValue(),
      'X-Robots-Tag: noindex\nX-Frame-Options:',
    )
    await dialog.getByLabel('Redirects').fill('')
    await dialog.getByLabel('Response headers').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const emptied = await server.call('GET', `/api/v2/asset_category/${id}`)
    assert.deepEqual([emptied.body.redirects, emptied.body.site_headers], [null, null])
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('422')),
      [],
    )
    await context.close()
  })

  test('a layout is chosen for a folder and for a page', async () => {
    const { id, belowId } = await makeFolder('Laid out')
    const page_ = { type: 'html', parent_category_id: belowId, fileState: 'publish' }
    const layout = await make(server, 'asset_file', {
      ...page_,
      name: 'main-layout.html',
      pageContent: '<main>[page_content]</main>',
    })
    const file = await make(server, 'asset_file', { ...page_, name: 'b.html', pageContent: 'b' })
    const { page, context } = await openAt(`/content/${id}`, 'Laid out')
    const dialog = await choose(page, 'Actions for this folder', 'Website settings')
    await dialog.getByLabel('Layout', { exact: true }).selectOption('Choose a file…')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/must be the identifier of an asset file/).waitFor()
    await dialog.getByRole('combobox', { name: 'Layout file' }).fill('main-lay')
    await dialog.getByRole('option', { name: /main-layout/ }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const folder = await server.call('GET', `/api/v2/asset_category/${id}`)
    assert.equal(folder.body.layout_file_id, layout.asset_file_id)

    const path = `/api/v2/asset_file/${layout.asset_file_id}`
    await server.call('POST', path, { json: { pageContent: '<b>[page_content]</b>' } })
    await page.goto(`${server.url}/admin/content/${belowId}`)
    await page.getByRole('button', { name: 'Actions for main-layout.html' }).click()
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Publish and change other pages?' })
    await question.getByText('Publishing also changes 2 published pages:').waitFor()
    assert.equal(await question.getByText(/\/b\.html$/).count(), 1)
    await Promise.all([
      page.waitForResponse((response) => /publish|batch/.test(response.url())),
      question.getByRole('button', { name: 'Publish' }).click(),
    ])

    for (const name of ['c.html', 'd.html']) {
      const draft = {
        type: 'html',
        parent_category_id: belowId,
        pageContent: '<a href="gone.html">',
      }
      await make(server, 'asset_file', { ...draft, name })
    }
    await page.goto(`${server.url}/admin/content/${id}`)
    const all = await choose(page, 'Actions for this folder', 'Publish all')
    await all.getByRole('button', { name: 'Publish 2 files' }).click()
    const broken = page.getByRole('dialog', { name: 'Publish with broken links?' })
    await broken.getByText('2 pages have addresses that do not work for visitors:').waitFor()
    await broken.getByText('d.html: gone.html').waitFor()
    await broken.getByRole('button', { name: 'Publish anyway' }).click()
    await page.getByText('2 files published').waitFor()

    await page.goto(`${server.url}/admin/content/file/${file.asset_file_id}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    const select = page.getByLabel('Layout', { exact: true })
    await select.selectOption('No layout')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const saved = await server.call('GET', `/api/v2/asset_file/${file.asset_file_id}`)
    assert.deepEqual([saved.body.layout_file_id, saved.body.version], [0, 2])
    await page.reload()
    await page.getByRole('tab', { name: 'Details' }).click()
    assert.equal(await select.inputValue(), '0')
    await context.close()
  })

  test('a folder that is moved into a public folder is marked with those below', async () => {
    const { id } = await makeFolder('Moving')
    await make(server, 'asset_category', { name: 'Open', parent_category_id: 1, public: true })
    const { page, context } = await openAt(`/content/${id}`, 'Moving')
    await page.getByRole('treeitem', { name: 'Moving below', exact: true }).waitFor()
    const dialog = await choose(page, 'Actions for this folder', 'Move')
    await dialog.getByRole('searchbox', { name: 'Find a folder' }).fill('Open')
    await dialog.getByRole('button', { name: /^Open/ }).click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await markIn(page).waitFor()
    await page.getByRole('treeitem', { name: 'Moving below, Public', exact: true }).waitFor()
    await context.close()
  })

  test('a table is public with chosen columns and the entries of a filter', async () => {
    const { datatable_id: id, module_url: url } = await make(server, 'datatable', {
      name: 'Staff',
      table_schema: 'person C(40), phone C(20), approved L',
    })
    const json = [
      { person: 'Ada', phone: '1', approved: true },
      { person: 'Alan', phone: '2', approved: false },
    ]
    await server.call('POST', url, { json })
    assert.equal((await read(url)).status, 401)
    const { page, faults, context } = await openAt(`/data/${id}`, 'Staff')
    const dialog = await choose(page, 'Actions', 'Settings')
    await dialog.getByRole('checkbox', { name: 'Public' }).check()
    await dialog.getByText(/without signing in: all columns\.$/).waitFor()
    await dialog.getByText('Includes columns that are added later.').waitFor()
    await dialog.getByLabel('Public columns').selectOption('Selected columns')
    await dialog.getByText(/without signing in: no columns\.$/).waitFor()
    await dialog.getByRole('checkbox', { name: 'person' }).check()
    const filter = dialog.getByLabel('Filter')
    const save = dialog.getByRole('button', { name: 'Save' })
    await filter.fill('[1]')
    await save.click()
    await dialog.getByText('Enter a JSON object').waitFor()
    await filter.fill('{"confirmed": true}')
    await save.click()
    await dialog.getByText(/^This query does not fit the columns: .*confirmed/).waitFor()
    assert.equal(await filter.getAttribute('aria-invalid'), 'true')
    await filter.fill('{"approved": true}')
    await dialog.getByText('that match {"approved": true} without signing in: person.').waitFor()
    await save.click()
    await markIn(page).waitFor()

    const { status, body } = await read(url)
    assert.equal(status, 200)
    assert.deepEqual(
      body.datatable_entry.map(({ person, phone }: any) => [person, phone]),
      [['Ada', undefined]],
    )
    await choose(page, 'Actions', 'Settings')
    await dialog.getByText(/Public since \d/).waitFor()
    await page.goto(`${server.url}/admin/data`)
    const row = page.getByRole('row', { name: /Staff/ })
    await row.getByRole('img', { name: 'Public' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a calendar is public without its places, and the filter fits the typed columns', async () => {
    const {
      calendar_id: id,
      module_url: url,
      ...made
    } = await make(server, 'calendar', { name: 'Programme', table_schema: 'room C(9)' })
    assert.deepEqual([made.public, made.public_columns, made.public_filter], [false, null, null])
    const start = { start_time: '2026-03-18T09:00:00Z', location: 'Attic', description: 'Long' }
    const json = [
      { event_title: 'Tour', room: 'a', ...start },
      { event_title: 'Board', room: 'b', ...start },
    ]
    await server.call('POST', url, { json })
    const { page, faults, context } = await openAt(`/calendars/${id}`, 'Programme')
    const dialog = await choose(page, 'Actions for this calendar', 'Settings')
    await dialog.getByLabel('Schema as text').fill('room C(9), seats I')
    await dialog.getByRole('checkbox', { name: 'Public' }).check()
    await dialog.getByLabel('Public columns').selectOption('Selected columns')
    await dialog.getByText(/without signing in: titles and times\.$/).waitFor()
    await dialog.getByRole('checkbox', { name: 'Description' }).check()
    await dialog.getByRole('checkbox', { name: 'seats' }).check()
    await dialog.getByLabel('Filter').fill('{"room": "a"}')
    await dialog
      .getByText('that match {"room": "a"} without signing in: titles, times, Description, seats.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await markIn(page).waitFor()
    const { body } = await read(url)
    assert.deepEqual(
      body.calendar_entry.map((each: any) => [
        each.event_title,
        each.description,
        each.location,
        'seats' in each,
      ]),
      [['Tour', 'Long', undefined, true]],
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a stager sees the state of folders and modules and why it cannot be changed', async () => {
    const { id } = await makeFolder('Staged')
    const { datatable_id: tableId } = await make(server, 'datatable', {
      name: 'Prices',
      parent_category_id: id,
      table_schema: 'title C(9), price I',
      public: true,
      public_columns: ['title'],
      public_filter: { price: 1 },
    })
    const why = 'you need permission to publish in the folder'
    const { page, faults, context } = await openAt(`/content/${id}`, 'Staged', 'stan')
    const dialog = await openFolderDialog(page)
    await dialog.getByText('Only users and keys with access').waitFor()
    await dialog.getByText(why).waitFor()
    assert.equal(await dialog.getByRole('combobox').count(), 0)
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).count(), 0)

    await page.goto(`${server.url}/admin/data/${tableId}`)
    await choose(page, 'Actions', 'Settings')
    await dialog.getByText(/that match .+ without signing in: title\./).waitFor()
    await dialog.getByText(why).waitFor()
    assert.equal(await dialog.getByRole('checkbox').count(), 0)
    await dialog.getByLabel('Description').fill('by stan')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await server.call('GET', `/api/v2/datatable/${tableId}`)
    assert.deepEqual([body.description, body.public], ['by stan', true])
    assert.deepEqual(faults, [])
    await context.close()
  })
})
