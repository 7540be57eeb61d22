// Columns that refer to entries and files in the administration area. The stories assert the resulting state of the
// server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make, makeFolder } from '../helpers/content.ts'
import { makeEntries, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, setPassword, shows, startSite, visit, type Visit } from './area.ts'
import { addDemoReferences, type DemoReferences } from './demo-references.ts'

let server: TestServer
let browser: Browser
let demo: DemoReferences
before(async () => {
  if (NO_BROWSER) return
  server = await startSite()
  demo = await addDemoReferences(server)
  await make(server, 'user', { name: 'vera', role: 'viewer' })
  await setPassword(server, 'vera')
  browser = await openBrowser()
})
after(async () => {
  if (NO_BROWSER) return
  await browser.close()
  await server.close()
})

const post = async (id: number): Promise<any> =>
  (await server.call('GET', `${demo.posts.url}/${id}?fields=*`)).body

async function see(
  path: string,
  options: Partial<Parameters<typeof visit>[1]> = {},
): Promise<Visit> {
  const viewport = { width: 1_280, height: 800 }
  const visited = await visit(browser, { url: server.url, user: 'admin', viewport, ...options })
  await visited.page.goto(`${server.url}/admin${path}`)
  return visited
}

async function close({ context, faults }: Visit): Promise<void> {
  assert.deepEqual(faults, [])
  await context.close()
}

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
}

