// Forms whose answer is lost after the server has done the work. Sending them again does not repeat the work.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { startSite, visit } from './area.ts'

interface Story {
  readonly path: string
  readonly open?: (page: Page) => Promise<void>
  readonly typed: Readonly<Record<string, string>>
  /** The address that receives the form. */
  readonly posted: RegExp
  /** The address of the list, and the member of its answer. */
  readonly list: string
  readonly within: string
  /** The answer contains a secret for this request only, which a reload loses. */
  readonly isSecret?: boolean
}

const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click()

const FORMS: Readonly<Record<string, Story>> = {
  key: {
    path: '/keys?new=',
    isSecret: true,
    typed: { name: 'lost key' },
    posted: /\/api_key$/,
    list: '/api/v2/api_key',
    within: 'api_key',
  },
  'first key': {
    path: '/welcome',
    isSecret: true,
    typed: { name: 'lost first key' },
    posted: /\/api_key$/,
    list: '/api/v2/api_key',
    within: 'api_key',
  },
  user: {
    path: '/users?new=user',
    typed: { name: 'lost' },
    posted: /\/user$/,
    list: '/api/v2/user',
    within: 'user',
  },
  folder: {
    path: '/content/1?new=folder',
    typed: { name: 'Lost folder' },
    posted: /\/asset_category$/,
    list: '/api/v2/asset_category',
    within: 'asset_category',
  },
  file: {
    path: '/content/1?new=file',
    typed: { name: 'lost.html' },
    posted: /\/asset_file$/,
    list: '/api/v2/asset_file',
    within: 'asset_file',
  },
  calendar: {
    path: '/data',
    open: press('New calendar'),
    typed: { name: 'Lost calendar' },
    posted: /\/calendar$/,
    list: '/api/v2/calendar',
    within: 'calendar',
  },
  datatable: {
    path: '/data?new=datatable',
    typed: { name: 'Lost table' },
    posted: /\/datatable$/,
    list: '/api/v2/datatable',
    within: 'datatable',
  },
}

const KEPT = 'Your unsaved input was restored.'

describe('a form whose response is lost', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const totalOf = async ({ list, within }: Pick<Story, 'list' | 'within'>): Promise<number> => {
    const { body } = await server.call('GET', `${list}?length=1000`)
    return body[within].length
  }

  /** The server handles the first request, and its answer is lost. */
  async function loseAnswer(page: Page, posted: RegExp): Promise<void> {
    let isLost = false
    await page.route(posted, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue()
      isLost = true
      await route.fetch()
      return route.abort('connectionreset')
    })
  }

  const submit = (page: Page): Promise<void> => page.locator('form:visible [type=submit]').click()

  /** After a reload only the kept input remains. */
  async function openAgain(page: Page, story: Story): Promise<void> {
    await page.reload()
    await story.open?.(page)
    await page.getByText(KEPT).waitFor()
  }

  for (const [name, story] of Object.entries(FORMS)) {
    test(`creates one ${name} when it is sent again`, async () => {
      const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
      const before = await totalOf(story)
      await page.goto(`${server.url}/admin${story.path}`)
      await story.open?.(page)
      for (const [field, text] of Object.entries(story.typed))
        await page.locator(`form [name="${field}"]`).fill(text)
      await loseAnswer(page, story.posted)
      await submit(page)
      await page.getByText('No connection to the server.').waitFor()
      assert.equal(await totalOf(story), before + 1, 'it was made, and nobody knows')
      if (story.isSecret !== true) await openAgain(page, story)
      await submit(page)
      if (story.isSecret === true) await page.getByRole('group', { name: 'Secret' }).waitFor()
      else await page.getByText(KEPT).waitFor({ state: 'detached' })
      assert.equal(await totalOf(story), before + 1)
      await context.close()
    })
  }

  test('creates no second key after a reload, and says that the key exists', async () => {
    const story = { ...FORMS['key'], typed: { name: 'lost for good' } } as Story
    const before = await totalOf(story)
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    const own = (await totalOf(story)) - before
    await page.goto(`${server.url}/admin${story.path}`)
    await page.locator('form [name="name"]').fill(story.typed['name'] ?? '')
    await loseAnswer(page, story.posted)
    await submit(page)
    await page.getByText('No connection to the server.').waitFor()
    await openAgain(page, story)
    await submit(page)
    await page
      .getByText('The request was already processed, but its result is no longer available.')
      .waitFor()
    await submit(page)
    await page
      .getByText('The request was already processed, but its result is no longer available.')
      .waitFor()
    assert.equal(await totalOf(story), before + own + 1)
    await context.close()
  })

  test('creates another record after a change of its input', async () => {
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    const folders = { list: '/api/v2/asset_category', within: 'asset_category' }
    const before = await totalOf(folders)
    await page.goto(`${server.url}/admin/content/1?new=folder`)
    await page.locator('form [name="name"]').fill('One name')
    await loseAnswer(page, /\/asset_category$/)
    await submit(page)
    await page.getByText('No connection to the server.').waitFor()
    await page.locator('form [name="name"]').fill('Another name')
    await submit(page)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await totalOf(folders), before + 2)
    await context.close()
  })

  test('shows the new secret of a rotated key', async () => {
    const made = await server.call('POST', '/api/v2/api_key', { json: { name: 'turned' } })
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/keys/${made.body.api_key_id}`)
    await press('Rotate secret')(page)
    await loseAnswer(page, /\/rotate$/)
    const send = page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' })
    await send.click()
    await page.getByText('No connection to the server.').waitFor()
    await send.click()
    const secret = await page.getByRole('group', { name: 'Secret' }).innerText()
    const { status, body } = await server.call('GET', '/api/v2/me', { key: secret })
    assert.deepEqual([status, body.api_key.api_key_id], [200, made.body.api_key_id])
    await context.close()
  })
})
