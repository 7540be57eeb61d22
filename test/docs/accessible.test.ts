// Accessibility of every own page, light on a desktop and dark on a phone: axe-core reports nothing, and
// no word overflows.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { eventually } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { execute, giveKey } from './pages.ts'
import { makeModules } from './traffic.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Shown {
  readonly path: string
  readonly isKeyed?: boolean
  /** Waits until the content to be checked is visible. */
  readonly until: (page: Page, key: string) => Promise<unknown>
}

const firstOperation = (page: Page): Promise<void> => page.locator('.opblock').first().waitFor()

const SHOWN: Readonly<Record<string, Shown>> = {
  'the page of the System API': { path: '/public/api/system', until: firstOperation },
  'the page of the Module API': { path: '/public/api/module', until: firstOperation },
  'an operation that was tried out': {
    path: '/public/api/module?module=datatable/1',
    until: (page) => execute(page, 'search_datatable_1_press_releases'),
  },
  'an operation with a body': {
    path: '/public/api/module?module=datatable/1',
    until: (page) => execute(page, 'create_datatable_1_press_releases'),
  },
  'the form of Authorize': {
    path: '/public/api/system',
    async until(page) {
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      await page.getByRole('dialog').getByLabel('Value').waitFor()
    },
  },
  'the form for a key': {
    path: '/public/api/module',
    isKeyed: true,
    until: (page) => page.getByLabel('API key').waitFor(),
  },
  'a key that was refused': {
    path: '/public/api/module',
    isKeyed: true,
    async until(page, key) {
      await giveKey(page, `${key}x`)
      await page.getByRole('alert').waitFor()
    },
  },
  'the list of problems': { path: '/problems', until: (page) => page.locator('h1').waitFor() },
  'a problem': { path: '/problems/not-found', until: (page) => page.locator('h1').waitFor() },
}

describe('accessibility of the documentation pages', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let keyed: TestServer
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    keyed = await startTestServer({ config: { docs: 'keyed' } })
    await makeModules(server.call)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    await keyed.close()
  })

  async function opened(context: BrowserContext, { path, isKeyed, until }: Shown): Promise<Page> {
    const page = await context.newPage()
    const { url, key } = isKeyed === true ? keyed : server
    await page.goto(url + path)
    await until(page, key)
    return page
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    // Each width is checked in one theme; CMS_RIG=full checks both widths in both themes.
    const usual = colorScheme === 'light' ? [1_280] : [360]
    for (const width of process.env['CMS_RIG'] === 'full' ? [360, 1_280] : usual) {
      test(`axe finds nothing: ${colorScheme}, ${width} px wide`, async (t) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
        for (const [what, shown] of Object.entries(SHOWN)) {
          await t.test(what, async () => {
            const page = await opened(context, shown)
            assert.deepEqual(await faultsOf(page), [])
            assert.ok((await widthOf(page)) <= width, 'it is wider than the screen')
            assert.deepEqual(await brokenWords(page), [])
            assert.equal(await isDark(page), colorScheme === 'dark')
            await page.close()
          })
        }
        await context.close()
      })
    }
  }

  test('an open page follows a change of the system color scheme', async () => {
    const page = await browser.newPage({ colorScheme: 'light' })
    await page.goto(`${server.url}/public/api/system`)
    await firstOperation(page)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.equal(await isDark(page), colorScheme === 'dark')
      const dark = colorScheme === 'dark' ? 1 : 0
      // The script of the page receives the change a moment after the style does.
      assert.ok(
        await eventually(async () => (await page.locator('html.dark-mode').count()) === dark),
      )
    }
    await page.close()
  })

  test('Tab reaches Authorize directly after the skip link and the link to the other page', async () => {
    const page = await opened(
      await browser.newContext(),
      SHOWN['the page of the Module API'] as Shown,
    )
    const reached: string[] = []
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('Tab')
      reached.push(await page.locator(':focus').innerText())
    }
    assert.deepEqual(reached, ['Skip to the operations', 'System API', 'Module API', 'Authorize'])
    await page.keyboard.press('Enter')
    assert.equal(
      await page
        .getByLabel('Value')
        .evaluate((input) => input === input.ownerDocument.activeElement),
      true,
    )
    await page.keyboard.press('Escape')
    assert.equal(await page.locator(':focus').innerText(), 'Authorize')
    await page.close()
  })
})

/** Returns the violations of WCAG and of the best-practice rules. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  // page.evaluate bypasses the content security policy of the page, which would block the script.
  await page.evaluate(AXE)
  return page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`,
  )
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}

function isDark(page: Page): Promise<boolean> {
  const color = 'getComputedStyle(document.body).backgroundColor'
  return page.evaluate<boolean>(`/\\d+/.exec(${color})[0] < 128`)
}

/** Returns words of letters only that are broken across two lines. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!node.parentElement.checkVisibility() || node.parentElement.closest('.unseen, .skip')) continue
      for (const { 0: word, index } of node.data.matchAll(/\\p{L}{2,20}/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(word)
      }
    }
    return broken
  })()`)
}
