// References that are created, added and removed in place: from the picker of a column, and from the list of the
// entries that refer to an entry. The stories assert the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
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
  browser = await openBrowser()
})
after(async () => {
  if (NO_BROWSER) return
  await browser.close()
  await server.close()
})

const entryOf = async (url: string, id: number): Promise<any> =>
  (await server.call('GET', `${url}/${id}?fields=*`)).body

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

/** Types into a picker and presses Enter on the last option. */
async function takeLast(page: Page, picker: Locator, text: string): Promise<void> {
  await picker.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type(text)
  await page.getByRole('option', { name: `New entry “${text}”…` }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
}

describe('the picker of a reference', { skip: NO_BROWSER }, () => {
  test('creates the entry in a dialog by the keyboard alone, and chooses it', async () => {
    const visited = await see(`/data/${demo.posts.id}/1`)
    const { page } = visited
    await page.getByLabel('title').fill('On engines, again')
    const author = page.getByRole('combobox', { name: 'author' })
    await takeLast(page, author, 'Mary')
    const dialog = page.getByRole('dialog', { name: 'New entry in Authors' })
    const name = dialog.getByLabel('name')
    await shows(() => name.inputValue(), 'Mary')
    await shows(() => page.locator(':focus').getAttribute('name'), 'name')
    await page.keyboard.press('End')
    await page.keyboard.type(' Shelley')
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Enter')
    await shows(() => author.inputValue(), 'Mary Shelley')
    await shows(() => page.locator(':focus').getAttribute('name'), 'author')
    // The dialog saved nothing of the form behind it.
    assert.equal((await entryOf(demo.posts.url, 1)).title, 'On engines')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { title, author: id } = await entryOf(demo.posts.url, 1)
    assert.equal(title, 'On engines, again')
    assert.equal((await entryOf(demo.authors.url, id)).name, 'Mary Shelley')
    await close(visited)
  })

  test('adds created entries to a list, also from a dialog in a dialog', async () => {
    const visited = await see(`/data/${demo.comments.id}/new`)
    const { page } = visited
    await page.getByLabel('text').fill('Of a new post')
    await takeLast(page, page.getByRole('combobox', { name: 'post' }), 'On loops')
    const post = page.getByRole('dialog', { name: 'New entry in Posts' })
    await takeLast(page, post.getByRole('combobox', { name: 'author' }), 'Emmy')
    const author = page.getByRole('dialog', { name: 'New entry in Authors' })
    await author.getByRole('button', { name: 'Create entry' }).click()
    await shows(() => post.getByRole('combobox', { name: 'author' }).inputValue(), 'Emmy')
    await takeLast(page, post.getByRole('combobox', { name: 'Add an entry' }), 'On sums')
    const related = page.getByRole('dialog').last()
    await related.getByRole('combobox', { name: 'author' }).click()
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await related.getByRole('button', { name: 'Create entry' }).click()
    const list = post.getByRole('list', { name: 'related' })
    await shows(() => list.getByRole('link').allInnerTexts(), ['On sums'])
    await post.getByRole('button', { name: 'Create entry' }).click()
    await shows(() => page.getByRole('combobox', { name: 'post' }).inputValue(), 'On loops')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByRole('button', { name: 'Open entry' }).waitFor()
    const { post: made } = await entryOf(demo.comments.url, 4)
    const { title, related: ids } = await entryOf(demo.posts.url, made)
    assert.equal(title, 'On loops')
    assert.equal((await entryOf(demo.posts.url, ids[0])).title, 'On sums')
    await close(visited)
  })

  test('offers no new entry if the user may not create one', async () => {
    const open = await makeFolder(server)
    const folder = { asset_category_id: open.asset_category_id, role: 'editor' }
    await make(server, 'user', { name: 'emil', role: 'viewer', category_roles: [folder] })
    await setPassword(server, 'emil')
    const own = await makeTable(server, `writer I REFERENCES datatable ${demo.authors.id}`, {
      name: 'Notes',
      parent_category_id: open.asset_category_id,
    })
    const visited = await see(`/data/${own.id}/new`, { user: 'emil' })
    const { page } = visited
    await page.getByRole('combobox', { name: 'writer' }).click()
    await page.keyboard.type('hopper')
    await shows(() => page.getByRole('option').allInnerTexts(), ['Grace Hopper #2'])
    await close(visited)
  })
})

describe('the list of the entries that refer to an entry', { skip: NO_BROWSER }, () => {
  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

  test('adds an existing entry, removes one, and undoes both', async () => {
    const visited = await see(`/data/${demo.posts.id}/2`)
    const { page } = visited
    const comments = group(page, 'Comments: Post')
    const picker = comments.getByRole('combobox', { name: 'Add an existing entry' })
    await picker.click()
    await page.keyboard.type('more')
    await page.getByRole('option', { name: 'More of it' }).click()
    await comments.getByRole('link', { name: 'More of it' }).waitFor()
    assert.equal((await entryOf(demo.comments.url, 3)).post, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await shows(() => comments.getByRole('listitem').count(), 0)
    assert.equal((await entryOf(demo.comments.url, 3)).post, null)

    const related = group(page, 'Posts: Related')
    const button = related.getByRole('button', { name: 'Remove the reference from On machines' })
    await button.focus()
    await page.keyboard.press('Enter')
    await shows(() => related.getByRole('listitem').count(), 0)
    assert.deepEqual((await entryOf(demo.posts.url, 3)).related, [1])
    await page.getByText('On machines no longer refers to this entry.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await related.getByRole('link', { name: 'On machines' }).waitFor()
    assert.deepEqual((await entryOf(demo.posts.url, 3)).related, [2, 1])
    await close(visited)
  })

  test('creates an entry with the reference filled in', async () => {
    const visited = await see(`/data/${demo.posts.id}/4`)
    const { page } = visited
    const related = group(page, 'Posts: Related')
    await related
      .getByRole('button', { name: 'New entry in Posts that refers to this one' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('title').fill('On everything')
    await dialog.getByRole('combobox', { name: 'author' }).click()
    await page.getByRole('option', { name: 'Alan Turing' }).click()
    await dialog.getByRole('button', { name: 'Create entry' }).click()
    await related.getByRole('link', { name: 'On everything' }).waitFor()
    await close(visited)
  })

  test('offers no removal of a required reference, and viewers no change at all', async () => {
    const review = await makeTable(
      server,
      `author I REFERENCES datatable ${demo.authors.id} NOTNULL`,
      {
        name: 'Reviews',
      },
    )
    await makeEntries(server, review.url, [{ author: 4 }])
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    const admin = await see(`/data/${demo.authors.id}/4`)
    const own = group(admin.page, 'Reviews: Author')
    await own.getByRole('link', { name: '#1' }).waitFor()
    await own.getByRole('combobox').waitFor()
    assert.equal(await own.getByRole('button', { name: /^Remove/ }).count(), 0)
    await close(admin)
    const viewer = await see(`/data/${demo.posts.id}/1`, { user: 'vera' })
    const comments = group(viewer.page, 'Comments: Post')
    await comments.getByRole('link', { name: 'Well said' }).waitFor()
    assert.equal(await comments.getByRole('combobox').count(), 0)
    assert.equal(await comments.getByRole('button').count(), 0)
    await close(viewer)
  })

  test('keeps a change of another user before the undo', async () => {
    const visited = await see(`/data/${demo.posts.id}/1`)
    const { page } = visited
    const comments = group(page, 'Comments: Post')
    await comments.getByRole('button', { name: 'Remove the reference from Too long' }).click()
    await page.getByText('Too long no longer refers to this entry.').waitFor()
    await server.call('PATCH', `${demo.comments.url}/2`, { json: { post: 3 } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Somebody else changed this in the meantime.').waitFor()
    assert.equal((await entryOf(demo.comments.url, 2)).post, 3)
    await close(visited)
  })

  test('has no accessibility faults on narrow screens in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visited = await see(`/data/${demo.posts.id}/1`, {
        colorScheme,
        viewport: { width: 360, height: 800 },
      })
      const { page } = visited
      const picker = group(page, 'Comments: Post').getByRole('combobox')
      await picker.click()
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await close(visited)
    }
  })
})
