// Commands on one node see what the other node has just written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from '../../helpers/cluster.ts'
import { make } from '../../helpers/content.ts'
import type { TestServer } from '../../helpers/server.ts'
import { startTwo } from './two-nodes.ts'

const cluster = await startCluster()

const makeUser = (a: TestServer, name: string): Promise<any> =>
  make(a, 'user', { name, role: 'editor' })
const makeKey = (a: TestServer, name: string): Promise<any> =>
  make(a, 'api_key', { name, grants: ['view'] })

type Making = (a: TestServer, name: string) => Promise<any>
type Question = (name: string) => object

/** `key list` and `user list` filter by the name. */
const COMMANDS: readonly (readonly [command: string, making: Making, question: Question])[] = [
  ['key.create', makeUser, (user) => ({ name: 'of a user', user })],
  ['key.rotate', makeKey, (key) => ({ key })],
  ['key.revoke', makeKey, (key) => ({ key })],
  ['key.list', makeKey, () => ({})],
  ['user.list', makeUser, () => ({})],
  ['user.disable', makeUser, (name) => ({ name })],
  ['user.enable', makeUser, (name) => ({ name })],
  ['user.password', makeUser, (name) => ({ name, hashed: 'x' })],
  ['user.second-factor', makeUser, (name) => ({ name })],
  ['user.second-factor.remove', makeUser, (name) => ({ name })],
]

test('a command sees the earlier changes of another node', async (t) => {
  const [a, b] = await startTwo(t, cluster)
  for (const [command, making, question] of COMMANDS)
    await t.test(command, async () => {
      await making(a, `for ${command}`)
      const told = await b.command({ command, ...question(`for ${command}`) })
      if (!command.endsWith('.list')) return
      assert.ok(told.some(({ name }: { name: string }) => name === `for ${command}`))
    })

  await t.test('key.revoke also revokes the keys that the key made', async () => {
    const secret = await b.makeKey({ name: 'maker', grants: 'admin' })
    const made = await a.call('POST', '/api/v2/api_key', {
      key: secret,
      json: { name: 'made', grants: ['admin'] },
    })
    assert.equal(made.status, 201, made.text)
    await b.command({ command: 'key.revoke', key: 'maker', cascade: true })
    const asked = await a.call('GET', '/api/v2/me', { key: made.body.secret })
    assert.equal(asked.status, 401, asked.text)
  })
})
