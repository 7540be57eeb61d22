// Command-line operations on a data directory, on records in memory. cli/commands.test.ts tests the
// programs themselves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CmsError } from '../../../lib/base/errors.ts'
import { runCommand } from '../../../lib/operations/people/commands.ts'
import { prepareSite } from '../../../lib/operations/people/first-start.ts'
import { type ApiKey, apiKey } from '../../../lib/schema/api-key.ts'
import { nextSecondFactor, secondFactor, userPassword } from '../../../lib/schema/user.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const NOW = new Date('2026-01-02T03:04:05.000Z')

async function open() {
  const records = openRecords(openMemoryKv())
  await prepareSite(records, NOW)
  const run = (command: string, args: object = {}): Promise<any> =>
    runCommand({ records, now: () => NOW }, { command, ...args })
  const keyOf = async (args: object): Promise<ApiKey | undefined> => {
    const { api_key_id: id } = await run('key.create', { name: 'made', ...args })
    return records.get(apiKey.recordType, id)?.value
  }
  return { records, run, keyOf }
}

test('keys and users are listed with all stored fields', async () => {
  const { run } = await open()
  await run('key.create', { name: 'made', grants: 'view, create' })
  const keys = await run('key.list')
  assert.deepEqual(
    keys.map(({ name, grants }: ApiKey) => [name, grants]),
    [['made', ['view', 'create']]],
  )
  assert.deepEqual(
    (await run('user.list')).map(({ name, role }: any) => [name, role]),
    [['admin', 'admin']],
  )
})

test('the expiry of a key is a duration in any unit, or a date', async () => {
  const { keyOf } = await open()
  for (const [expires, end] of [
    ['90s', '2026-01-02T03:05:35.000Z'],
    ['15m', '2026-01-02T03:19:05.000Z'],
    ['12h', '2026-01-02T15:04:05.000Z'],
    ['30d', '2026-02-01T03:04:05.000Z'],
    ['2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ] as const)
    assert.equal((await keyOf({ expires }))?.date_expires, end, expires)
  assert.equal((await keyOf({}))?.date_expires, null)
})

test('a folder of null is refused, and a key without a folder is for all folders', async () => {
  const { keyOf } = await open()
  await assert.rejects(keyOf({ category: null }), (error) => {
    assert.ok(error instanceof CmsError)
    assert.deepEqual(
      [error.code, error.facts.errors?.[0]?.pointer],
      ['invalid-content', '/asset_category_id'],
    )
    return true
  })
  assert.equal((await keyOf({ category: 12 }))?.asset_category_id, 12)
  assert.equal((await keyOf({}))?.asset_category_id, null)
})

test('a password is stored as a hash, and only for an existing user', async () => {
  const { records, run } = await open()
  await run('user.password', { name: 'admin', hashed: '$argon2id$x' })
  assert.deepEqual(records.get(userPassword, 1)?.value, { password: '$argon2id$x' })
  await assert.rejects(run('user.password', { name: 'nobody', hashed: 'x' }), /no user "nobody"/)
})

test('a second factor is listed, and removed together with an unconfirmed one', async () => {
  const { records, run } = await open()
  const name = 'admin'
  const factor = { secret: 'JBSWY3DPEHPK3PXP', last_step: 1, recovery_codes: [] }
  await records.commit((unit) => {
    unit.put(secondFactor, [1], factor)
    unit.put(nextSecondFactor, [1], { secret: 'x', date_ends: NOW.toISOString() })
  })
  assert.deepEqual(await run('user.second-factor', { name }), { has_second_factor: true })
  await run('user.second-factor.remove', { name })
  assert.deepEqual(await run('user.second-factor', { name }), { has_second_factor: false })
  assert.equal(records.get(nextSecondFactor, 1), undefined)
  await assert.rejects(run('user.second-factor.remove', { name: 'nobody' }), /no user "nobody"/)
})

test('arguments that are not text and unknown commands are refused', async () => {
  const { run, keyOf } = await open()
  for (const args of [{ user: 1 }, { grants: ['view'] }, { expires: null }])
    await assert.rejects(keyOf(args), /must be text/, JSON.stringify(args))
  for (const command of ['key.make', 'toString', ''])
    await assert.rejects(run(command), { code: 'bad-request' })
  await assert.rejects(run('key.revoke', { key: 'nobody' }), /There is no key "nobody"/)
})

test('keys that a key made are deleted with it only on request', async () => {
  const { records, run, keyOf } = await open()
  const maker = await keyOf({})
  const made = await keyOf({})
  assert.ok(maker !== undefined && made !== undefined)
  await records.commit((unit) =>
    unit.put(apiKey.recordType, [made.api_key_id], { ...made, made_by: maker.api_key_id }),
  )
  const states = (): readonly unknown[] =>
    [maker, made].map((key) => records.get(apiKey.recordType, key.api_key_id)?.value.status)

  await run('key.revoke', { key: maker.api_key_id })
  assert.deepEqual(states(), ['inactive', 'active'])
  await run('key.revoke', { key: maker.api_key_id, cascade: true })
  assert.deepEqual(states(), ['inactive', 'inactive'])
})
