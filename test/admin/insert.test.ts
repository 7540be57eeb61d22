// Pictures and links that are inserted into a text: the dialog that chooses a file, and the inserted markup.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder, uploadFile } from '../helpers/content.ts'
import { makeTable } from '../helpers/modules.ts'
import { halves } from '../helpers/pictures.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, previewIn, shows, startSite, until, visit } from './area.ts'

describe('inserted files', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let root: number
  let news: number
  let room: any
  before(async () => {
    server = await startSite({
      config: { sites: [{ origin: 'http://site.localhost', folder: '/Main/website' }] },
    })
    root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
    news = await folderIn('news (old)')
    const images = await folderIn('img')
    room = await uploadFile(server, await halves(40, 20).png().toBuffer(), {
      fileName: 'room.png',
      asset_category_id: String(images),
      fileState: 'publish',
    })
    await server.call('PATCH', `/api/v2/asset_file/${room.asset_file_id}`, {
      json: { alt_text: 'A "bright" room' },
    })
    await server.call('POST', `/api/v2/asset_file/${room.asset_file_id}/publish`)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const folderIn = async (name: string): Promise<number> =>
    (await makeFolder(server, { name, parent_category_id: root })).asset_category_id

  async function openText(
    name: string,
    pageContent: string,
    viewport = { width: 1_280, height: 800 },
  ) {
    const type = name.split('.').at(-1)
    const file = await makeFile(server, { name, type, pageContent, parent_category_id: news })
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    await visited.page.goto(`${server.url}/admin/content/file/${file.asset_file_id}/edit`)
    await visited.page.locator('.cm-content').focus()
    await visited.page.keyboard.press('Control+End')
    return visited
  }

  const textOf = (page: Page): Promise<string> =>
    page.evaluate<string>(
      "[...document.querySelectorAll('.code-frame .cm-line')].map((line) => line.textContent).join('\\n')",
    )

  async function ask(page: Page, name: string) {
    await page.getByRole('button', { name, exact: true }).click()
    return page.getByRole('dialog', { name })
  }

  /** Opens the folder of pictures, starting in the folder of the page. */
  async function chooseRoom(page: Page) {
    const dialog = await ask(page, 'Insert image')
    await dialog.getByRole('button', { name: 'website' }).click()
    await dialog.getByRole('button', { name: 'img' }).click()
    await dialog.getByRole('button', { name: 'room.png' }).click()
    return dialog
  }

  for (const [ending, before, inserted] of [
    [
      'html',
      '<p>one</p>\n',
      '<img src="/img/room.png" alt="A &quot;bright&quot; room" width="40" height="20">',
    ],
    ['md', 'one\n', '![A "bright" room](/img/room.png)'],
  ] as const) {
    test(`a picture of a folder gets its path on the website, size and text in ${ending}`, async () => {
      const { page, context, faults } = await openText(`picture.${ending}`, before)
      const dialog = await chooseRoom(page)
      const alt = dialog.getByLabel('Alternative text')
      await shows(() => alt.inputValue(), 'A "bright" room')
      await shows(() => page.locator(':focus').getAttribute('name'), 'alt_text')
      assert.deepEqual(await axeFaults(page), [])
      await page.keyboard.press('Control+Enter')
      await shows(() => textOf(page), before + inserted)
      const frame = await previewIn(page)
      await until(frame, "document.querySelector('img')?.naturalWidth === 40")
      // The text has the focus again.
      await page.keyboard.press('Control+z')
      await shows(() => textOf(page), before)
      assert.deepEqual(faults, [])
      await context.close()
    })
  }

  test('a page in STML names a picture by its number, and needs a text or a decision', async () => {
    const { page, context } = await openText('picture.stml', '<div id="dd.0">\n</div>')
    const { asset_file_id: id } = room
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    const dialog = await chooseRoom(page)
    await dialog.getByLabel('Alternative text').fill(' ')
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
    await dialog.getByText('Describe the image, or mark it as decorative.').waitFor()
    await dialog.getByLabel('Decorative image').check()
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
    const image = `<img src="[get_asset_file_url id=${id}]" alt="" width="40" height="20" />`
    await shows(() => textOf(page), `<div id="dd.0">${image}\n</div>`)
    const frame = await previewIn(page)
    await until(frame, "document.querySelector('img')?.naturalWidth === 40")
    await context.close()
  })

  test('the selection becomes a link to a file that a search finds', async () => {
    const about = await makeFile(server, { name: 'about us.html', parent_category_id: root })
    const { page, context } = await openText('link.html', '<p>read more</p>')
    await page.keyboard.press('Control+Home')
    for (const key of ['ArrowRight', 'Shift+ArrowRight'])
      for (let count = 0; count < (key === 'ArrowRight' ? 3 : 9); count += 1)
        await page.keyboard.press(key)
    const dialog = await ask(page, 'Link to page or file')
    await dialog.getByRole('searchbox').fill('about u')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'about us.html' }).click()
    await dialog.getByText('This file is not published, so visitors cannot see it.').waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('This file is not published').waitFor({ state: 'detached' })
    const path = `/api/v2/asset_file/${about.asset_file_id}`
    assert.equal((await server.call('GET', path)).body.live_version, 1)
    await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
    await shows(() => textOf(page), '<p><a href="/about%20us.html">read more</a></p>')
    await context.close()
  })

  test('a picture is uploaded in the dialog, by a free name, and is then a recent file', async () => {
    const { page, context } = await openText('upload.html', '')
    const dialog = await ask(page, 'Insert image')
    await dialog.getByText('This folder has no images.').waitFor()
    const buffer = await halves(8, 8).png().toBuffer()
    const choose = (name: string, mimeType = 'image/png') =>
      page.setInputFiles('.file-picker input[type=file]', { name, mimeType, buffer })
    // A script cannot drop real files, so the test imitates their entries.
    await page.evaluate(`{
      const file = new File(['x'], 'dropped.txt', { type: 'text/plain' })
      const entry = { isFile: true, isDirectory: false, name: file.name, file: (done) => done(file) }
      const event = new DragEvent('drop', { bubbles: true, cancelable: true })
      const dataTransfer = { types: ['Files'], items: [{ webkitGetAsEntry: () => entry }] }
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.querySelector('.file-picker .drop-zone').dispatchEvent(event)
    }`)
    await dialog.getByText('The file dropped.txt is not an image.').waitFor()
    await choose('notes.txt', 'text/plain')
    await dialog.getByText('The file notes.txt is not an image.').waitFor()
    await choose('logo (1).png')
    await dialog.getByText('This file is not published').waitFor()
    await dialog.getByLabel('Alternative text').fill('Our logo')
    await dialog.getByText('The image gets a new version.').waitFor()
    await page.keyboard.press('Control+Enter')
    const image =
      '<img src="/news%20%28old%29/logo%20%281%29.png" alt="Our logo" width="8" height="8">'
    await shows(() => textOf(page), image)
    const logo = await fileNamed('logo (1).png')
    assert.deepEqual([logo.alt_text, logo.version, logo.live_version], ['Our logo', 2, null])

    await ask(page, 'Insert image')
    await choose('logo (1).png')
    await dialog.getByText('logo (2).png').first().waitFor()
    await dialog.getByRole('button', { name: 'Choose another file' }).click()
    await dialog.getByRole('button', { name: 'Recent' }).click()
    await dialog.getByRole('button', { name: 'logo (1).png' }).waitFor()
    await dialog.getByRole('button', { name: 'logo (2).png' }).waitFor({ state: 'detached' })
    await context.close()
  })

  const fileNamed = async (name: string): Promise<any> => {
    const qry = encodeURIComponent(JSON.stringify({ name }))
    return (await server.call('GET', `/api/v2/asset_file?qry=${qry}`)).body.asset_file[0]
  }

  test('a published picture keeps its new text in a version that is published, if the person wants so', async () => {
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    for (const fileName of ['star.svg', 'moon.svg'])
      await uploadFile(server, icon, { fileName, fileState: 'publish' })
    const { page, context, faults } = await openText('icons.html', '')
    for (const name of ['star', 'moon']) {
      const dialog = await ask(page, 'Insert image')
      await dialog.getByRole('searchbox').fill(name)
      await dialog.getByRole('button', { name: `${name}.svg` }).click()
      const stores = dialog.getByLabel('Also store this text with the image')
      await dialog.getByText('a new version, which is published immediately').waitFor()
      await dialog.getByLabel('Decorative image').check()
      assert.equal(await stores.count(), 0)
      await dialog.getByLabel('Decorative image').uncheck()
      if (name === 'moon') await stores.uncheck()
      await dialog.getByLabel('Alternative text').fill(`A ${name}`)
      assert.deepEqual(await axeFaults(page), [])
      await page.keyboard.press('Control+Enter')
      await shows(() => textOf(page), new RegExp(`alt="A ${name}"`))
    }
    const [star, moon] = [await fileNamed('star.svg'), await fileNamed('moon.svg')]
    assert.deepEqual([star.alt_text, star.version, star.live_version], ['A star', 2, 2])
    assert.deepEqual([moon.alt_text, moon.version], [null, 1])
    const dialog = await ask(page, 'Insert image')
    await dialog.getByRole('button', { name: 'Recent' }).click()
    await dialog.getByRole('button', { name: 'star.svg' }).click()
    await shows(() => dialog.getByLabel('Alternative text').inputValue(), 'A star')
    assert.equal(await dialog.getByLabel('Also store this text').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a file outside of the website is inserted with a warning', async () => {
    await uploadFile(server, await halves(8, 8).png().toBuffer(), { fileName: 'inside.png' })
    const { page, context } = await openText('outside.html', '')
    const dialog = await ask(page, 'Insert image')
    await dialog.getByRole('searchbox').fill('inside')
    await dialog.getByRole('button', { name: 'inside.png' }).click()
    await dialog.getByText('This file is outside the folder of the website').waitFor()
    await dialog.getByLabel('Alternative text').fill('x')
    await page.keyboard.press('Control+Enter')
    await shows(
      () => textOf(page),
      /^<img src="\/file\/\d+\/inside.png" alt="x" width="8" height="8">$/,
    )
    await context.close()
  })

  test('the form of an entry inserts a picture and is not sent by the dialog', async () => {
    const table = await makeTable(server, 'name C(40), body HTML')
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/data/${table.id}/new`)
    await page.getByRole('textbox', { name: 'body' }).focus()
    const dialog = await ask(page, 'Insert image')
    await dialog.getByRole('searchbox').fill('room')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'room.png' }).click()
    await dialog.getByLabel('Alternative text').focus()
    await page.keyboard.press('Control+Enter')
    await shows(
      () => page.getByRole('textbox', { name: 'body' }).innerText(),
      '<img src="/img/room.png" alt="A &quot;bright&quot; room" width="40" height="20">',
    )
    assert.equal(await page.getByText('The entry was created.').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a column of files is filled from a folder', async () => {
    const table = await makeTable(server, 'name C(40), photo FILE, photos FILES')
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/data/${table.id}/new`)
    for (const [name, button] of [
      ['photo', 'Choose a file'],
      ['photos', 'Add files'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog', { name })
      await dialog.getByRole('searchbox').fill('room')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'room.png' }).click()
      if (name === 'photos') await dialog.getByRole('button', { name: 'Add 1 file' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('group', { name: 'Photo optional' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('The entry was created.').waitFor()
    const { body } = await server.call('GET', `${table.url}/1?fields=*`)
    const { asset_file_id: id } = room
    assert.deepEqual([body.photo, body.photos], [id, [id]])
    assert.deepEqual(faults, [])
    await context.close()
  })

  /** Pastes or drops files in the middle of the text. */
  async function give(page: Page, kind: 'paste' | 'drop', names: readonly string[]) {
    const bytes = [...(await halves(6, 4).png().toBuffer())]
    const types = names.map((name) => (name.endsWith('.png') ? 'image/png' : 'application/pdf'))
    await page.evaluate(`{
      const data = new DataTransfer()
      const files = ${JSON.stringify(names)}.map((name, at) =>
        new File([new Uint8Array(${JSON.stringify(bytes)})], name, { type: ${JSON.stringify(types)}[at] }))
      for (const file of files) data.items.add(file)
      const line = document.querySelector('.cm-line')
      const { right, top } = line.firstChild.getBoundingClientRect?.() ?? line.getBoundingClientRect()
      const event = '${kind}' === 'paste'
        ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: data, clientX: right, clientY: top + 5, bubbles: true, cancelable: true })
      line.dispatchEvent(event)
    }`)
  }

  test('a pasted picture is uploaded beside the page, and its text can be typed', async () => {
    const { page, context, faults } = await openText('paste.html', '<p></p>')
    await page.keyboard.press('Control+Home')
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowRight')
    await give(page, 'paste', ['image.png'])
    await shows(() => textOf(page), /^<p><img src="[^"]+" alt="" width="6" height="4"><\/p>$/)
    await page.keyboard.type('A flag')
    const day = /\/news%20%28old%29\/(picture-\d{4}-\d\d-\d\d)-1\.png" alt="A flag"/
    const [, stem = ''] = day.exec(await textOf(page)) ?? []
    await page.getByText(`${stem}-1.png was uploaded.`).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Publish', exact: true }).click()
    const read = () => fileNamed(`${stem}-1.png`)
    await shows(async () => (await read()).live_version, 1)
    assert.equal((await read()).parent_category_id, news)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await shows(() => textOf(page), '<p></p>')
    await give(page, 'paste', ['image.png'])
    await shows(() => textOf(page), new RegExp(`${stem}-2.png`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('dropped files are inserted where they were dropped, while the person goes on writing', async () => {
    const { page, context } = await openText('drop.md', 'one\n\nend')
    let go: (() => void) | undefined
    const held = new Promise<void>((resolve) => (go = resolve))
    await context.route('**/api/v2/upload', async (route) => {
      await held
      await route.continue()
    })
    await give(page, 'drop', ['a [b].png', 'plan.pdf'])
    await page.locator('.text-pending').getByText('Uploading a [b].png').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' more')
    go?.()
    await shows(
      () => textOf(page),
      /^one!\[\]\(\/news%20%28old%29\/a%20%5Bb%5D\.png\)\n\[plan\]\(\/news%20%28old%29\/plan\.pdf\)\n\nend more$/,
    )
    await page.keyboard.type('!')
    await shows(() => textOf(page), /end more!$/)
    await context.close()
  })

  test('a picture that is pasted into an entry goes to the folder that the person chose', async () => {
    const table = await makeTable(server, 'name C(40), body MD')
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/data/${table.id}/new`)
    const body = page.getByRole('textbox', { name: 'body' })
    await body.fill('one')
    await give(page, 'paste', ['image.png'])
    const dialog = page.getByRole('dialog', { name: 'Folder for uploads' })
    await dialog.getByText('Files that you paste or drop into entries').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await shows(() => body.innerText(), 'one')
    await give(page, 'paste', ['image.png'])
    await dialog.getByRole('searchbox').fill('img')
    await dialog.getByRole('button', { name: /^img/ }).click()
    await dialog.getByRole('button', { name: 'Upload here' }).click()
    await shows(() => body.innerText(), /^one!\[\]\(\/img\/picture-[\d-]+\.png\)$/)
    await page.getByText('was uploaded to /Main/website/img.').waitFor()
    await give(page, 'drop', ['logo.png'])
    await shows(() => body.innerText(), /!\[\]\(\/img\/logo\.png\)/)
    await page.getByRole('button', { name: 'Change folder' }).last().click()
    await dialog.waitFor()
    assert.equal(await page.getByText('The entry was created.').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a failed upload leaves the text as it is', async () => {
    const { page, context } = await openText('full.html', '<p>one</p>')
    await context.route('**/api/v2/upload', (route) =>
      route.fulfill({ status: 507, json: { code: 'disk-full', title: 'x', detail: 'y' } }),
    )
    await give(page, 'paste', ['image.png'])
    await page.getByText(/-1\.png was not uploaded, and the text is unchanged/).waitFor()
    await page.locator('.text-pending').waitFor({ state: 'detached' })
    assert.equal(await textOf(page), '<p>one</p>')
    await context.close()
  })

  test('the dialog fits a phone and has no accessibility faults in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await openText(`${colorScheme}.html`, '', {
        width: 360,
        height: 700,
      })
      await page.emulateMedia({ colorScheme })
      const dialog = await ask(page, 'Insert image')
      await dialog.getByRole('searchbox').fill('room')
      await dialog.getByRole('button', { name: 'room.png' }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await context.close()
    }
  })
})
