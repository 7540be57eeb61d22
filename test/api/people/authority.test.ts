// Authority never grows. A key may see, create, change, rotate and revoke only keys and users whose authority
// is within its own. A move gives the caller no new rights, and the keys that a key created can be found and
// end with the key.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make, makeFolder } from '../../helpers/content.ts'
import { BACKUP_STATUS } from '../../helpers/engine.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { oneNode } from '../../helpers/node-pair.ts'

let server: TestServer
let users = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

interface MadeKey {
  readonly id: number
  readonly secret: string
}

type Ask = (method: string, path: string, json?: object) => Promise<Answer>

/** Sends requests with a key. */
const as =
  (key: string): Ask =>
  (method, path, json) =>
    server.call(method, path, { key, ...(json && { json }) })

async function makeKey(fields: object = {}, key: string = server.key): Promise<MadeKey> {
  const answer = await as(key)('POST', KEYS, { name: 'made', ...fields })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.api_key_id, secret: answer.body.secret }
}

async function makeUser(fields: object): Promise<number> {
  users += 1
  return (await make(server, 'user', { name: `user ${users}`, ...fields })).user_id
}

async function makeUserKey(fields: object): Promise<MadeKey> {
  return makeKey({ user_id: await makeUser(fields) })
}

const folderId = async (parent_category_id = 1): Promise<number> =>
  (await makeFolder(server, { parent_category_id })).asset_category_id
const readKey = async (id: number): Promise<any> => (await read(`${KEYS}/${id}`)).body
const read = (path: string): Promise<Answer> => server.call('GET', path)
const isValid = async (secret: string): Promise<boolean> =>
  (await as(secret)('GET', KEYS)).status === 200

const KEYS = '/api/v2/api_key'
const USERS = '/api/v2/user'
const FOLDERS = '/api/v2/asset_category'
const TOO_MUCH = [403, 422]
const NEVER = null
const END = '2035-01-01T00:00:00.000Z'
const LATER = '2036-01-01T00:00:00.000Z'

/** Every request that could take control of a key. */
const GRASPS: readonly (readonly [string, string, string, object?])[] = [
  ['reads', 'GET', ''],
  ['renames', 'POST', '', { name: 'taken' }],
  ['narrows', 'POST', '', { grants: ['view'] }],
  ['ends', 'POST', '', { status: 'inactive' }],
  ['rotates', 'POST', '/rotate', {}],
  ['revokes', 'DELETE', ''],
  ['revokes all of', 'DELETE', '?cascade=true'],
]

describe('a weaker key of the same user', () => {
  const weaker: readonly (readonly [string, () => Promise<object>])[] = [
    [
      'that views one folder',
      async () => ({ grants: ['view'], asset_category_id: await folderId() }),
    ],
    ['of one folder', async () => ({ asset_category_id: await folderId() })],
    ['that only views', async () => ({ grants: ['view'] })],
    ['with only admin', async () => ({ grants: ['admin'] })],
  ]
  for (const [what, fields] of weaker) {
    for (const [grasp, method, rest, json] of GRASPS) {
      test(`${what} never ${grasp} a full key, which is invisible`, async () => {
        const full = await makeKey()
        const before = await readKey(full.id)
        const { secret } = await makeKey(await fields())
        const answer = await as(secret)(method, `${KEYS}/${full.id}${rest}`, json)
        assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'])
        assert.deepEqual(await readKey(full.id), before)
        assert.ok(await isValid(full.secret))
      })
    }
  }

  test('lists itself and the keys within its rights', async () => {
    const folder = await folderId()
    const own = await makeKey({ grants: ['view', 'modify'], asset_category_id: folder })
    const within = await makeKey({ grants: ['view'], asset_category_id: await folderId(folder) })
    await makeKey({ grants: ['view'] })
    await makeKey({ asset_category_id: folder })
    const { body } = await as(own.secret)('GET', KEYS)
    assert.deepEqual(body.api_key.map((key: any) => key.api_key_id).sort(), [own.id, within.id])
  })
})

describe('a key without any grant', () => {
  for (const [grasp, method, rest, json] of GRASPS) {
    test(`never ${grasp} another key`, async () => {
      const full = await makeKey()
      const { secret } = await makeKey({ grants: [] })
      const answer = await as(secret)(method, `${KEYS}/${full.id}${rest}`, json)
      assert.equal(answer.status, method === 'POST' ? 403 : 404)
      assert.ok(await isValid(full.secret))
    })
  }

  for (const path of [KEYS, USERS, FOLDERS, '/api/v2/asset_file', '/upload'])
    test(`is refused at POST ${path} before its body is read`, async () => {
      const { secret } = await makeKey({ grants: [] })
      const body = '{"no JSON'
      const answer = await server.call('POST', path, { key: secret, body })
      assert.equal(answer.status, 403, answer.text)
    })
})

