// Authentication on two nodes: both nodes count guesses together, one-time codes are valid once,
// and a node continues a sign-in that the other node began.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret } from '../../../lib/auth/secret.ts'
import { LIMITS } from '../../../lib/config/limits.ts'
import { startCluster } from '../../helpers/cluster.ts'
import { assertProblem, makeFile } from '../../helpers/content.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  listenAsProvider,
  openBrowser,
} from '../../helpers/identity-provider.ts'
import { eventually } from '../../helpers/raw.ts'
import { codeAt, giveSecondFactor } from '../../helpers/second-factors.ts'
import { type Answer, send, type TestServer } from '../../helpers/server.ts'
import { givePassword, PASSWORD, session, signIn, tokenOf } from '../../helpers/sessions.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'
import { startTwo } from './two-nodes.ts'

const cluster = await startCluster()
const FOLDER = '/api/v2/asset_category'

/** Sends requests one after the other, to both nodes in turn. */
async function byTurns(
  nodes: readonly TestServer[],
  count: number,
  ask: (node: TestServer, at: number) => Promise<Answer>,
): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) {
    const node = nodes[at % nodes.length]
    if (node !== undefined) statuses.push((await ask(node, at)).status)
  }
  return statuses
}

const times = (count: number, status: number): readonly number[] =>
  Array.from({ length: count }, () => status)

