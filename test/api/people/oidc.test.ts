// Signing in with an OpenID Connect provider: accepted and refused sign-ins, and an unavailable provider.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Browser,
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  listenAsProvider,
  openBrowser,
} from '../../helpers/identity-provider.ts'
import { assertProblem } from '../../helpers/content.ts'
import { giveSecondFactor } from '../../helpers/second-factors.ts'
import { send, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, session, signIn } from '../../helpers/sessions.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const BEGIN = '/api/v2/session/oidc'

let provider: IdentityProvider
let server: TestServer
let aheadMs = 0

before(async () => {
  provider = await listenAsProvider()
  const { issuer } = provider
  server = await startTestServer({
    config: { oidc: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } },
    // A single server uses its uptime, nodes use the clock that they share.
    now: () => new Date(Date.now() + aheadMs),
    uptimeMs: () => 1_000 + aheadMs,
  })
  for (const [name, email] of [
    ['eva', 'eva@example.org'],
    ['small', 'small@example.org'],
    ['twin', 'twin@example.org'],
    ['other', 'twin@example.org'],
    ['doubtful', 'unverified@example.org'],
    ['gone', 'gone@example.org'],
    ['kim', 'kim@example.org'],
  ] as const) {
    const json = { name, email, role: 'editor' }
    const { status, text } = await server.call('POST', '/api/v2/user', { json })
    assert.equal(status, 201, text)
  }
  await server.command({ command: 'user.disable', name: 'gone' })
  provider.open(`${server.url}${BEGIN}/callback`)
})
after(async () => {
  await server.close()
  await provider.close()
})

/** Signs in at the provider and returns the address to which the provider redirects. */
async function comeBack(browser: Browser, email = 'eva@example.org'): Promise<string> {
  const response = await browser.get(`${server.url}${BEGIN}`)
  assert.equal(response.status, 303)
  return browser.signInAt(response.headers.get('location') ?? '', email)
}

async function placeOf(response: Response | Promise<Response>): Promise<string> {
  const { status, headers } = await response
  assert.equal(status, 303)
  return headers.get('location') ?? ''
}

const problem = (code: string): string => `/admin/sign-in?problem=${code}`

/** Returns the cookie of the new session, if there is one. */
function sessionOf({ headers }: Response): string | undefined {
  const cookies = headers.getSetCookie().filter((line) => line.startsWith('cms_session='))
  return cookies[0]?.split(';')[0]
}

describe('a user who signs in with a provider', oneNode('address'), () => {
  test('has an ordinary session and is redirected to the administration area', async () => {
    const browser = openBrowser()
    const response = await browser.get(await comeBack(browser))
    assert.equal(await placeOf(response), '/admin')
    assert.match(
      response.headers.getSetCookie().join(),
      /cms_session=[\w-]{43}; Max-Age=\d+; Path=\/api\/v2\/session; HttpOnly; SameSite=Strict/,
    )
    const renewed = await session(server.url, 'POST', '/renew', {
      cookie: sessionOf(response) ?? '',
    })
    assert.equal(renewed.status, 200, renewed.text)
    assert.equal(renewed.body.user.name, 'eva')
    const own = await server.call('GET', '/api/v2/me', { key: renewed.body.secret })
    assert.ok(own.body.grants.includes('publish'))
    const { body } = await server.call(
      'GET',
      '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=1',
    )
    assert.deepEqual(
      [body.audit[0].action, body.audit[0].user_name, body.audit[0].address],
      ['sign_in', 'eva', '127.0.0.1'],
    )
  })

  test('ends the session that the browser had', async () => {
    const browser = openBrowser()
    const first = sessionOf(await browser.get(await comeBack(browser))) ?? ''
    const second = sessionOf(await browser.get(await comeBack(browser))) ?? ''
    assert.notEqual(first, second)
    const renew = (cookie: string) => session(server.url, 'POST', '/renew', { cookie })
    assertProblem(await renew(first), 'session-over')
    assert.equal((await renew(second)).status, 200)
  })

  test('gets an encrypted cookie for the return only', async () => {
    const response = await openBrowser().get(`${server.url}${BEGIN}`)
    const url = new URL(await placeOf(response))
    assert.equal(url.origin, provider.issuer)
    const {
      state = '',
      nonce,
      code_challenge_method: method,
    } = Object.fromEntries(url.searchParams)
    assert.ok(state !== '' && nonce !== '' && method === 'S256')
    const [cookie = '', ...others] = response.headers.getSetCookie()
    assert.deepEqual(others, [])
    assert.match(cookie, /; Max-Age=600; Path=\/api\/v2\/session\/oidc; HttpOnly; SameSite=Lax$/)
    assert.ok(!Buffer.from(decodeURIComponent(cookie), 'base64').includes(state))
  })

  test('needs no second factor', async () => {
    await givePassword(server, 'small')
    const { secret } = await signIn(server, 'small')
    await giveSecondFactor(server, secret, Date.now())
    const browser = openBrowser()
    const place = await placeOf(browser.get(await comeBack(browser, 'Small@Example.org')))
    assert.equal(place, '/admin')
  })

  for (const [who, email] of [
    ['is unknown', 'nobody@example.org'],
    ['shares the address with another', 'twin@example.org'],
    ['has no verified address', 'unverified@example.org'],
    ['is disabled', 'gone@example.org'],
    ['has an address that only Unicode case folding makes equal', '\u{212a}im@example.org'],
  ] as const) {
    test(`is refused if the user ${who}`, async () => {
      const before = await server.call('GET', '/api/v2/user?length=1000')
      const browser = openBrowser()
      const response = await browser.get(await comeBack(browser, email))
      assert.equal(await placeOf(response), problem('oidc-no-user'))
      assert.equal(sessionOf(response), undefined)
      const { text } = await server.call('GET', '/api/v2/user?length=1000')
      assert.equal(text, before.text)
    })
  }

  test('is refused after a refusal at the provider', async () => {
    const browser = openBrowser()
    const url = new URL(await comeBack(browser))
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
    assert.equal(await placeOf(browser.get(url.href)), problem('oidc-refused'))
  })
})

