// The limits of API keys: no key has more authority than its creator, and no key expires before it begins.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pointersOf } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let eva: string

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  await server.command({ command: 'user.create', name: 'eva', role: 'editor' })
  eva = await server.makeKey({ name: 'of eva', user: 'eva' })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const post = (path: string, json: object, key: string = server.key): Promise<Answer> =>
  server.call('POST', `/api/v2/${path}`, { json, key })
const get = (path: string, key: string = server.key): Promise<Answer> =>
  server.call('GET', `/api/v2/${path}`, { key })
const statusOf = async (key: string): Promise<number> => (await get('api_key', key)).status

async function makeKey(
  json: object,
  key: string = server.key,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { status, body, text } = await post('api_key', { name: 'made', ...json }, key)
  assert.equal(status, 201, text)
  return { id: body.api_key_id, secret: body.secret }
}

describe('K8: a key cannot create or become a key with more rights by', () => {
  const FUTURE = '2090-01-01T00:00:00.000Z'
  const LATER = '2091-01-01T00:00:00.000Z'
  let folder: number
  let other: number
  let below: number
  before(async () => {
    folder = (await post('asset_category', { name: 'own' })).body.asset_category_id
    other = (await post('asset_category', { name: 'other' })).body.asset_category_id
    below = (await post('asset_category', { name: 'below', parent_category_id: folder })).body
      .asset_category_id
  })

  const limits = (): object => ({
    grants: ['view', 'create'],
    asset_category_id: folder,
    date_expires: FUTURE,
  })
  const wider: readonly (readonly [string, () => object, string])[] = [
    ['all grants', () => ({ grants: null }), '/grants'],
    ['one more grant', () => ({ grants: ['view', 'publish'] }), '/grants'],
    ['every folder', () => ({ asset_category_id: null }), '/asset_category_id'],
    ['another folder', () => ({ asset_category_id: other }), '/asset_category_id'],
    ['the folder above', () => ({ asset_category_id: 1 }), '/asset_category_id'],
    ['no expiry', () => ({ date_expires: null }), '/date_expires'],
    ['a later expiry', () => ({ date_expires: LATER }), '/date_expires'],
  ]
  for (const [what, values, pointer] of wider) {
    test(what, async () => {
      const { id, secret } = await makeKey(limits(), eva)
      const minted = await post('api_key', { name: 'wider', ...limits(), ...values() }, secret)
      const self = await post(`api_key/${id}`, values(), secret)

      for (const { status, body } of [minted, self]) {
        assert.equal(status, 422)
        assert.deepEqual(
          body.errors.map((error: any) => error.pointer),
          [pointer],
        )
      }
      const { body } = await get(`api_key/${id}`, eva)
      assert.deepEqual(
        { ...limits() },
        {
          grants: body.grants,
          asset_category_id: body.asset_category_id,
          date_expires: body.date_expires,
        },
      )
    })
  }

  test('rotating a key with more rights', async () => {
    const { secret } = await makeKey(limits(), eva)
    const { id: wide, secret: wideSecret } = await makeKey({}, eva)
    const { status, body } = await post(`api_key/${wide}/rotate`, {}, secret)
    assert.deepEqual([status, body.secret], [404, undefined])
    assert.equal(await statusOf(wideSecret), 200)
  })

  test('omitting its limits, but the same limits or narrower ones are accepted', async () => {
    const { secret } = await makeKey(limits(), eva)
    assert.equal((await post('api_key', { name: 'free' }, secret)).status, 422)
    assert.equal((await post('api_key', { name: 'same', ...limits() }, secret)).status, 201)
    assert.equal(
      (
        await post(
          'api_key',
          { name: 'less', ...limits(), grants: [], asset_category_id: below },
          secret,
        )
      ).status,
      201,
    )
  })

  test('any request, if the key has no grant', async () => {
    const { secret } = await makeKey({ grants: [] }, eva)
    for (const grants of [['view'], []]) {
      const { status, body } = await post('api_key', { name: 'x', grants }, secret)
      assert.deepEqual([status, body.code], [403, 'grant-missing'])
    }
  })

  test('being moved to another user', async () => {
    const { id } = await makeKey({}, eva)
    assert.equal((await post(`api_key/${id}`, { user_id: 1 }, eva)).status, 422)
  })
})

test('a command with an invalid limit is refused', async () => {
  const limits = [{ category: null }, { category: 'all' }, { grants: ['view'] }, { expires: 30 }]
  for (const limit of limits) {
    const request = { command: 'key.create', name: 'x', ...limit }
    await assert.rejects(server.command(request), { name: 'CmsError' }, JSON.stringify(limit))
  }
})

describe('an expiry in the past', () => {
  const PAST = '2020-01-01T00:00:00Z'

  test('is refused for new and existing keys', async () => {
    const { id, secret } = await makeKey({})
    const answers = [
      await post('api_key', { name: 'over', date_expires: PAST }),
      await post(`api_key/${id}`, { date_expires: PAST }),
    ]
    for (const answer of answers) assert.deepEqual(pointersOf(answer), ['/date_expires'])
    assert.equal(await statusOf(secret), 200)
  })
})