test('wrong keys and passwords are counted across nodes, even concurrent ones', async (t) => {
  const limits = { invalidKeys: 6, signInFailures: 4, signInFailuresPerAddress: 8 }
  const nodes = await startTwo(t, cluster, { limits, config: { proxies: trustLoopback() } })
  const [a, b] = nodes
  const from = (last: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${last}` } })

  const secret = newSecret()
  const same = await byTurns(nodes, 9, (node) => node.call('GET', FOLDER, { key: secret }))
  assert.deepEqual(same, [...times(6, 401), ...times(3, 429)])
  const guessing = await byTurns(nodes, 9, (node) =>
    node.call('GET', FOLDER, { key: newSecret(), ...from(1) }),
  )
  assert.deepEqual(guessing, [...times(6, 401), ...times(3, 429)])
  const elsewhere = await b.call('GET', FOLDER, { key: a.key, ...from(2) })
  assert.equal(elsewhere.status, 200)
  // The node that counted the last guess refuses all requests from the address.
  await byTurns([a], 6, (node) => node.call('GET', FOLDER, { key: newSecret(), ...from(4) }))
  assertProblem(await a.call('GET', FOLDER, { key: a.key, ...from(4) }), 'too-many-requests')

  await givePassword(a)
  const login = (node: TestServer, password: string, last: number): Promise<Answer> =>
    session(node.url, 'POST', '', { json: { name: 'admin', password }, ...from(last) })
  const atOnce = await Promise.all(
    Array.from({ length: 20 }, (_, at) => login(at % 2 === 0 ? a : b, `wrong ${at}`, 10 + at)),
  )
  assert.deepEqual(atOnce.map(({ status }) => status).toSorted(), [
    ...times(4, 401),
    ...times(16, 429),
  ])
  const right = await login(b, PASSWORD, 99)
  assertProblem(right, 'too-many-requests')
  const seconds = Number(right.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= LIMITS.signInWindowMs / 1_000)

  // A refused attempt counts for no name, and a successful attempt is not counted.
  const names = await byTurns(nodes, 10, (node, at) =>
    session(node.url, 'POST', '', { json: { name: `nobody ${at}`, password: 'x' }, ...from(3) }),
  )
  assert.deepEqual(names, [...times(8, 401), ...times(2, 429)])
})

test('a user who signed in on one node is not blocked on any node by guesses of others', async (t) => {
  const nodes = await startTwo(t, cluster, {
    limits: { signInFailures: 3 },
    config: { proxies: trustLoopback() },
  })
  const [a, b] = nodes
  await givePassword(a)
  const login = (node: TestServer, password: string, last: number): Promise<Answer> => {
    const headers = { 'x-forwarded-for': `192.0.2.${last}` }
    return session(node.url, 'POST', '', { json: { name: 'admin', password }, headers })
  }
  assert.equal((await login(a, PASSWORD, 1)).status, 201)
  const guessing = await byTurns(nodes, 4, (node) => login(node, 'wrong', 2))
  assert.deepEqual(guessing, [...times(3, 401), 429])
  assertProblem(await login(b, PASSWORD, 3), 'too-many-requests')
  assert.equal((await login(b, PASSWORD, 1)).status, 201)
})

test('an address from which a key is used on one node becomes known on the other node', async (t) => {
  const [a, b] = await startTwo(t, cluster, {
    limits: { invalidKeys: 3 },
    config: { proxies: trustLoopback() },
  })
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const ask = (node: TestServer, key: string): Promise<Answer> =>
    node.call('GET', FOLDER, { key, headers })
  assert.equal((await ask(a, a.key)).status, 200)
  const guessing = await byTurns([b], 4, () => ask(b, newSecret()))
  assert.deepEqual(guessing, [...times(3, 401), 429])
  // Without a notification the change would be visible a minute after the start.
  assert.ok(await eventually(async () => (await ask(b, a.key)).status === 200, 20_000))
  assertProblem(await ask(b, await a.makeKey({ name: 'another' })), 'too-many-requests')
})

test('the rate limit of a key applies across nodes', async (t) => {
  const rateLimit = 20
  const nodes = await startTwo(t, cluster, { config: { rateLimit } })
  const [a, b] = nodes
  const ask = (node: TestServer): Promise<Answer> => node.call('GET', FOLDER, { key: a.key })
  const begun = performance.now()
  let letIn = 0
  while (performance.now() - begun < 3_000) {
    const answers = await Promise.all([ask(a), ask(b)])
    letIn += answers.filter(({ status }) => status === 200).length
  }
  const seconds = (performance.now() - begun) / 1_000
  // Each node admits a burst after a second of silence, then `rateLimit` requests in a second.
  assert.ok(letIn >= rateLimit && letIn <= rateLimit * (2 + seconds), `${letIn} in ${seconds} s`)
  // Nodes that do not share the limit would admit twice as many.
  assert.ok(letIn < rateLimit * 2 * seconds, `${letIn} in ${seconds} s`)
})

test('a code and a recovery code are accepted once across nodes, and wrong codes are counted together', async (t) => {
  let nowMs = Date.now()
  const now = (): Date => new Date(nowMs)
  const nodes = await startTwo(t, cluster, { now, limits: { codeFailures: 4 } })
  const [a] = nodes
  await givePassword(a)
  const { secret, recoveryCodes } = await giveSecondFactor(a, (await signIn(a)).secret, nowMs)
  const login = (node: TestServer, code: string | undefined): Promise<Answer> =>
    session(node.url, 'POST', '', { json: { name: 'admin', password: PASSWORD, code } })

  nowMs += 60_000
  for (const code of [codeAt(secret, nowMs), recoveryCodes[0]]) {
    const both = await Promise.all(nodes.map((node) => login(node, code)))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401])
  }
  // One failed attempt has been counted already.
  const wrong = await byTurns(nodes, 5, (node) => login(node, '000000'))
  assert.deepEqual(wrong, [...times(3, 401), ...times(2, 429)])
})

test('a sign-in by OpenID Connect continues once on another node', async (t) => {
  const provider = await listenAsProvider()
  t.after(() => provider.close())
  const { issuer } = provider
  const [a, b] = await startTwo(t, cluster, {
    config: {
      baseUrl: 'https://cms.example.org',
      oidc: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    },
  })
  provider.open('https://cms.example.org/api/v2/session/oidc/callback')
  const json = { name: 'eva', email: 'eva@example.org', role: 'editor' }
  assert.equal((await a.call('POST', '/api/v2/user', { json })).status, 201)

  const begun = await send(a.url, 'GET', '/api/v2/session/oidc', { key: null })
  const [cookie = ''] = begun.headers['set-cookie'] ?? []
  const back = await openBrowser().signInAt(begun.headers.location ?? '', 'eva@example.org')
  const { pathname, search } = new URL(back)
  const headers = { cookie: cookie.slice(0, cookie.indexOf(';')) }
  const finish = (node: TestServer): Promise<Answer> =>
    send(node.url, 'GET', `${pathname}${search}`, { key: null, headers })
  assert.equal((await finish(b)).headers.location, '/admin')
  assert.equal((await finish(a)).headers.location, '/admin/sign-in?problem=oidc-refused')
})

test('the link of the first start works on the other node, once and for an hour', async (t) => {
  let nowMs = Date.now()
  const now = (): Date => new Date(nowMs)
  const [a, b] = await startTwo(t, cluster, { now })
  const use = (node: TestServer, token: string): Promise<Answer> =>
    session(node.url, 'POST', '/link', { json: { token, password: PASSWORD } })
  const token = tokenOf(a)
  nowMs += LIMITS.welcomeMs
  assertProblem(await use(b, token), 'link-over')
  nowMs -= 1
  assertProblem(await use(b, `${token.slice(1)}x`), 'link-over')
  assert.equal((await use(b, token)).status, 201)
  assertProblem(await use(a, token), 'link-over')
})

test('a ticket of one node is valid on the other until its key is revoked there', async (t) => {
  const [a, b] = await startTwo(t, cluster)
  const { url } = await makeFile(a, { pageContent: '<p>1</p>', fileState: 'publish' })
  const key = await a.makeKey({ name: 'short', grants: 'view' })
  const made = await a.call('POST', '/api/v2/ticket', { key, json: { path: url } })
  assert.equal(made.status, 201, made.text)
  const open = (node: TestServer): Promise<Answer> =>
    node.call('GET', made.body.path, { key: null })
  assert.equal((await open(b)).status, 200)
  await b.command({ command: 'key.revoke', key: 'short' })
  assert.deepEqual([(await open(a)).status, (await open(b)).status], [401, 401])
})