describe('a response of the provider', oneNode('address'), () => {
  test('is accepted once', async () => {
    const browser = openBrowser()
    const url = await comeBack(browser)
    const both = await Promise.all([browser.get(url), browser.get(url)].map(placeOf))
    assert.deepEqual(both.toSorted(), ['/admin', problem('oidc-refused')])
    assert.equal(await placeOf(browser.get(url)), problem('oidc-refused'))
  })

  test('is accepted only in the browser that began the sign-in', async () => {
    const browser = openBrowser()
    const url = await comeBack(browser)
    assert.equal(await placeOf(openBrowser().get(url)), problem('oidc-refused'))
    const other = openBrowser()
    await other.get(`${server.url}${BEGIN}`)
    assert.equal(await placeOf(other.get(url)), problem('oidc-refused'))
    assert.equal(await placeOf(browser.get(url)), '/admin')
  })

  test('is refused if it was changed or comes from another provider', async () => {
    for (const [name, value] of [
      ['state', 'another'],
      ['code', 'another'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const browser = openBrowser()
      const url = new URL(await comeBack(browser))
      assert.ok(url.searchParams.has(name), name)
      url.searchParams.set(name, value)
      const response = await browser.get(url.href)
      assert.equal(await placeOf(response), problem('oidc-refused'), name)
      assert.equal(sessionOf(response), undefined)
    }
    const direct = await openBrowser().get(`${server.url}${BEGIN}/callback`)
    assert.equal(await placeOf(direct), problem('oidc-refused'))
  })

  test('is refused if its cookie is incomplete or not encrypted', async () => {
    const url = await comeBack(openBrowser())
    for (const cookie of ['', 'x', 'AAAA', 'A'.repeat(22), 'A'.repeat(38), '%', '%00']) {
      const headers = { cookie: `cms_oidc=${cookie}` }
      const response = await fetch(url, { headers, redirect: 'manual' })
      assert.equal(await placeOf(response), problem('oidc-refused'), cookie)
    }
  })

  test('must arrive within ten minutes', async () => {
    const browser = openBrowser()
    const url = await comeBack(browser)
    aheadMs += 600_000
    assert.equal(await placeOf(browser.get(url)), problem('oidc-refused'))
  })

  test('redirects to no address from the request', async () => {
    const browser = openBrowser()
    const url = `${await comeBack(browser)}&next=https://evil.example&redirect_uri=https://evil.example`
    assert.equal(await placeOf(browser.get(url)), '/admin')
    const asked = await send(server.url, 'GET', `${BEGIN}?next=//evil.example`, { key: null })
    assert.equal(asked.status, 400)
  })
})

describe('a provider that', () => {
  const away = async (change: (own: IdentityProvider) => unknown): Promise<string> => {
    const own = await listenAsProvider()
    const oidc = { issuer: own.issuer, clientId: CLIENT_ID, clientSecret: undefined }
    const other = await startTestServer({ config: { oidc } })
    try {
      await change(own)
      const first = await placeOf(openBrowser().get(`${other.url}${BEGIN}`))
      const { body } = await send(other.url, 'GET', '/api/v2/session', { key: null })
      assert.deepEqual(body, { password: true, oidc: true })
      return first
    } finally {
      await other.close()
      await own.close().catch(() => undefined)
    }
  }

  test('cannot be reached is reported', async () => {
    assert.equal(await away((own) => own.close()), problem('oidc-unavailable'))
  })

  test('sends an invalid response is reported', async () => {
    const html = (own: IdentityProvider) => own.answerWith((_, response) => response.end('<p>'))
    assert.equal(await away(html), problem('oidc-unavailable'))
    assert.equal(await away(() => undefined), problem('oidc-unavailable'))
  })

  test('does not respond is reported in time', async () => {
    assert.equal(await away((own) => own.answerWith(() => undefined)), problem('oidc-unavailable'))
  })

  test('recovers is asked again', async () => {
    const own = await listenAsProvider()
    const oidc = { issuer: own.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    const other = await startTestServer({ config: { oidc } })
    try {
      const url = `${other.url}${BEGIN}`
      assert.equal(await placeOf(openBrowser().get(url)), problem('oidc-unavailable'))
      own.open(`${url}/callback`)
      assert.equal(new URL(await placeOf(openBrowser().get(url))).origin, own.issuer)
    } finally {
      await other.close()
      await own.close()
    }
  })

  test('is not configured has no address', async () => {
    const plain = await startTestServer()
    try {
      for (const path of [BEGIN, `${BEGIN}/callback`])
        assertProblem(await send(plain.url, 'GET', path, { key: null }), 'not-found')
      const { body } = await send(plain.url, 'GET', '/api/v2/session', { key: null })
      assert.deepEqual(body, { password: true, oidc: false })
    } finally {
      await plain.close()
    }
  })
})
