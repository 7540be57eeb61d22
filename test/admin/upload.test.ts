// Uploads in the administration area: dropped or chosen files, names that exist, failures, and resuming.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { temporaryDirectory, type TestServer } from '../helpers/server.ts'
import { axeFaults, startSite, visit } from './area.ts'

describe('uploads', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let made = 0
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** Opens a new folder. */
  async function openFolder() {
    made += 1
    const name = `Folder ${made}`
    const json = { name, parent_category_id: 1 }
    const { body } = await server.call('POST', '/api/v2/asset_category', { json })
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    await visited.page.goto(`${server.url}/admin/content/${body.asset_category_id}`)
    await visited.page.getByText('No files here yet').waitFor()
    return { folderId: Number(body.asset_category_id), ...visited }
  }

  async function filesIn(folderId: number): Promise<readonly any[]> {
    const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folderId }))
    const path = `/api/v2/asset_file?qry=${qry}&orderStr=name&length=1000`
    return (await server.call('GET', path)).body.asset_file
  }

  const choose = (page: Page, files: Readonly<Record<string, string>>) =>
    page.setInputFiles(
      'input[type=file] >> nth=0',
      Object.entries(files).map(([name, text]) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      })),
    )

  test('drafts with dead addresses are published only after a question', async () => {
    const { page, folderId, context, faults } = await openFolder()
    const text = '<p><a href="nowhere.html">more</a></p>'
    await page.setInputFiles('input[type=file] >> nth=0', [
      { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(text) },
    ])
    await page.getByRole('button', { name: 'Publish 1 file' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('nowhere.html').waitFor()
    assert.equal((await filesIn(folderId))[0].live_version, null)
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    await page.getByText('Live.').waitFor()
    assert.equal((await filesIn(folderId))[0].live_version, 1)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('many files are uploaded, listed, and published on request', async () => {
    const { page, folderId, context, faults } = await openFolder()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    // The choice keeps the menu open, by mouse and by keyboard.
    await page.getByRole('menuitemradio', { name: 'Publish immediately' }).click()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Keep as drafts', checked: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('menuitemradio', { name: 'Publish immediately', checked: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const names = Array.from({ length: 40 }, (_, at) => `page-${at + 100}.txt`)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Files…' }).click(),
    ])
    await chooser.setFiles(
      names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
    )
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByText('40 files uploaded').waitFor()
    await page.getByRole('link', { name: 'page-139.txt', exact: true }).waitFor()
    const files = await filesIn(folderId)
    assert.deepEqual(
      files.map(({ name }) => name),
      names,
    )
    assert.ok(files.every(({ live_version: live }) => live === 1))
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a taken name offers the next version, both files, or none', async () => {
    const { page, folderId, context } = await openFolder()
    await choose(page, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    await page.getByText('3 files uploaded').waitFor()
    await choose(page, { 'A.txt': 'more', 'b.txt': 'more', 'c.txt': 'more' })
    await page.getByText('3 names are taken.').waitFor()
    const answer = (name: string, text: string) =>
      page
        .getByRole('group', { name: `The name ${name} is already taken` })
        .getByRole('button', { name: text })
        .click()
    await answer('A.txt', 'Add as new version')
    await answer('b.txt', 'Keep both')
    await answer('c.txt', 'Skip')
    await page.getByText('5 files uploaded').waitFor()
    const files = await filesIn(folderId)
    assert.deepEqual(
      files.map(({ name, version }) => [name, version]),
      [
        ['a.txt', 2],
        ['b (2).txt', 1],
        ['b.txt', 1],
        ['c.txt', 1],
      ],
    )
    await context.close()
  })

  test('dropped folders are created, and an existing folder is used', async () => {
    const { page, folderId, context } = await openFolder()
    await server.call('POST', '/api/v2/asset_category', {
      json: { name: 'img', parent_category_id: folderId },
    })
    // A script cannot drop real folders, so the test imitates their entries.
    await page.evaluate(`{
      const file = (name) => ({ isFile: true, isDirectory: false, name, file: (done) => done(new File(['x'], name)) })
      const folder = (name, entries) => ({ isFile: false, isDirectory: true, name, createReader: () => {
        const parts = [entries, []]
        return { readEntries: (done) => done(parts.shift()) }
      } })
      const entries = [file('top.txt'), folder('IMG', [file('one.txt'), folder('deep', [file('two.txt')])])]
      const event = new DragEvent('drop', { bubbles: true, cancelable: true })
      const dataTransfer = { types: ['Files'], items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.querySelector('.drop-zone').dispatchEvent(event)
    }`)
    await page.getByText('3 files uploaded').waitFor()
    const { body } = await server.call('GET', '/api/v2/asset_file?fields=path&orderStr=name')
    const paths = body.asset_file
      .map(({ path }: { readonly path: string }) => path)
      .filter((path: string) => path.startsWith(`/Main/Folder ${made}/`))
      .map((path: string) => path.split('/').slice(3).join('/'))
    assert.deepEqual(paths, ['img/one.txt', 'top.txt', 'img/deep/two.txt'])
    await context.close()
  })

  test('the content of a chosen folder lands in the open folder, and a chosen folder is created', async () => {
    const { page, context, faults } = await openFolder()
    const parent = `/Main/Folder ${made}/`
    const directory = temporaryDirectory()
    await mkdir(join(directory, 'my-site', 'img'), { recursive: true })
    for (const name of ['index.html', 'img/logo.svg'])
      await writeFile(join(directory, 'my-site', name), name)
    const chooseFolder = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('menuitem', { name, exact: true }).click(),
      ])
      await chooser.setFiles(join(directory, 'my-site'))
    }
    await chooseFolder('Folder contents…')
    await page.getByText('2 files uploaded').waitFor()
    await page.getByRole('link', { name: 'index.html', exact: true }).waitFor()
    await chooseFolder('Folder…')
    await page.getByText('4 files uploaded').waitFor()
    const { body } = await server.call('GET', '/api/v2/asset_file?fields=path')
    const paths = body.asset_file
      .filter(({ path }: { readonly path: string }) => path.startsWith(parent))
      .map(({ path }: { readonly path: string }) => path.slice(parent.length))
    assert.deepEqual(paths.toSorted(), [
      'img/logo.svg',
      'index.html',
      'my-site/img/logo.svg',
      'my-site/index.html',
    ])
    assert.deepEqual(faults, [])
    await rm(directory, { recursive: true })
    await context.close()
  })

  test('uploads continue on other pages, and one can be canceled and retried', async () => {
    const { page, folderId, context } = await openFolder()
    let held: (() => void) | undefined
    const until = new Promise<void>((resolve) => {
      held = resolve
    })
    await context.route('**/api/v2/upload', async (route) => {
      await until
      // Canceled requests can no longer continue.
      await route.continue().catch(() => undefined)
    })
    await choose(page, { '1.txt': '1', '2.txt': '2', '3.txt': '3', '4.txt': '4' })
    await page.getByText('0 of 4 uploaded').waitFor()
    await page.getByRole('button', { name: 'Cancel 2.txt' }).click()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    held?.()
    await page.getByText('3 files uploaded').waitFor()
    assert.equal((await filesIn(folderId)).length, 3)
    await page.getByRole('button', { name: 'Retry 2.txt' }).click()
    await page.getByText('4 files uploaded').waitFor()
    assert.equal((await filesIn(folderId)).length, 4)
    await context.close()
  })

  test('a new version of another type asks whether the file takes name and type', async () => {
    const { page, folderId, context } = await openFolder()
    await choose(page, { 'report.docx': 'docx' })
    await page.getByText('1 file uploaded').waitFor()
    await page.getByRole('link', { name: 'report.docx', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'report.docx' }).waitFor()
    const replace = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for this file' }).click()
      const coming = page.waitForEvent('filechooser')
      await page.getByRole('menuitem', { name: 'Replace' }).click()
      const buffer = Buffer.from(`%PDF ${name}`)
      await (await coming).setFiles({ name, mimeType: 'application/pdf', buffer })
    }
    const question =
      'report.pdf has a different type than report.docx. Use the new name and the type pdf?'
    const ask = page.getByRole('group', { name: question })
    await replace('report.pdf')
    await ask.getByRole('button', { name: 'Skip' }).click()
    await ask.waitFor({ state: 'detached' })
    assert.equal((await filesIn(folderId))[0].version, 1)
    await replace('report.pdf')
    await ask.getByRole('button', { name: 'Use new name and type' }).click()
    // The page shows the new version as soon as it is stored.
    await page.getByRole('heading', { level: 1, name: 'report.pdf' }).waitFor()
    const [file] = await filesIn(folderId)
    assert.deepEqual([file.name, file.type, file.version], ['report.pdf', 'pdf', 2])
    // Replacing a file with a file of the same type needs no confirmation.
    await replace('other.PDF')
    await page.getByText('3 files uploaded').waitFor()
    assert.equal((await filesIn(folderId))[0].version, 3)
    await context.close()
  })

  test('failed uploads are listed and can all be retried', async () => {
    const { page, folderId, context } = await openFolder()
    await context.route('**/api/v2/upload', (route) =>
      route.fulfill({ status: 507, json: { code: 'disk-full', title: 'x', detail: 'y' } }),
    )
    await choose(page, { '1.txt': '1', '2.txt': '2' })
    await page.getByText('The server’s disk is full.').first().waitFor()
    await context.unroute('**/api/v2/upload')
    await page.getByRole('button', { name: 'Retry 2 uploads', exact: true }).click()
    await page.getByText('2 files uploaded').waitFor()
    assert.equal((await filesIn(folderId)).length, 2)
    await context.close()
  })
})
