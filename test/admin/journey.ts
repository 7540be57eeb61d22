// The first day of an editor who knows WordPress: a folder becomes a website, and its menu, its pictures and its pages
// change. The steps are the same in all browsers and widths, and count the clicks and the filled fields of a person.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../helpers/nginx.ts'
import { halves } from '../helpers/pictures.ts'
import { temporaryDirectory, type TestServer } from '../helpers/server.ts'
import { PASSWORD, shows, startSite, visit, type VisitOptions } from './area.ts'

export const PAGE_NAMES = [
  ...['index', 'about', 'team', 'services', 'prices', 'contact'],
  ...['news', 'press', 'jobs', 'imprint', 'privacy', 'visit'],
]
const PICTURES = 20
/** The layout uses the first menu of the site. */
const LAYOUT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>[page_title]</title></head>
<body><nav aria-label="Main">[menu group=1]</nav><main>[page_content]</main></body></html>`

export interface Journey {
  readonly server: TestServer
  /** The origin of the website. */
  readonly site: string
  /** The folder on the disk of the editor. */
  readonly folder: string
  readonly picture: string
}

export async function startJourney(): Promise<Journey> {
  const port = await freePort()
  const site = `http://site.localhost:${port}`
  const config = { port, sites: [{ origin: site, folder: '/Main/website' }] }
  const place = temporaryDirectory()
  const folder = join(place, 'website')
  mkdirSync(join(folder, 'img'), { recursive: true })
  for (const name of PAGE_NAMES)
    writeFileSync(
      join(folder, `${name}.html`),
      `<!doctype html><title>Our ${name} &amp; you</title><h1>${name}</h1><img src="/img/photo-1.png" alt="">`,
    )
  writeFileSync(join(folder, 'layout.html'), LAYOUT)
  for (let at = 1; at <= PICTURES; at += 1)
    writeFileSync(
      join(folder, 'img', `photo-${at}.png`),
      await halves(30 + at, 20)
        .png()
        .toBuffer(),
    )
  const picture = join(place, 'new.png')
  writeFileSync(picture, await halves(99, 20).png().toBuffer())
  return { server: await startSite({ config }), site, folder, picture }
}

export interface Effort {
  readonly step: string
  readonly clicks: number
  readonly fields: number
}

/** Counts presses of the pointer, and fields that got a text or an option. */
const COUNTER = `addEventListener('pointerdown', () => { counted.clicks += 1 }, true)
addEventListener('input', ({ target }) => {
  if (target.type !== 'file' && target.type !== 'checkbox') counted.fields.add(target)
}, true)
globalThis.counted = { clicks: 0, fields: new Set() }`

interface Place extends Journey {
  readonly page: Page
  readonly browser: Browser
}

/** Does everything, checks what visitors get, and returns the faults of the pages. */
export async function travel(journey: Journey, browser: Browser, options: Partial<VisitOptions>) {
  const visited = await visit(browser, { ...options, url: journey.server.url, user: 'admin' })
  const { page, context, faults } = visited
  await context.addInitScript(COUNTER)
  await page.goto(`${journey.server.url}/admin`)
  await page.getByRole('heading', { level: 1, name: 'Welcome, admin' }).waitFor()
  const efforts: Effort[] = []
  for (const [step, run] of Object.entries(STEPS)) {
    await page.evaluate('counted.clicks = 0, counted.fields.clear()')
    await run({ ...journey, page, browser })
    const [clicks, fields] = await page.evaluate<[number, number]>(
      '[counted.clicks, counted.fields.size]',
    )
    efforts.push({ step, clicks, fields })
  }
  await context.close()
  return { efforts, faults }
}

