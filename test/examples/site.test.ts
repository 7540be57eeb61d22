// The example of examples/site, as its README describes. A seed script fills an empty server, and a browser opens both
// front ends. `npm run rig:example` also installs and tests the front end in Astro from the package registry.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { BIN, type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { freePort } from '../helpers/nginx.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const EXAMPLE = join(dirname(dirname(BIN)), 'examples/site')
const README = readFileSync(join(EXAMPLE, 'README.md'), 'utf8')
const DEFAULT_SERVER = 'http://127.0.0.1:8080'
const MAX_LINES = 150

/** A page that tries to run scripts in the front end. */
const HOSTILE = `<h1>Hostile</h1><script>document.title = 'ran'</script>
<img src="missing.svg" onerror="document.title = 'ran'"><a href="javascript:document.title = 'ran'">Click</a>`

const noAstro = process.env['CMS_RIG'] === 'full' ? false : 'runs by npm run rig:example'

const run = promisify(execFile)
const directory = temporaryDirectory()
const children: ChildProcess[] = []
let server: ChildServer
let browser: Browser

before(async () => {
  const dataDir = newDataDirectory()
  server = await startChild(dataDir, ['--docs', 'keyed'])
  const key = await makeKey(dataDir)
  const env = { ...process.env, CMS_URL: server.url, CMS_KEY: key }
  await run('sh', [join(EXAMPLE, 'seed.sh')], { env })
  const json = {
    name: 'hostile.html',
    type: 'html',
    parent_category_id: 13,
    pageContent: HOSTILE,
    fileState: 'publish',
  }
  const { status, text } = await send(server.url, 'POST', '/api/v2/asset_file', { key, json })
  assert.equal(status, 201, text)
  const pages = '/api/v2/module/datatable/1/pages'
  const row = { title: 'Hostile', file: 'hostile.html' }
  assert.equal((await send(server.url, 'POST', pages, { key, json: row })).status, 201)
  if (NO_BROWSER === false) browser = await openBrowser()
})
after(async () => {
  // Astro is started by npm, so the signal goes to the process group.
  for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  await browser?.close()
  await server.kill('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
  removeDataDirectories()
})

/** Starts a command and returns the address in its output. */
async function addressOf(command: string, cwd: string): Promise<string> {
  const env = {
    ...process.env,
    CMS_URL: server.url,
    PYTHONUNBUFFERED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
  }
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: 'pipe' })
  children.push(child)
  let told = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (part) => (told += part))
  for (;;) {
    const [, url] = /(http:\/\/[\w.]+:\d+\/)/.exec(told) ?? []
    if (url !== undefined) return url
    if (child.exitCode !== null) throw new Error(`${command} ended: ${told}`)
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  }
}

function servingCommand(folder: string): string {
  const [command = ''] = /^python3 .*$/m.exec(README) ?? []
  return command.replace('8081', '0').replace('examples/site/plain', folder)
}

/** Opens every page of the site by its links, as a visitor does. The console of the browser has no errors. */
async function visit(page: Page, url: string): Promise<void> {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(url)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()
  const isCurrent = (name: string) =>
    page.locator('nav a[aria-current=page]').getByText(name, { exact: true }).waitFor()
  await heading('Rosehaven')
  await isCurrent('Home')
  await requirePictures(page, ['harbour.svg'])
  await follow('about the town')
  await heading('About the town')
  await requirePictures(page, ['library.svg'])
  await follow('Press')
  await heading('Press releases')
  await isCurrent('Press')
  await requirePictures(page, ['harbour.svg', 'library.svg'])
  assert.deepEqual(await page.getByRole('heading', { level: 2 }).allTextContents(), [
    'The lighthouse is white again',
    'The library opens on Saturdays',
  ])
  assert.deepEqual(await page.getByRole('time').allTextContents(), [
    'Saturday, 3 October 2026',
    'Saturday, 12 September 2026',
  ])
  assert.equal(await page.getByText('New mooring fees').count(), 0)
  await follow('Calendar')
  await heading('Calendar')
  const events = (await page.getByRole('listitem').allTextContents()).map((text) => text.trim())
  // The market takes place on each of at least four Saturdays in 35 days, at eight o'clock in its time zone.
  const markets = events.filter((text) =>
    /Saturday, .*, 08:00\s+Market \(Harbour square\)/.test(text),
  )
  assert.ok(markets.length >= 4, events.join('\n'))
  const feed = page.getByRole('link', { name: 'Subscribe to this calendar' })
  const address = (await feed.getAttribute('href')) ?? ''
  assert.match(await (await fetch(address)).text(), /^BEGIN:VCALENDAR/)
  await follow('Home')
  await heading('Rosehaven')
  assert.deepEqual(errors, [])
}