describe('the form of an entry', { skip: NO_BROWSER }, () => {
  const form = (id: number | 'new', options = {}) => see(`/data/${demo.posts.id}/${id}`, options)

  test('shows the title of a referenced entry, and picks another one by the keyboard alone', async () => {
    const visited = await form(1)
    const { page } = visited
    const author = page.getByRole('combobox', { name: 'author' })
    await shows(() => author.inputValue(), 'Ada Lovelace')
    await author.focus()
    await press(page, 'ArrowDown')
    await page.keyboard.type('hopp')
    await page.getByRole('option', { name: 'Grace Hopper #2' }).waitFor()
    await press(page, 'Enter')
    await shows(() => author.inputValue(), 'Grace Hopper')
    await save(page)
    await shows(async () => (await post(1)).author, 2)
    await author.focus()
    await press(page, 'ArrowDown')
    await page.keyboard.type('#1')
    await page.getByRole('option', { name: 'Ada Lovelace #1' }).waitFor()
    await press(page, 'Enter')
    await save(page)
    // The message of the first change may still be there.
    await shows(async () => (await post(1)).author, 1)
    await page.getByRole('link', { name: 'Open Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await close(visited)
  })

  test('offers at most 20 entries, and only files of accepted types', async () => {
    const visited = await form(1)
    const { page } = visited
    await page.getByRole('combobox', { name: 'author' }).click()
    // The last option is a new entry.
    await shows(() => page.getByRole('option').count(), 21)
    await press(page, 'Escape')
    const photo = page.getByRole('group', { name: 'photo' })
    await photo.getByRole('link', { name: 'harbour.svg' }).waitFor()
    await photo.locator('img').waitFor()
    await photo.getByRole('button', { name: 'Choose another' }).click()
    const dialog = page.getByRole('dialog', { name: 'Photo' })
    await dialog.getByRole('searchbox').fill('harbour')
    await shows(() => dialog.locator('.picked-file .cut').first().innerText(), 'harbour.svg')
    await shows(() => dialog.locator('.picked-file').count(), 1)
    // The first Escape clears the search.
    await press(page, 'Escape', 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await photo.getByRole('button', { name: 'Remove harbour.svg' }).click()
    await shows(() => page.locator(':focus').innerText(), 'Choose an image')
    await save(page)
    assert.equal((await post(1)).photo, null)
    await close(visited)
  })

  test('keeps a list of references in the order that the user chooses', async () => {
    const visited = await form(3)
    const { page } = visited
    const related = page.getByRole('list', { name: 'related' })
    await shows(() => related.getByRole('link').allInnerTexts(), ['On compilers', 'On engines'])
    await page.getByRole('button', { name: 'Move On engines up' }).focus()
    await press(page, 'Enter')
    await shows(() => related.getByRole('link').allInnerTexts(), ['On engines', 'On compilers'])
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Move On engines down')
    await page.getByRole('combobox', { name: 'Add an entry' }).click()
    await page.getByRole('option', { name: 'On nothing' }).click()
    await page.getByRole('button', { name: 'Remove On compilers' }).click()
    await save(page)
    assert.deepEqual((await post(3)).related, [1, 4])
    await close(visited)
  })

  test('creates an entry with references, and names a missing one', async () => {
    const visited = await form('new')
    const { page } = visited
    await page.getByLabel('title').fill('On tables')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page
      .getByRole('combobox', { name: 'author' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await page.getByRole('combobox', { name: 'author' }).click()
    await page.getByRole('option', { name: 'Alan Turing' }).click()
    await page.getByRole('combobox', { name: 'reading' }).click()
    await page.getByRole('option', { name: 'A reading' }).click()
    await page.getByRole('button', { name: 'Add files' }).click()
    const dialog = page.getByRole('dialog', { name: 'Gallery' })
    for (const name of ['meadow.svg', 'harbour.svg', 'harbour.html'])
      await dialog.getByRole('button', { name }).click()
    await dialog.getByRole('button', { name: 'harbour.html', pressed: true }).click()
    await dialog.getByRole('button', { name: 'Add 2 files' }).click()
    await page.getByRole('button', { name: 'Move meadow.svg down' }).focus()
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('The entry was created.').waitFor()
    const { author, reading, gallery, related } = await post(5)
    const [harbour, meadow] = demo.files
    assert.deepEqual([author, reading, gallery, related], [3, 1, [harbour, meadow], []])
    await close(visited)
  })

  test('shows viewers the titles without any way to change them', async () => {
    const visited = await form(3, { user: 'vera' })
    const { page } = visited
    await shows(() => page.getByLabel('author').inputValue(), 'Alan Turing')
    assert.equal(await page.getByRole('combobox').count(), 0)
    await close(visited)
  })

  test('has no accessibility faults on narrow screens in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visited = await form(3, { colorScheme, viewport: { width: 360, height: 800 } })
      const { page } = visited
      await page.getByRole('link', { name: 'On engines' }).waitFor()
      await page.getByRole('button', { name: 'Add files' }).click()
      await page.getByRole('button', { name: 'harbour.svg' }).click()
      await page.getByRole('button', { name: 'Add 1 file' }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await close(visited)
    }
  })
})

describe('the page of an entry', { skip: NO_BROWSER }, () => {
  test('lists the entries that refer to it, and begins another one', async () => {
    const visited = await see(`/data/${demo.posts.id}/1`)
    const { page } = visited
    const comments = page.getByRole('group', { name: 'Comments: Post' })
    await shows(() => comments.getByRole('listitem').allInnerTexts(), ['Well said', 'Too long'])
    await comments.getByText('2 entries').waitFor()
    const related = page.getByRole('group', { name: 'Posts: Related' })
    await related.getByRole('link', { name: 'On machines' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await comments
      .getByRole('button', { name: 'New entry in Comments that refers to this one' })
      .click()
    await shows(() => page.getByRole('combobox', { name: 'post' }).inputValue(), 'On engines')
    await page.getByLabel('text').fill('Added')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('The entry was created.').waitFor()
    const { body } = await server.call('GET', `${demo.comments.url}/4?fields=*`)
    assert.deepEqual([body.text, body.post], ['Added', 1])
    await close(visited)
  })

  test('shows no columns of datatables that the user may not see', async () => {
    const hidden = await makeFolder(server)
    const folder = { asset_category_id: hidden.asset_category_id, role: null }
    await make(server, 'user', { name: 'wim', role: 'viewer', category_roles: [folder] })
    await setPassword(server, 'wim')
    const secret = await makeTable(server, `post I REFERENCES datatable ${demo.posts.id}`, {
      name: 'Secret',
      parent_category_id: hidden.asset_category_id,
    })
    await makeEntries(server, secret.url, [{ post: 1 }])
    const visited = await see(`/data/${demo.posts.id}/1`, { user: 'wim' })
    const { page } = visited
    await page.getByRole('group', { name: 'Comments: Post' }).waitFor()
    assert.equal(await page.getByText('Secret').count(), 0)
    assert.equal(await page.getByRole('button', { name: /^New entry in/ }).count(), 0)
    await close(visited)
  })
})

describe('the grid of entries', { skip: NO_BROWSER }, () => {
  const cells = (page: Page, column: number) =>
    page.locator(`.entry-body > .entry-row > [aria-colindex="${column}"]`).allInnerTexts()

  async function grid(qry = '', options = {}): Promise<Visit> {
    const visited = await see(`/data/${demo.posts.id}${qry}`, options)
    await visited.page.locator('[role=grid][aria-busy=false]').waitFor()
    return visited
  }

  test('shows titles and file names, with as many requests as without references', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page } = visited
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${server.url}/admin/data/${demo.posts.id}`)
    await shows(
      async () => (await cells(page, 3)).slice(0, 4),
      ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Alan Turing'],
    )
    await shows(async () => (await cells(page, 4))[2], 'meadow.svg')
    await shows(async () => (await cells(page, 5))[2], 'On engines, On nothing')
    await shows(async () => (await cells(page, 6))[1], 'A reading')
    assert.equal(asked.filter((path) => path.includes('/module/')).length, 1)
    assert.equal(asked.filter((path) => path.endsWith('/asset_file')).length, 0)
    await close(visited)
  })

  test('shows the title behind a title that is a reference', async () => {
    const notes = await makeTable(server, `author I REFERENCES datatable ${demo.authors.id}`, {
      name: 'Notes',
      title_field: 'author',
    })
    const replies = await makeTable(server, `text C(80), note I REFERENCES datatable ${notes.id}`, {
      name: 'Replies',
      title_field: 'text',
    })
    await makeEntries(server, notes.url, [{ author: 2 }])
    await makeEntries(server, replies.url, [{ text: 'Yes', note: 1 }])
    const visited = await see(`/data/${replies.id}`)
    await shows(() => cells(visited.page, 3), ['Grace Hopper'])
    await close(visited)
  })

  test('shows the title of a reference that was changed in its cell', async () => {
    const visited = await grid()
    const { page } = visited
    await page.locator('[aria-rowindex="5"] > [aria-colindex="3"]').dblclick()
    await page.locator('.cell-input').fill('1')
    await press(page, 'Enter')
    await page.getByText('author was changed.').waitFor()
    await shows(async () => (await cells(page, 3))[3], 'Ada Lovelace')
    assert.equal((await post(4)).author, 1)
    await close(visited)
  })

  test('finds the record of a cell by its title, with the keyboard alone', async () => {
    const visited = await grid()
    const { page } = visited
    const cell = page.locator('[aria-rowindex="5"] > [aria-colindex="3"]')
    await cell.click()
    await page.keyboard.type('hopp')
    await page.getByRole('option', { name: 'Grace Hopper #2' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await press(page, 'Enter')
    await page.getByText('author was changed.').waitFor()
    await shows(async () => (await cells(page, 3))[3], 'Grace Hopper')
    assert.equal((await post(4)).author, 2)
    await cell.dblclick()
    await shows(() => page.locator('.cell-input').getAttribute('placeholder'), 'Grace Hopper')
    await page.locator('.cell-input').fill('lovelace')
    await page.getByRole('option', { name: 'Ada Lovelace #1' }).click()
    await shows(async () => (await post(4)).author, 1)
    await cell.dblclick()
    await press(page, 'Escape')
    assert.equal(await page.locator('.cell-input').count(), 0)
    assert.equal((await post(4)).author, 1)
    await close(visited)
  })

  test('changes the list of a cell with the keyboard alone, and files in the dialog', async () => {
    const visited = await grid()
    const { page } = visited
    await page.locator('[aria-rowindex="4"] > [aria-colindex="5"]').click()
    await press(page, 'Enter')
    const panel = page.getByRole('group', { name: /Related/ })
    await shows(() => panel.getByRole('listitem').allInnerTexts(), ['On engines', 'On nothing'])
    await shows(() => page.locator(':focus').getAttribute('role'), 'combobox')
    await page.keyboard.type('comp')
    await page.getByRole('option', { name: 'On compilers' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await press(page, 'Enter')
    await shows(() => panel.getByRole('listitem').count(), 3)
    await press(page, 'Shift+Tab', 'Shift+Tab', 'Enter')
    await shows(
      () => panel.getByRole('listitem').allInnerTexts(),
      ['On engines', 'On compilers', 'On nothing'],
    )
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Move On compilers up')
    await press(page, 'Control+Enter')
    await page.getByText('Related was changed.').waitFor()
    assert.deepEqual((await post(3)).related, [1, 2, 4])
    await shows(async () => (await cells(page, 5))[2], 'On engines, On compilers, On nothing')

    await press(page, 'ArrowLeft', 'Enter')
    const dialog = page.getByRole('dialog', { name: /Photo/ })
    await dialog.getByRole('button', { name: 'harbour.svg' }).click()
    await page.getByText('Photo was changed.').waitFor()
    assert.equal((await post(3)).photo, demo.files[0])
    await shows(async () => (await cells(page, 4))[2], 'harbour.svg')
    await press(page, 'Enter')
    await dialog.waitFor()
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('[aria-rowindex="4"] > [aria-colindex="7"]').dblclick()
    await page.getByRole('button', { name: 'Add files' }).click()
    const gallery = page.getByRole('dialog', { name: /Gallery/ })
    await gallery.getByRole('button', { name: 'harbour.html' }).click()
    await gallery.getByRole('button', { name: 'Add 1 file' }).click()
    await page
      .getByRole('group', { name: /Gallery/ })
      .getByText('harbour.html')
      .waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await shows(async () => (await post(3)).gallery, [demo.files[2]])
    await close(visited)
  })

  test('is filtered by the title of one record, and by the titles of a list', async () => {
    const visited = await grid()
    const { page } = visited
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column', { exact: true }).selectOption('author.name')
    await page.getByLabel('Value').fill('turing')
    await shows(() => cells(page, 2), ['On machines', 'On tables'])
    await page.getByLabel('Column', { exact: true }).selectOption('related.title')
    await page.getByLabel('Value').fill('engines')
    await shows(
      () => page.getByLabel('Query (qry)').inputValue(),
      '{"related":{"$some":{"title":"/engines/i"}}}',
    )
    await shows(() => cells(page, 2), ['On machines'])
    await page.reload()
    await shows(() => page.getByLabel('Value').inputValue(), 'engines')
    await shows(() => cells(page, 2), ['On machines'])
    assert.deepEqual(await axeFaults(page), [])
    await close(visited)
  })
})

describe('the schema editor', { skip: NO_BROWSER }, () => {
  test('makes a column a reference to entries or to files', async () => {
    const visited = await see(`/data/${demo.comments.id}/schema`)
    const { page } = visited
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
    const column = page
      .getByRole('listitem')
      .filter({ has: page.locator('.column') })
      .last()
    await column.getByLabel('Name').fill('writer')
    await column.getByLabel('Type').selectOption({ label: 'Reference' })
    await column.getByLabel('Refers to').selectOption(`datatable ${demo.authors.id}`)
    await column.getByLabel('If the entry is deleted').selectOption('set null')
    await column.getByRole('checkbox', { name: 'Allow several' }).click()
    const text = page.locator('textarea').first()
    const end = `writer I REFERENCES datatable ${demo.authors.id} MANY ON DELETE SET NULL`
    await shows(async () => (await text.inputValue()).endsWith(end), true)
    assert.deepEqual(await axeFaults(page), [])
    await column.getByLabel('Type').selectOption({ label: 'Image or file' })
    await shows(async () => (await text.inputValue()).endsWith('writer FILE'), true)
    await column.getByLabel('Accepts').selectOption('Images only')
    await column.getByRole('checkbox', { name: 'Allow several' }).click()
    await shows(async () => (await text.inputValue()).endsWith("writer FILES('image/*')"), true)
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    await close(visited)
  })
})
