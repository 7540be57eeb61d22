// Layout of pages: tiles show whole images, row menus stay inside the window, and the side bar folds to icons.

import assert from 'node:assert/strict'
import { deflateSync, crc32 } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, open, shows, startSite, visit } from './area.ts'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A white grayscale image. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, 255)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const SIZES = {
  portrait: [300, 900],
  square: [500, 500],
  wide: [900, 200],
  small: [20, 30],
} as const

describe('the list of files', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    for (const [name, [width, height]] of Object.entries(SIZES)) {
      await server.upload([
        { name: 'asset_category_id', value: '1' },
        {
          name: 'Filedata',
          fileName: `${name}-with-a-name-of-some-length.png`,
          bytes: png(width, height),
        },
      ])
    }
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const boxOf = async (place: Locator) => {
    const box = await place.boundingBox()
    assert.ok(box !== null)
    return box
  }

  test('shows all of a picture in its tile, whatever its shape', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context, faults } = visited
    await open(visited, server.url, { path: '/content/1', heading: 'Main' })
    await page.getByRole('button', { name: 'Tiles' }).click()
    await shows(() => page.locator('.thumbnail img').count(), Object.keys(SIZES).length)
    for (const picture of await page.locator('.thumbnail').all()) {
      const frame = await boxOf(picture)
      const image = await boxOf(picture.locator('img'))
      // object-fit scales the image within its box, so the box has to lie in the frame.
      assert.ok(image.height <= frame.height + 0.5, `${image.height} in ${frame.height}`)
      assert.ok(image.y >= frame.y - 0.5 && image.x >= frame.x - 0.5)
      assert.ok(Math.abs(frame.width / frame.height - 4 / 3) < 0.03)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('explains how to search if a name contains *', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: '/content/1', heading: 'Main' })
    const field = page.getByRole('searchbox', { name: 'Search by name' })
    await field.fill('*.png')
    await page.getByText('The search does not support wildcards.').waitFor()
    await field.fill('.png')
    await page.getByRole('link', { name: /^square/ }).waitFor()
    await context.close()
  })

  for (const width of [1_024, 800, 360]) {
    test(`has the menu of a row inside a window of ${width} px`, async () => {
      const viewport = { width, height: 768 }
      const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
      const { page, context } = visited
      await open(visited, server.url, { path: '/content/1', heading: 'Main' })
      const opener = page.getByRole('button', { name: 'Actions for square' })
      const box = await boxOf(opener)
      assert.ok(box.x >= 0 && box.x + box.width <= width, `from ${box.x} to ${box.x + box.width}`)
      // An element above the button would receive the click.
      await opener.click({ timeout: 5_000 })
      const menu = await boxOf(page.getByRole('menu'))
      assert.ok(menu.x >= 0 && menu.x + menu.width <= width)
      await context.close()
    })
  }

  test('leaves more room when the side bar is folded, also after a reload', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: 1_024, height: 700 }
      const options = { url: server.url, user: 'admin', viewport, colorScheme }
      const { page, context, faults } = await visit(browser, options)
      await page.goto(`${server.url}/admin/content`)
      await page.getByRole('heading', { level: 1, name: 'Main' }).waitFor()
      const widthOf = async () => Math.round((await boxOf(page.locator('.side'))).width)
      const wide = await widthOf()
      await page.getByRole('button', { name: 'Collapse sidebar' }).click()
      await shows(widthOf, 56)
      await page.reload()
      await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
      assert.equal(await widthOf(), 56)
      const link = page.getByRole('link', { name: 'Trash' })
      assert.ok((await boxOf(link)).width <= 56)
      assert.equal(await link.locator('..').getAttribute('title'), 'Trash')
      assert.deepEqual(await axeFaults(page), [])
      await link.click()
      await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
      await page.keyboard.press('Control+j')
      await shows(widthOf, wide)
      assert.deepEqual(faults, [])
      await context.close()
    }
  })
})
