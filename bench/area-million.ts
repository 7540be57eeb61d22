// A table of a million entries in a real browser: filled through the documented interface, opened, searched,
// sorted, filtered, scrolled to its end and edited in a cell. The job runs only by name (`npm run bench --
// area-million`), because it needs Chromium and several minutes. Each figure is the median of five browsers,
// from the click or key press until the result is visible.

import { type Browser, chromium, type Page } from 'playwright-core'
import { fillArticles, makeArticles, titleOf } from './articles.ts'
import { CHROME, PASSWORD, signIn } from './browsers.ts'
import { median } from './load.ts'
import { makeKey, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { post } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { LARGE_TABLE_SIZE as SIZE } from './settings.ts'

const ROUNDS = 5
const MOST_MS = 120_000
const CATEGORIES = 50

interface Step {
  readonly name: string
  /** Brings the page to the starting point; not measured. */
  readonly before?: (page: Page) => Promise<unknown>
  readonly act: (page: Page) => Promise<unknown>
}

export async function measureMillion(): Promise<readonly Fact[]> {
  const browser = await chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] })
  const data = scratchDir()
  const cms = await startCms(data)
  try {
    const site = { url: cms.url, key: makeKey(data) }
    await post(site, '/api/v2/user/1/password', { password: PASSWORD })
    const began = performance.now()
    await makeArticles(site)
    await fillArticles(site, SIZE)
    const seconds = Math.round((performance.now() - began) / 1_000)
    const filled = {
      name: `area, ${COUNT} entries: sent in lists of 500`,
      value: seconds,
      unit: 's',
    }
    return [filled, ...(await measureSteps(browser, cms.url))]
  } finally {
    await browser.close()
    await cms.stop()
  }
}

async function measureSteps(browser: Browser, url: string): Promise<readonly Fact[]> {
  const openings: number[] = []
  const found = STEPS.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext()
    context.setDefaultTimeout(MOST_MS)
    await signIn(context, url)
    const page = await context.newPage()
    for (const [at, { before, act }] of STEPS.entries()) {
      const opened = performance.now()
      await page.goto(`${url}/admin/data/1`)
      await seeAll(page)
      if (at === 0) openings.push(performance.now() - opened)
      await before?.(page)
      const began = performance.now()
      await act(page)
      found[at]?.push(performance.now() - began)
    }
    await context.close()
  }
  const times = [openings, ...found]
  return ['seen and counted', ...STEPS.map(({ name }) => name)].map((name, at) => ({
    name: `area, ${COUNT} entries: ${name}`,
    value: Math.round(median(times[at] ?? [])),
    unit: 'ms',
  }))
}

const COUNT = SIZE.toLocaleString('en')
const LATE = Math.floor(SIZE * 0.75) + 1

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)

const seen = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

async function seeAll(page: Page): Promise<void> {
  await seen(page, `${COUNT} entries`)
  await cell(page, 1, 2).getByText(titleOf(1), { exact: true }).waitFor()
}

const openFilter = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Filter' }).click()

const toCell = (page: Page): Promise<void> => cell(page, 1, 3).click()

async function typeCategory(page: Page): Promise<void> {
  await openFilter(page)
  await page.getByLabel('Column').selectOption('category')
  await page.getByLabel('Comparison').selectOption('is')
}

const search = (page: Page): Promise<void> =>
  page.getByRole('searchbox').first().fill(titleOf(LATE))

async function sort(page: Page, first: string): Promise<void> {
  await page.getByRole('columnheader', { name: 'price' }).click()
  await cell(page, 1, 2).getByText(first, { exact: true }).waitFor()
}

/** The steps run in this order. Each step starts with the unfiltered table. */
const STEPS: readonly Step[] = [
  {
    name: 'the last one, by Ctrl and the arrow down',
    before: toCell,
    async act(page) {
      await page.keyboard.press('Control+ArrowDown')
      await cell(page, SIZE, 2).getByText(titleOf(SIZE), { exact: true }).waitFor()
    },
  },
  {
    name: 'an entry three quarters down, by its title in all texts',
    async act(page) {
      await search(page)
      await cell(page, 1, 2).getByText(titleOf(LATE), { exact: true }).waitFor()
    },
  },
  {
    name: 'sorted by another column',
    act: (page) => sort(page, titleOf(10_000)),
  },
  {
    name: `one of ${CATEGORIES} categories, filtered and counted`,
    before: typeCategory,
    async act(page) {
      await page.getByLabel('Value').fill('category 7')
      await seen(page, `${(SIZE / CATEGORIES).toLocaleString('en')} entries found`)
    },
  },
  {
    name: 'a cell, from Enter until it is saved',
    async before(page) {
      await toCell(page)
      await page.keyboard.type('somebody else')
      await page.keyboard.type(` ${Date.now()}`)
    },
    async act(page) {
      await page.keyboard.press('Enter')
      await seen(page, 'author was changed.')
    },
  },
]