async function requirePictures(page: Page, names: readonly string[]): Promise<void> {
  await page.waitForFunction(() => {
    // Typed as a script of the browser, whose types this project does not load for tests.
    const { images } = (globalThis as any).document
    return [...images].every(({ complete, naturalWidth }: any) => complete && naturalWidth > 0)
  })
  const images = await page.locator('img').all()
  const sources = await Promise.all(images.map((image) => image.getAttribute('src')))
  assert.deepEqual(
    sources,
    names.map((name) => `${server.url}/file/13/${name}`),
  )
}

async function requireNoScripts(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', { name: 'Hostile' }).click()
  await page.getByRole('heading', { name: 'Hostile' }).waitFor()
  await page.waitForFunction(() => {
    const [image] = (globalThis as any).document.images
    return image?.complete === true
  })
  await page.getByRole('link', { name: 'Click' }).click()
  assert.equal(await page.title(), 'Hostile')
}

test('each front end has at most 150 lines', () => {
  for (const name of ['plain', 'astro']) {
    const root = join(EXAMPLE, name)
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:html|css|m?js|ts|astro)$/.test(path))
      .filter((path) => !/^(?:node_modules|dist|\.astro)\/|types\.ts$/.test(path))
    const counts = paths.map(
      (path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1,
    )
    const total = counts.reduce((sum, count) => sum + count)
    assert.ok(total <= MAX_LINES, `${name}: ${total}`)
  }
})

test('the types of the Astro front end match the seeded server', async () => {
  const { stdout } = await runCli(['types', '--url', server.url])
  assert.equal(readFileSync(join(EXAMPLE, 'astro/src/types.ts'), 'utf8'), stdout)
})

describe('the front ends in a browser', { skip: NO_BROWSER }, () => {
  async function inPage(use: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await use(page)
    assert.deepEqual(errors, [])
    await context.close()
  }

  test('the plain front end shows all content and runs no script of a page', async () => {
    const copy = join(directory, 'plain')
    cpSync(join(EXAMPLE, 'plain'), copy, { recursive: true })
    const script = readFileSync(join(copy, 'site.js'), 'utf8')
    assert.ok(script.includes(DEFAULT_SERVER))
    writeFileSync(join(copy, 'site.js'), script.replace(DEFAULT_SERVER, server.url))
    const url = await addressOf(servingCommand(copy), directory)
    await inPage((page) => visit(page, url))
    await inPage((page) => requireNoScripts(page, url))
    await inPage(async (page) => {
      await page.goto(`${url}#${encodeURIComponent('../../api/v2/me')}`)
      await page.getByText('This page does not exist.').waitFor()
      await page.goto(`${url}#%`)
      await page.getByRole('alert').waitFor()
    })
  })

  test('the Astro front end shows all content, fits its types and is built', {
    skip: noAstro,
  }, async () => {
    const copy = join(directory, 'astro')
    cpSync(join(EXAMPLE, 'astro'), copy, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|dist|\.astro)$/.test(path),
    })
    const env = { ...process.env, CMS_URL: server.url, ASTRO_TELEMETRY_DISABLED: '1' }
    const npm = (...args: string[]) => run('npm', args, { cwd: copy, env })
    await npm('install', '--no-audit')
    await npm('run', 'check')
    const url = await addressOf(`npm start -- --port ${await freePort()}`, copy)
    await inPage((page) => visit(page, url))
    await npm('run', 'build')
    const built = await addressOf(servingCommand(join(copy, 'dist')), directory)
    await inPage((page) => visit(page, built))
    await inPage((page) => requireNoScripts(page, built))
  })
})
