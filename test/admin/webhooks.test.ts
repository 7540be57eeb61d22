// Stories about webhooks in a real browser with a real receiver. Each story asserts the received requests or
// the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { openSite, type Site } from '../api/webhooks/site.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { setPassword, visit } from './area.ts'

describe('webhooks', { skip: NO_BROWSER }, () => {
  let site: Site
  let browser: Browser
  before(async () => {
    site = await openSite({ webhookRetryMs: 60_000 })
    await setPassword(site.server, 'admin')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await site.close()
  })

  const visitAs = (user: string) => visit(browser, { url: site.server.url, user })

  const openHook = async (page: Page, { webhook_id: id, name }: any): Promise<void> => {
    await page.goto(`${site.server.url}/admin/webhooks/${id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  const act = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  test('a webhook can be created, signs with the secret shown once, sends the chosen changes, and can be deleted', async () => {
    const receiver = await site.receive()
    const { page, context, faults } = await visitAs('admin')
    await page.goto(`${site.server.url}/admin`)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await page.getByLabel('Name').fill('by hand')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Record types').selectOption('some')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Choose at least one option.').waitFor()
    await page.getByRole('checkbox', { name: 'Folders' }).check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await page.getByRole('group', { name: 'Secret' }).innerText()
    await page.getByRole('button', { name: 'I have stored this' }).click()

    await site.file({ parent_category_id: 1 })
    const folder = await site.folder()
    const [first] = await receiver.until(1)
    const headers = first?.headers as Record<string, string>
    const told: any = new Webhook(secret).verify(first?.text ?? '', headers)
    assert.deepEqual([told.type, told.data.object_id], ['asset_category.create', folder])

    const {
      webhook: [hook],
    } = await site.ok('GET', '/api/v2/webhook')
    // The receiver gets a delivery before the server records its result, and the page shows the record.
    await site.untilDelivered(hook.webhook_id, 1)
    await page.getByRole('link', { name: 'by hand' }).click()
    await page.getByRole('cell', { name: 'asset_category.create' }).waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText(/^Response 204 after/).waitFor()
    assert.equal((await receiver.until(2))[1]?.body.type, 'webhook.test')
    await site.untilDelivered(hook.webhook_id, 2)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('cell', { name: 'webhook.test' }).waitFor()
    await act(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('by hand was deleted.').waitFor()
    const { webhook } = await site.ok('GET', '/api/v2/webhook')
    assert.deepEqual(webhook, [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a webhook can be paused, resumed, replayed, and given a new secret', async () => {
    const receiver = await site.receive()
    const hook = await site.hook(receiver, { objects: ['asset_category'] })
    const { page, context } = await visitAs('admin')
    await openHook(page, hook)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(`${hook.name} was paused`).waitFor()
    const folder = await site.folder()
    assert.equal((await site.ok('GET', `/api/v2/webhook/${hook.webhook_id}`)).status, 'paused')
    assert.equal(receiver.received.length, 0)
    await page.getByRole('button', { name: 'Resume' }).click()
    const [first] = await receiver.until(1)
    assert.equal(first?.body.data.object_id, folder)

    await page.reload()
    await act(page, 'Resend changes')
    await page.getByLabel('After sequence number').fill(String(hook.position))
    await page.getByRole('dialog').getByRole('button', { name: 'Resend changes' }).click()
    const [, again] = await receiver.until(2)
    assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])

    await page.reload()
    await act(page, 'Rotate secret')
    await page.getByLabel('Current secret').selectOption('0s')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const secret = await page.getByRole('group', { name: 'Secret' }).innerText()
    await page.getByRole('button', { name: 'I have stored this' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    const [, , test] = await receiver.until(3)
    const headers = test?.headers as Record<string, string>
    new Webhook(secret).verify(test?.text ?? '', headers)
    assert.throws(() => new Webhook(hook.secret).verify(test?.text ?? '', headers))
    await context.close()
  })

  test('a webhook that was given up is marked everywhere and can be resumed', async () => {
    const receiver = await site.receive()
    receiver.answer({ status: 410, body: '<b>gone</b>' })
    const hook = await site.hook(receiver, { objects: ['asset_category'] })
    await site.folder()
    await site.untilShown(hook.webhook_id, ({ state }) => state === 'given_up')
    const { page, context, faults } = await visitAs('admin')
    await page.goto(`${site.server.url}/admin/dashboard`)
    await page.getByText('The server gave up on a webhook').waitFor()
    await page.getByRole('link', { name: hook.name }).click()
    await page.getByText('The server gave up on this webhook').waitFor()
    await page.getByText('Response body').click()
    await page.getByText('<b>gone</b>').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    const row = page.getByRole('row').filter({ hasText: hook.name })
    await row.getByText('given up').waitFor()
    await row.getByRole('link').click()
    receiver.answer({ status: 204 })
    await page.getByRole('button', { name: 'Resume' }).click()
    await site.untilShown(hook.webhook_id, ({ state }) => state === 'delivering')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('users without the admin grant see an explanation instead of the page of webhooks', async () => {
    const receiver = await site.receive()
    const hook = await site.hook(receiver, { objects: ['user'] })
    await site.ok('POST', '/api/v2/user', { name: 'ed', role: 'editor' })
    await setPassword(site.server, 'ed')
    const { page, context } = await visitAs('ed')
    await openForbidden(page, hook)
    await context.close()
  })

  async function openForbidden(page: Page, { webhook_id: id }: any): Promise<void> {
    await page.goto(`${site.server.url}/admin/webhooks/${id}`)
    await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0)
    // The link leads to an explanation of the user's own permissions.
    await page.getByRole('link', { name: 'Why was this denied?' }).click()
    await page.getByRole('dialog', { name: 'Why was this denied?' }).waitFor()
  }
})
