// Authentication by a secret: the caller, the time at which the secret expires, and the parsed header. The resulting
// responses: header.test.ts and test/api/people.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCallers, readPassword, readSecret, recheck, withBasic } from '../../lib/auth/caller.ts'
import { hashSecret, newSecret } from '../../lib/auth/secret.ts'
import { CmsError } from '../../lib/base/errors.ts'
import { apiKey, apiKeySecret, seenTime } from '../../lib/schema/api-key.ts'
import { buildRecord } from '../../lib/schema/record.ts'
import { user } from '../../lib/schema/user.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const PASSWORDS: readonly (readonly [
  what: string,
  headers: readonly string[],
  string | undefined,
])[] = [
  ['no header', [], undefined],
  ['an empty header', [''], undefined],
  ['a name and a password', [`Basic ${base64('a:b')}`], 'b'],
  ['the scheme in capitals, and spaces', [`BASIC   ${base64('a:b')}  `], 'b'],
  ['no name', [`Basic ${base64(':b')}`], 'b'],
  ['colons in the password', [`Basic ${base64('a:b:c')}`], 'b:c'],
  ['a password of one letter', [`Basic ${base64('a:b')}`], 'b'],
  ['no password', [`Basic ${base64('a:')}`], undefined],
  ['no colon', [`Basic ${base64('ab')}`], undefined],
  ['base64 with all its signs', [`Basic ${base64('a:~~~>')}`], '~~~>'],
  ['base64 for addresses', [`Basic ${Buffer.from('a:~~~?').toString('base64url')}`], '~~~?'],
  ['a letter before the scheme', [`xBasic ${base64('a:b')}`], undefined],
  ['no space after the scheme', [`Basic${base64('a:b')}`], undefined],
  ['text after it', [`Basic ${base64('a:b')} x`], undefined],
  ['two headers', [`Basic ${base64('a:b')}`, `Basic ${base64('a:b')}`], undefined],
]

describe('the password of', () => {
  for (const [what, headers, password] of PASSWORDS)
    test(`${what} is ${password ?? 'none'}`, () => assert.equal(readPassword(headers), password))
})

const SECRETS: readonly (readonly [what: string, headers: readonly string[], string])[] = [
  ['one key', ['Bearer x'], 'x'],
  ['the scheme in capitals, and spaces', ['BEARER   x  '], 'x'],
  ['no header', [], 'key-required'],
  ['another scheme', ['Basic x'], 'key-required'],
  ['a scheme that ends with Bearer', ['xBearer x'], 'key-required'],
  ['a scheme that begins with Bearer', ['Bearers x'], 'key-required'],
  ['another scheme, twice', ['Basic x', 'Basic x'], 'invalid-request'],
  ['two keys', ['Bearer x', 'Bearer x'], 'invalid-request'],
  ['two words', ['Bearer x y'], 'invalid-request'],
  ['no key', ['Bearer '], 'invalid-request'],
  ['no scheme', ['x'], 'invalid-request'],
  ['a list', ['x, y z'], 'invalid-request'],
  ['a list that ends in one', ['x, Bearer y'], 'invalid-request'],
  ['nothing in it', [''], 'invalid-request'],
]

function codeOf(run: () => string): string {
  try {
    return run()
  } catch (error) {
    assert.ok(error instanceof CmsError)
    return error.code
  }
}

describe('a header with', () => {
  for (const [what, headers, outcome] of SECRETS)
    test(`${what} comes ${outcome}`, () =>
      assert.equal(
        codeOf(() => readSecret(headers)),
        outcome,
      ))
})

test('an error about a missing or invalid key also has the challenge for a password first', () => {
  const headers = { 'www-authenticate': 'Bearer realm="cms"', 'x-other': 'y' }
  for (const code of ['key-required', 'key-invalid'] as const) {
    const both = withBasic(new CmsError(code, 'Why.', { headers, members: { a: 1 } }))
    assert.deepEqual([both.code, both.message, both.facts.members], [code, 'Why.', { a: 1 }])
    assert.deepEqual(both.facts.headers, {
      'www-authenticate': 'Basic realm="cms", charset="UTF-8", Bearer realm="cms"',
      'x-other': 'y',
    })
  }
  const other = new CmsError('grant-missing', 'Why.', { headers })
  assert.equal(withBasic(other), other)
})

const NOW = new Date('2026-01-02T03:04:05.000Z')
const LATER = '2026-01-02T03:04:05.001Z'

interface Site {
  readonly secret?: object
  readonly key?: object
  readonly user?: object
  readonly seen?: string
}

