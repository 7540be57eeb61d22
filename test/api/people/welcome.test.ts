// The first start: the link lets the first person sign in and works only once.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { type ChildServer, startChild } from '../../helpers/child-server.ts'
import { assertProblem } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { oneServer } from '../../helpers/engine.ts'
import { eventually } from '../../helpers/raw.ts'
import { type Answer, send, startTestServer, type TestServer } from '../../helpers/server.ts'
import { cookieOf, givePassword, PASSWORD, session, signIn } from '../../helpers/sessions.ts'

const CHILD = oneServer('child')
const tokenIn = (text: string): string | undefined =>
  /\/admin\/welcome#([\w-]{43})\b/.exec(text)?.[1]

/** The server prints the link a moment after it begins to listen. */
async function linkOf(child: ChildServer): Promise<string> {
  await eventually(() => /welcome#.*\n/.test(child.stdout()))
  return tokenIn(child.stdout()) ?? ''
}

function useLink(url: string, token: string | undefined, password = PASSWORD): Promise<Answer> {
  return session(url, 'POST', '/link', { json: { token, password } })
}

async function withServer(
  use: (server: TestServer, token: string) => Promise<void>,
  clockMs?: () => number,
): Promise<void> {
  // A single server uses its uptime, nodes use the clock that they share.
  const clocks = clockMs && { now: () => new Date(clockMs()), uptimeMs: clockMs }
  const server = await startTestServer(clocks)
  try {
    await use(server, tokenIn(server.welcome ?? '') ?? '')
  } finally {
    await server.close()
  }
}

describe('the link of the first start', () => {
  test(
    'is printed to the terminal, sets the password of admin, and starts a session that can create the first key',
    CHILD,
    async () => {
      const dataDir = newDataDirectory()
      const child = await startChild(dataDir)
      try {
        const token = await linkOf(child)
        const link = new RegExp(`^  ${child.url}/admin/welcome#[\\w-]{43}$`, 'm')
        assert.match(child.stdout(), link)
        const answer = await useLink(child.url, token)
        assert.equal(answer.status, 201, answer.text)
        assert.equal(answer.body.user.name, 'admin')
        assert.notEqual(cookieOf(answer), '')

        const { secret } = answer.body
        const made = await send(child.url, 'POST', '/api/v2/api_key', {
          key: secret,
          json: { name: 'first' },
        })
        assert.equal(made.status, 201, made.text)
        const own = await send(child.url, 'GET', '/api/v2/me', { key: made.body.secret })
        assert.equal(own.status, 200)
      } finally {
        await child.kill('SIGTERM')
      }
    },
  )

  test('changes at each start until a user can sign in', CHILD, async () => {
    const dataDir = newDataDirectory()
    const first = await startChild(dataDir)
    const used = await linkOf(first)
    await first.kill('SIGKILL')
    const second = await startChild(dataDir)
    try {
      const token = await linkOf(second)
      assertProblem(await useLink(second.url, used), 'link-over')
      assert.equal((await useLink(second.url, token)).status, 201)
    } finally {
      await second.kill('SIGTERM')
    }
    assert.doesNotMatch((await (await startChild(dataDir)).kill('SIGTERM')).stdout, /welcome/)
  })

  test('can be used once', () =>
    withServer(async ({ url }, token) => {
      assert.equal((await useLink(url, token)).status, 201)
      assertProblem(await useLink(url, token, 'another good password'), 'link-over')
    }))

  test('is accepted for one of two simultaneous requests', () =>
    withServer(async ({ url }, token) => {
      const both = await Promise.all([useLink(url, token), useLink(url, token)])
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401])
    }))

  test('is valid for an hour', async () => {
    let clockMs = Date.now()
    await withServer(
      async ({ url }, token) => {
        clockMs += LIMITS.welcomeMs
        assertProblem(await useLink(url, token), 'link-over')
        clockMs -= 1
        assert.equal((await useLink(url, token)).status, 201)
      },
      () => clockMs,
    )
  })

  test('stays valid after a refused password', () =>
    withServer(async ({ url }, token) => {
      assertProblem(await useLink(url, token, 'short'), 'invalid-content')
      assert.equal((await useLink(url, token)).status, 201)
    }))

  test('is not valid after the operator has set a password', () =>
    withServer(async (server, token) => {
      await givePassword(server)
      assertProblem(await useLink(server.url, token, 'another good password'), 'link-over')
      await signIn(server)
    }))

  test('cannot be guessed', () =>
    withServer(async ({ url }) => {
      assertProblem(await useLink(url, 'a'.repeat(43)), 'link-over')
      assertProblem(await useLink(url, ''), 'link-over')
      assertProblem(await useLink(url, undefined), 'invalid-content')
    }))
})