describe('a key with only the grant admin', () => {
  const wishes: readonly (readonly [string, object, readonly number[]])[] = [
    [KEYS, { name: 'x' }, [422]],
    [KEYS, { name: 'x', grants: ['view'] }, [422]],
    [USERS, { name: 'wide', role: 'admin' }, TOO_MUCH],
    [USERS, { name: 'wide', role: 'viewer' }, TOO_MUCH],
    [`${USERS}/1`, { email: 'taken@example.org' }, TOO_MUCH],
    [KEYS, { name: 'x', grants: ['admin'] }, [201]],
    [KEYS, { name: 'x', grants: [] }, [201]],
  ]
  for (const [path, json, statuses] of wishes)
    test(`that posts ${JSON.stringify(json)} to ${path} gets ${statuses.join(' or ')}`, async () => {
      const { secret } = await makeKey({ grants: ['admin'] })
      const answer = await as(secret)('POST', path, json)
      assert.ok(statuses.includes(answer.status), answer.text)
    })

  test('cannot extend its own grants, but can give them up', async () => {
    const { id, secret } = await makeKey({ grants: ['admin'] })
    const more = [{ grants: null }, { grants: ['admin', 'view'] }]
    for (const json of more)
      assert.equal((await as(secret)('POST', `${KEYS}/${id}`, json)).status, 422)
    assert.deepEqual((await readKey(id)).grants, ['admin'])
    assert.equal((await as(secret)('POST', `${KEYS}/${id}`, { grants: [] })).status, 200)
    assert.equal((await as(secret)('POST', `${KEYS}/${id}`, { grants: ['admin'] })).status, 403)
  })
})

test('a key with grants only below its folder can create a key for its folder', async () => {
  const outer = await folderId()
  const inner = (await makeFolder(server, { parent_category_id: outer })).asset_category_id
  const category_roles = [{ asset_category_id: inner, role: 'editor' }]
  const user_id = await makeUser({ role: 'viewer', category_roles })
  const limits = { grants: ['publish'], asset_category_id: outer }
  const { secret } = await makeKey({ user_id, ...limits })
  const made = await as(secret)('POST', KEYS, { name: 'same', ...limits })
  assert.equal(made.status, 201, made.text)
})

describe('a key that expires', () => {
  for (const [ends, status] of [
    [NEVER, 422],
    [LATER, 422],
    [END, 201],
  ] as const)
    test(`makes one that ends ${ends ?? 'never'}: ${status}`, async () => {
      const { secret } = await makeKey({ date_expires: END })
      const answer = await as(secret)('POST', KEYS, { name: 'x', date_expires: ends })
      assert.equal(answer.status, status, answer.text)
    })

  test('cannot extend itself or another key, or take over a key that expires later', async () => {
    const { id, secret } = await makeKey({ date_expires: END })
    const other = await makeKey({ status: 'inactive' })
    const refused: readonly (readonly [string, object])[] = [
      [`${id}`, { date_expires: LATER }],
      [`${id}`, { date_expires: NEVER }],
      [`${other.id}`, { date_expires: LATER }],
      [`${other.id}`, { status: 'active' }],
      [`${other.id}/rotate`, {}],
    ]
    for (const [path, json] of refused) {
      const { status, text } = await as(secret)('POST', `${KEYS}/${path}`, json)
      assert.ok(TOO_MUCH.includes(status), `${path} ${JSON.stringify(json)}: ${text}`)
    }
    assert.equal((await readKey(other.id)).status, 'inactive')
    assert.equal((await as(secret)('POST', `${KEYS}/${other.id}`, { name: 'y' })).status, 200)
  })
})

test('the user of a key cannot be changed', async () => {
  const { id } = await makeKey()
  const user_id = await makeUser({ role: 'viewer' })
  assert.equal((await as(server.key)('POST', `${KEYS}/${id}`, { user_id })).status, 422)
})

