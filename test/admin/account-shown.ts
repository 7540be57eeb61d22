// Links, the second factor and sign-in with a provider, as states for screenshots and accessibility checks. The
// answers are simulated, because all other states sign in as the same user.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

const PROFILE = { path: '/profile', isSignedIn: true, heading: 'Profile' } as const
const SIGN_IN = { path: '/', heading: 'Sign in' } as const

/** Answers in place of the server. */
const answer = (page: Page, url: string, status: number, json: object): Promise<unknown> =>
  page.route(url, (route) => route.fulfill({ status, json }))

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

async function scan(page: Page): Promise<void> {
  const uri = `otpauth://totp/cms.example.org:ada?issuer=cms.example.org&secret=${SECRET}`
  await answer(page, '**/me/second_factor', 201, { secret: SECRET, uri })
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('dialog').getByLabel('Current password').fill('a sentence')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.qr-code path').waitFor()
}

const CODES = Array.from({ length: 10 }, (_, at) => `8f3k-2m9q-x7zt-04w${at}`)

function linkOf(user: object): Shown {
  return {
    path: '/welcome#code',
    heading: 'This link is no longer valid',
    async act(page) {
      await answer(page, '**/api/v2/session/link/check', 200, user)
      await page.reload()
      await page.getByRole('heading', { name: 'Set your password' }).waitFor()
    },
  }
}

export const ACCOUNT_SHOWN: Readonly<Record<string, Shown>> = {
  welcome: linkOf({ name: 'admin', first_start: true }),
  invited: linkOf({ name: 'ada', first_start: false }),
  'sign-in-code': {
    ...SIGN_IN,
    async act(page) {
      await answer(page, '**/api/v2/session', 401, { code: 'code-required', status: 401 })
      await page.getByLabel('Name').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill('a sentence')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Code', { exact: true }).waitFor()
    },
  },
  'sign-in-provider': {
    path: '/sign-in?problem=oidc-no-user',
    heading: 'Sign in',
    async act(page) {
      await answer(page, '**/api/v2/session', 200, { password: true, oidc: true })
      await page.reload()
      await page.getByRole('link', { name: 'Sign in with your organization' }).waitFor()
    },
  },
  'second-factor': {
    ...PROFILE,
    act: (page) =>
      page.getByRole('heading', { name: 'Two-factor authentication' }).scrollIntoViewIfNeeded(),
  },
  'second-factor-scan': { ...PROFILE, act: scan },
  'second-factor-codes': {
    ...PROFILE,
    async act(page) {
      await answer(page, '**/second_factor/confirm', 201, { recovery_codes: CODES })
      await scan(page)
      await page.getByLabel('Code', { exact: true }).fill('123456')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.locator('.recovery-codes').waitFor()
    },
  },
}