/** Opens a site with user 7 and key 3, changed by `site`. A record that is undefined does not exist. */
async function open(site: Site = {}) {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  const text = newSecret()
  const secret = { text, hash: hashSecret(text) }
  const all = {
    secret: { api_key_id: 3, date_expires: null },
    key: { user_id: 7, name: 'x', status: 'active', ...site.key },
    user: { name: 'u', role: 'admin', status: 'active', ...site.user },
  }
  const now = NOW.toISOString()
  await records.commit((unit) => {
    unit.put(apiKeySecret, [secret.hash], { ...all.secret, ...site.secret })
    unit.put(apiKey.recordType, [3], buildRecord(apiKey, all.key, { id: 3, owner: 'x', now }))
    unit.put(user.recordType, [7], buildRecord(user, all.user, { id: 7, owner: 'x', now }))
    if (site.seen !== undefined)
      unit.put(seenTime, [1], { date_seen: site.seen, date_last: site.seen, jumps: [] })
  })
  return { records, secret, find: openCallers(records, 10) }
}

describe('a secret', () => {
  const CASES: readonly (readonly [what: string, site: Site, ends: string | null | undefined])[] = [
    ['without an expiry', {}, null],
    ['with its own expiry', { secret: { date_expires: LATER } }, LATER],
    ['of a key with an expiry', { key: { date_expires: LATER } }, LATER],
    [
      'that expires before its key',
      { secret: { date_expires: LATER }, key: { date_expires: '2026-02-01T00:00:00.000Z' } },
      LATER,
    ],
    [
      'that would expire after its key',
      { secret: { date_expires: '2026-02-01T00:00:00.000Z' }, key: { date_expires: LATER } },
      LATER,
    ],
    ['that expires now', { secret: { date_expires: NOW.toISOString() } }, undefined],
    ['of a key that expires now', { key: { date_expires: NOW.toISOString() } }, undefined],
    ['of an inactive key', { key: { status: 'inactive' } }, undefined],
    ['of a disabled user', { user: { status: 'inactive' } }, undefined],
    ['of a deleted key', { secret: { api_key_id: 4 } }, undefined],
    ['of a deleted user', { key: { user_id: 8 } }, undefined],
    [
      'that expired before the clock was set back',
      { secret: { date_expires: LATER }, seen: LATER },
      undefined,
    ],
  ]
  for (const [what, site, ends] of CASES)
    test(`${what} ${ends === undefined ? 'has no caller' : 'has its key and user as caller'}`, async () => {
      const { find, secret } = await open(site)
      const caller = find(secret, NOW)
      assert.equal(caller?.dateEnds, ends)
      if (ends !== undefined)
        assert.deepEqual([caller?.key.api_key_id, caller?.user.name], [3, 'u'])
    })

  test('that is unknown has no caller, and a text that is not a secret is not looked up', async () => {
    const { records, find, secret } = await open()
    const text = newSecret()
    assert.equal(find({ text, hash: hashSecret(text) }, NOW), undefined)
    assert.equal(find({ text: 'x', hash: secret.hash }, NOW), undefined)
    assert.equal(find(secret, NOW)?.secretHash, secret.hash)
    assert.throws(() => recheck(records, { ...callerOf(), secretHash: 'x' }, NOW), {
      code: 'key-invalid',
    })

    function callerOf() {
      const caller = find(secret, NOW)
      assert.ok(caller)
      return caller
    }
  })

  test('has the same caller until a record of the caller changes, and none after its expiry', async () => {
    const { records, find, secret } = await open({ secret: { date_expires: LATER } })
    const caller = find(secret, NOW)
    assert.ok(caller)
    assert.equal(find(secret, NOW), caller)
    assert.equal(find(secret, new Date(LATER)), undefined)
    assert.equal(recheck(records, caller, NOW), caller)

    await records.commit((unit) =>
      unit.put(seenTime, [2], { date_seen: LATER, date_last: LATER, jumps: [] }),
    )
    assert.equal(find(secret, NOW), caller)
    await records.commit((unit) =>
      unit.put(user.recordType, [7], { ...caller.user, role: 'viewer' }),
    )
    assert.equal(find(secret, NOW)?.user.role, 'viewer')
    await records.commit((unit) => unit.put(apiKey.recordType, [3], { ...caller.key, name: 'y' }))
    assert.equal(find(secret, NOW)?.key.name, 'y')
    assert.equal(recheck(records, caller, NOW).key.name, 'y')
  })
})