const STEPS: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  async 'upload a site'({ page, browser, folder }) {
    await go(page, 'Content')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Folder…', exact: true }).click(),
    ])
    if (browser.browserType().name() === 'firefox') await chooseInFirefox(page, folder)
    else await chooser.setFiles(folder)
    await page.getByText('33 files uploaded').waitFor()
  },

  async 'make it public'({ page, site }) {
    await page.getByRole('button', { name: 'Actions for website' }).click()
    await page.getByRole('menuitem', { name: 'Publish all' }).click()
    await page.getByLabel('Make this folder public').check()
    await page.getByLabel('Use layout.html as the layout of all pages').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish 33 files' }).click()
    // The layout names a menu that is made later.
    const broken = page.getByRole('dialog', { name: 'Publish with broken links?' })
    await broken.getByText('layout.html: menu 1').waitFor()
    await broken.getByRole('button', { name: 'Publish anyway' }).click()
    await page.getByText('33 files published.').waitFor()
    await page.getByRole('button', { name: 'View website' }).waitFor()
    assert.match((await read(`${site}/about`)).text, /<main><h1>about<\/h1>/)
  },

  async 'make a menu'({ page, site }) {
    await go(page, 'Menus')
    await page.getByRole('button', { name: 'New menu' }).click()
    await page.getByRole('button', { name: 'Create menu' }).click()
    await choosePages(page, ['index.html', 'about.html', 'news.html'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual(await menuOf(site), ['Our index & you', 'Our about & you', 'Our news & you'])
  },

  async 'change the menu'({ page, site }) {
    await go(page, 'Menus')
    await page.getByRole('link', { name: 'Main menu' }).click()
    await page.getByRole('button', { name: 'Move Our news & you up' }).click()
    await page.getByRole('button', { name: 'Add pages' }).click()
    await choosePages(page, ['prices.html'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Change published pages?' })
    await question.getByText('/website/about.html').waitFor()
    await question.getByRole('button', { name: 'Save', exact: true }).click()
    await shows(
      () => menuOf(site),
      ['Our index & you', 'Our news & you', 'Our about & you', 'Our prices & you'],
    )
  },

  async 'replace a picture'({ page, site, picture }) {
    await go(page, 'Content')
    await page.getByRole('link', { name: 'website', exact: true }).click()
    await page.getByRole('link', { name: 'img', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for photo-3.png' }).click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Replace' }).click(),
    ])
    await chooser.setFiles(picture)
    await page.getByRole('button', { name: 'Publish 1 file' }).click()
    await page.getByText('Live.').waitFor()
    assert.equal((await read(`${site}/img/photo-3.png`)).bytes.readUInt32BE(16), 99)
  },

  async 'make a table for press releases'({ page }) {
    await go(page, 'Data')
    await page.getByRole('link', { name: 'New datatable' }).first().click()
    await page.getByRole('button', { name: 'News' }).click()
    await page.getByLabel('Name', { exact: true }).first().fill('Press releases')
    await page.getByRole('button', { name: 'Create datatable' }).click()
    await page.getByRole('heading', { level: 1, name: 'Press releases' }).waitFor()
  },

  async 'write a press release with a picture'({ page, server }) {
    await page.getByRole('link', { name: 'New entry' }).first().click()
    await page.getByLabel('Title').fill('We open in May')
    await chooseImage(page, 'photo-3.png')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('We open in May').waitFor()
    const { body } = await server.call(
      'GET',
      '/api/v2/module/datatable/1/press-releases/1?fields=*',
    )
    assert.equal(body.title, 'We open in May')
    assert.ok(body.image > 0)
  },

  async 'schedule a page'({ page, server }) {
    await go(page, 'Content')
    await page.getByRole('link', { name: 'website', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for press.html' }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    await page.getByLabel(/^Unpublish at/).fill('2099-07-01T09:00')
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved.').waitFor()
    const { body } = await server.call('GET', '/api/v2/asset_file?qry={"name":"press.html"}')
    assert.match(body.asset_file[0].unpublish_at, /^2099-0[67]-/)
  },

  async 'delete a page and undo'({ page, site }) {
    await page.getByRole('button', { name: 'Actions for jobs.html' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    // An earlier message may offer Undo, too.
    await shows(async () => (await read(`${site}/jobs`)).status, 404)
    await page.getByText('1 file deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await shows(async () => (await read(`${site}/jobs`)).status, 200)
  },

  async 'invite a colleague'({ page, browser, server, site }) {
    await go(page, 'Users')
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('Name', { exact: true }).fill('grace')
    await page.getByRole('button', { name: 'Create user' }).click()
    const link = await page.getByRole('group', { name: 'Link' }).innerText()

    const guest = await visit(browser, { url: server.url })
    await guest.page.goto(link)
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.getByLabel('Repeat password').fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Set password' }).click()
    await guest.page.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
    await go(guest.page, 'Content')
    await guest.page.getByRole('link', { name: 'website', exact: true }).click()
    await guest.page.getByRole('button', { name: 'Actions for team.html' }).click()
    await guest.page.getByRole('menuitem', { name: 'Edit' }).click()
    await guest.page.locator('.cm-content').waitFor()
    await guest.page.locator('.cm-content').click()
    await guest.page.keyboard.type('Grace was here. ')
    await guest.page.getByRole('button', { name: 'More save options' }).click()
    await guest.page.getByRole('menuitem', { name: 'Save and publish' }).click()
    await shows(async () => (await read(`${site}/team`)).text, /Grace was here/)
    assert.deepEqual(guest.faults, [])
    await guest.context.close()
  },
}

/** The protocol of Firefox sets files and no folders, so the page gets the files that its input would have. */
async function chooseInFirefox(page: Page, folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({
      name,
      path: `website/${relative(folder, join(parentPath, name))}`,
      type: name.endsWith('.png') ? 'image/png' : 'text/html',
      data: readFileSync(join(parentPath, name), 'base64'),
    }))
  await page.evaluate(`{
    const input = document.querySelector('input[webkitdirectory]')
    const files = ${JSON.stringify(files)}.map(({ name, path, type, data }) => {
      const bytes = Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))
      return Object.defineProperty(new File([bytes], name, { type }), 'webkitRelativePath', { value: path })
    })
    Object.defineProperty(input, 'files', { configurable: true, value: files })
    input.dispatchEvent(new Event('change', { bubbles: true }))
    delete input.files
  }`)
}

/** Opens a page of the side bar, which is a drawer on a narrow screen. */
async function go(page: Page, name: string): Promise<void> {
  const drawer = page.getByRole('button', { name: 'Open menu' })
  if (await drawer.isVisible()) await drawer.click()
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click()
  const heading = name === 'Content' ? 'Main' : name
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

/** A new menu opens the dialog by itself. */
async function choosePages(page: Page, names: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const name of names) await dialog.getByText(name, { exact: true }).click()
  await dialog.getByRole('button', { name: /^Add \d+ file/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function chooseImage(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /Choose/ }).click()
  await page.getByRole('dialog').getByRole('searchbox').fill(name)
  await page.getByRole('dialog').getByText(name, { exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

async function read(url: string) {
  const { port, pathname, hostname } = new URL(url)
  const { request } = await import('undici')
  const address = `http://127.0.0.1:${port}${pathname}`
  const { statusCode: status, body } = await request(address, {
    headers: { host: `${hostname}:${port}` },
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  return { status, bytes, text: bytes.toString() }
}

/** The texts of the links in the menu of a page. */
async function menuOf(site: string): Promise<readonly string[]> {
  const { text } = await read(`${site}/about`)
  const [menu = ''] = /<nav[^]*<\/nav>/.exec(text) ?? []
  return [...menu.matchAll(/<a [^>]*>([^<]*)</g)].map(([, name = '']) => name.replace('&amp;', '&'))
}
