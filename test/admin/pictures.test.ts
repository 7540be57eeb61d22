// Pictures in the administration area: thumbnails, the alternative text, the focal point, and the named sizes.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder, newName, uploadFile } from '../helpers/content.ts'
import { halves } from '../helpers/pictures.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, startSite, visit } from './area.ts'

describe('pictures', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite({ config: { picturePresets: new Map([['thumb', { width: 80 }]]) } })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function makePicture(): Promise<any> {
    const bytes = await halves(1200, 800).png().toBuffer()
    return uploadFile(server, bytes, { fileName: newName('png') })
  }

  const read = async (id: number): Promise<any> =>
    (await server.call('GET', `/api/v2/asset_file/${id}`)).body

  for (const width of [1200, 360])
    test(`the details of a picture edit its text and its focal point, ${width} px wide`, async () => {
      const { asset_file_id: id } = await makePicture()
      const { page, context, faults } = await visit(browser, {
        url: server.url,
        user: 'admin',
        viewport: { width, height: 900 },
      })
      await page.goto(`${server.url}/admin/content/file/${id}`)
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByLabel('Alternative text').fill('Two halves')
      const picture = page.locator('.focus-picture')
      const { width: across = 0, height: down = 0 } = (await picture.boundingBox()) ?? {}
      await picture.click({ position: { x: across * 0.25, y: down * 0.75 } })
      await page.getByLabel('From the top').press('ArrowLeft')
      assert.ok(await page.getByText('1200 × 800').isVisible())
      assert.ok(await page.getByText(`?preset=thumb`).isVisible())
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved').first().waitFor()
      const { alt_text: text, focus } = await read(id)
      assert.deepEqual([text, focus], ['Two halves', '0.25,0.74'])

      await page.getByRole('button', { name: 'Use the center' }).click()
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await saved
      assert.equal((await read(id)).focus, null)
      assert.deepEqual(faults, [])
      await context.close()
    })

  for (const width of [1024, 360])
    test(`a picture names the pages that use it, also before it is deleted, ${width} px wide`, async () => {
      const picture = await makePicture()
      const { asset_file_id: id, name } = picture
      const page1 = await makeFile(server, { name: newName(), pageContent: `<img src="${name}">` })
      const { page, context, faults } = await visit(browser, {
        url: server.url,
        user: 'admin',
        viewport: { width, height: 900 },
      })
      await page.goto(`${server.url}/admin/content/file/${id}`)
      await page.getByRole('tab', { name: 'Details' }).click()
      const uses = page.getByRole('region', { name: 'Used in' })
      await uses.getByRole('link', { name: page1.path }).waitFor()
      await uses.getByText('not in the live version').waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await page.getByRole('button', { name: 'Actions for this file', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByText('Used in 1 place.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await uses.getByRole('link', { name: page1.path }).click()
      await page.getByRole('heading', { name: page1.name }).waitFor()
      await page.getByRole('tab', { name: 'Details' }).click()
      await uses.getByText('No page, menu or entry that you can see uses this file.').waitFor()
      assert.deepEqual(faults, [])
      await context.close()
    })

  test('a picture that only decorates has an empty text, and can get a text again', async () => {
    const { asset_file_id: id } = await makePicture()
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/file/${id}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    const decorates = page.getByLabel('Decorative image')
    const text = page.getByLabel('Alternative text')
    const save = async (): Promise<void> => {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await saved
    }
    await decorates.press('Space')
    await text.waitFor({ state: 'hidden' })
    assert.deepEqual(await axeFaults(page), [])
    await save()
    assert.equal((await read(id)).alt_text, '')
    await page.reload()
    await page.getByRole('tab', { name: 'Details' }).click()
    assert.equal(await decorates.isChecked(), true)
    await decorates.uncheck()
    await save()
    assert.equal((await read(id)).alt_text, null)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the upload panel asks for the texts of new pictures, which can be skipped', async () => {
    const { asset_category_id: folderId } = await makeFolder(server)
    const { page, context, faults } = await visit(browser, {
      url: server.url,
      user: 'admin',
      viewport: { width: 360, height: 800 },
    })
    await page.goto(`${server.url}/admin/content/${folderId}`)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Publish immediately' }).click()
    const buffer = await halves(60, 40).png().toBuffer()
    const choose = (...names: readonly string[]) =>
      page.setInputFiles(
        'input[type=file] >> nth=0',
        names.map((name) => {
          const mimeType = name.endsWith('png') ? 'image/png' : 'text/plain'
          return { name, mimeType, buffer }
        }),
      )
    await choose('one.png', 'two.png', 'notes.txt')
    const panel = page.getByRole('region', { name: 'Describe the new images' })
    await panel.getByLabel('Alternative text of one.png').fill(' Two halves ')
    assert.equal(await panel.getByRole('textbox').count(), 2)
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(await isTooWide(page), false)
    await panel.getByRole('button', { name: 'Save alternative text' }).press('Enter')
    await page.getByText('Alternative text saved for 1 image.').waitFor()
    await panel.waitFor({ state: 'hidden' })
    const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folderId }))
    const list = `/api/v2/asset_file?orderStr=name&qry=${qry}`
    const { asset_file: files } = (await server.call('GET', list)).body
    assert.deepEqual(
      files.map((file: any) => [file.name, file.alt_text, file.version, file.live_version]),
      [
        ['notes.txt', null, 1, 1],
        ['one.png', 'Two halves', 2, 2],
        ['two.png', null, 1, 1],
      ],
    )

    await choose('three.png')
    await panel.getByRole('button', { name: 'Skip' }).press('Enter')
    await panel.waitFor({ state: 'hidden' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  for (const [deviceScaleFactor, width] of [
    [1, 240],
    [2, 480],
  ] as const)
    test(`a tile shows ${width} pixels from the server, and a blurred picture before`, async () => {
      const { asset_file_id: id } = await makePicture()
      const options = { url: server.url, user: 'admin', deviceScaleFactor }
      const { page, context, faults } = await visit(browser, options)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      let release: (() => void) | undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(`**/file/${id}/**`, async (route) => {
        await held
        await route.continue()
      })
      await page.goto(`${server.url}/admin/content/1?sort=-date_modified`)
      await page.getByRole('button', { name: 'Tiles' }).click()
      const first = page.locator('.thumbnail').first()
      await first.locator('img[src^="data:"]').waitFor()
      release?.()
      const shown = first.locator('img[src^="blob:"]')
      await shown.waitFor()
      assert.equal(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth), width)
      assert.ok(asked.some((url) => url.includes(`/file/${id}/`) && url.includes(`width=${width}`)))
      assert.ok(!asked.some((url) => url.includes(`/asset_file/${id}/versions/1/content`)))
      assert.deepEqual(faults, [])
      await context.close()
    })
})
