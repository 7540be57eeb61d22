// Webhooks as states for screenshots and accessibility checks. The answers are simulated, because a real
// server would send requests.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

const DATE = '2026-11-02T09:30:00.000Z'

const HOOK = {
  webhook_id: 1,
  name: 'Search index',
  url: 'https://search.example.org/changes',
  objects: ['asset_file', 'datatable_entry'],
  asset_category_id: null,
  actions: null,
  status: 'active',
  position: 1_204,
  state: 'delivering',
  last_error: null,
  date_delivered: DATE,
  date_retry: null,
  date_added: DATE,
  date_modified: DATE,
  owner: 'admin',
}

const GIVEN_UP = {
  ...HOOK,
  webhook_id: 2,
  name: 'Nightly build',
  url: 'https://build.example.org/hooks/cms',
  position: 988,
  state: 'given_up',
  last_error: 'The receiver answered 410: it wants nothing more.',
}

const ALL = [
  HOOK,
  GIVEN_UP,
  {
    ...HOOK,
    webhook_id: 3,
    name: 'Chat',
    state: 'waiting',
    last_error: 'The receiver answered 503.',
  },
  { ...HOOK, webhook_id: 4, name: 'Mirror', status: 'paused' },
]

const delivery = (sequence: number, more: object): object => ({
  number: sequence,
  type: 'asset_file.publish',
  message_id: `msg_1_${sequence}`,
  sequence,
  attempt: 1,
  date: DATE,
  status: 204,
  ms: 12,
  error: null,
  answer: '',
  ...more,
})

const LOG = [
  delivery(989, { status: 410, error: 'answered 410', answer: 'This build is switched off.' }),
  delivery(988, { type: 'datatable_entry.update', ms: 1_240 }),
  delivery(987, { status: null, error: 'no answer within 15 s', answer: null, ms: 15_000 }),
]

const page = (total: number): object => ({ start: 1, length: 50, total, next: null })

async function answer(shown: Page, url: RegExp, json: object): Promise<void> {
  await shown.route(url, (route) => route.fulfill({ json, headers: { etag: '"1.x"' } }))
}

async function tell(shown: Page): Promise<void> {
  await answer(shown, /\/api\/v2\/webhook\?/, { webhook: ALL, page: page(ALL.length) })
  await answer(shown, /\/api\/v2\/webhook\/2$/, GIVEN_UP)
  await answer(shown, /\/delivery\?/, { webhook_delivery: LOG, page: page(LOG.length) })
  await shown.reload()
}

const WEBHOOKS = { path: '/webhooks', isSignedIn: true, heading: 'Webhooks' } as const

async function openGivenUp(shown: Page): Promise<void> {
  await tell(shown)
  await shown.getByRole('link', { name: 'Nightly build' }).click()
  await shown.getByText('The server gave up on this webhook').waitFor()
  await shown.getByRole('cell', { name: 'asset_file.publish' }).first().waitFor()
}

export const WEBHOOKS_SHOWN: Readonly<Record<string, Shown>> = {
  webhooks: {
    ...WEBHOOKS,
    async act(shown) {
      await tell(shown)
      await shown.getByRole('link', { name: 'Nightly build' }).waitFor()
    },
  },
  'webhooks-none': {
    ...WEBHOOKS,
    act: (shown) => shown.getByText('No webhooks yet').waitFor(),
  },
  'webhook-new': {
    ...WEBHOOKS,
    async act(shown) {
      await shown.getByRole('button', { name: 'New webhook' }).first().click()
      await shown.getByLabel('Record types').selectOption('some')
      await shown.getByRole('checkbox', { name: 'Files' }).check()
    },
  },
  webhook: { ...WEBHOOKS, act: openGivenUp },
  'webhook-deliveries': {
    ...WEBHOOKS,
    async act(shown) {
      await openGivenUp(shown)
      await shown.getByText('Response body').click()
      await shown.getByRole('heading', { name: 'Deliveries' }).scrollIntoViewIfNeeded()
    },
  },
  'webhook-replay': {
    ...WEBHOOKS,
    async act(shown) {
      await openGivenUp(shown)
      await shown.getByRole('button', { name: 'More actions' }).click()
      await shown.getByRole('menuitem', { name: 'Resend changes' }).click()
      await shown.getByRole('dialog').waitFor()
    },
  },
  'dashboard-given-up': {
    path: '/dashboard',
    isSignedIn: true,
    heading: 'Server status',
    async act(shown) {
      await tell(shown)
      await shown.getByText('The server gave up on a webhook').waitFor()
    },
  },
}