describe('a route about the whole site', () => {
  const folder = (): Promise<number> => folderId()
  const in_ = async (role: string | null): Promise<object> => ({
    category_roles: [{ asset_category_id: await folder(), role }],
  })
  const narrow: readonly (readonly [string, () => Promise<MadeKey>])[] = [
    ['without any grant', () => makeKey({ grants: [] })],
    ['that lacks admin', () => makeKey({ grants: ['view', 'publish'] })],
    ['of one folder', async () => makeKey({ asset_category_id: await folder() })],
    [
      'of a user who is admin in one folder',
      async () => makeUserKey({ role: null, ...(await in_('admin')) }),
    ],
    [
      'of an administrator with an excluded folder',
      async () => makeUserKey({ role: 'admin', ...(await in_(null)) }),
    ],
  ]
  const paths = [
    ['/metrics', 200],
    ['/api/v2/audit', 200],
    ['/api/v2/backup', BACKUP_STATUS],
  ] as const
  for (const [path, status] of paths) {
    const options = path === '/metrics' ? oneNode('soon') : {}
    for (const [what, key] of narrow)
      test(`${path} is not for a key ${what}`, options, async () => {
        assert.equal((await as((await key()).secret)('GET', path)).status, 403)
      })
    test(`${path} is for a full key`, options, async () => {
      assert.equal((await as((await makeKey()).secret)('GET', path)).status, status)
    })
  }

  test('a single row of the audit trail needs the same rights as the list', async () => {
    const { id } = await makeKey()
    const { body } = await read('/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=1')
    const [{ audit_id: row, object_id: changed }] = body.audit
    assert.equal(changed, id)
    for (const [, key] of narrow)
      assert.equal((await as((await key()).secret)('GET', `/api/v2/audit/${row}`)).status, 403)
  })
})

describe('an administrator with an excluded folder', () => {
  let withheld: number
  let limit: object
  let own: MadeKey
  let ownUser: number
  before(async () => {
    withheld = await folderId()
    limit = { category_roles: [{ asset_category_id: withheld, role: null }] }
    ownUser = await makeUser({ role: 'admin', ...limit })
    own = await makeKey({ user_id: ownUser })
  })

  test('cannot extend a key of another user in the excluded folder', async () => {
    const user_id = await makeUser({
      role: 'viewer',
      category_roles: [{ asset_category_id: withheld, role: 'editor' }],
    })
    const { id } = await makeKey({ user_id, grants: [] })
    for (const grants of [['publish'], ['view']]) {
      const answer = await as(own.secret)('POST', `${KEYS}/${id}`, { grants })
      assert.equal(answer.status, 422, answer.text)
    }
    assert.deepEqual((await readKey(id)).grants, [])
  })

  test('cannot create a user or key without this exception', async () => {
    const ask = as(own.secret)
    const wide = await makeUser({ role: 'viewer' })
    const wishes: readonly (readonly [string, object])[] = [
      [USERS, { name: 'without', role: 'admin' }],
      [USERS, { name: 'without', role: 'viewer' }],
      [
        USERS,
        { name: 'without', category_roles: [{ asset_category_id: withheld, role: 'viewer' }] },
      ],
      [KEYS, { name: 'x', user_id: 1 }],
      [KEYS, { name: 'x', user_id: wide, grants: ['view'] }],
      [`${USERS}/${ownUser}`, { category_roles: [] }],
    ]
    for (const [path, json] of wishes) {
      const { status, text } = await ask('POST', path, json)
      assert.ok(TOO_MUCH.includes(status), `${path} ${JSON.stringify(json)}: ${text}`)
    }
    assert.deepEqual((await ask('GET', `${FOLDERS}/${withheld}`)).status, 404)
  })

  test('creates and restricts users and keys with this exception', async () => {
    const ask = as(own.secret)
    const made = await ask('POST', USERS, { name: 'with', role: 'admin', ...limit })
    assert.equal(made.status, 201, made.text)
    const id: number = made.body.user_id
    assert.equal((await ask('POST', KEYS, { name: 'x', user_id: id })).status, 201)
    assert.equal((await ask('POST', `${USERS}/${id}`, { role: 'viewer' })).status, 200)
    assert.ok(
      TOO_MUCH.includes((await ask('POST', `${USERS}/${id}`, { category_roles: [] })).status),
    )
    assert.equal((await ask('DELETE', `${USERS}/${id}`)).status, 204)
  })

  test('cannot see, change or delete a user who has the folder', async () => {
    const ask = as(own.secret)
    const [full, other] = [await makeUser({ role: 'admin' }), await makeUser({ role: 'viewer' })]
    for (const id of [full, other]) {
      const path = `${USERS}/${id}`
      const statuses = [
        (await ask('GET', path)).status,
        (await ask('POST', path, { email: 'taken@example.org' })).status,
        (await ask('DELETE', path)).status,
      ]
      assert.deepEqual(statuses, [404, 404, 404])
    }
    const seen = (await ask('GET', `${USERS}?length=1000`)).body.user.map(
      (item: any) => item.user_id,
    )
    assert.ok(seen.includes(ownUser) && ![1, full, other].some((id) => seen.includes(id)))
  })
})
