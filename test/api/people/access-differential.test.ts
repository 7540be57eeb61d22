// Whether a key may act: for random users, roles, folders and keys, the answer matches the result of the
// actual route.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GRANTS, ROLE_NAMES } from '../../../lib/shared/grants.ts'
import { make, newName } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { openRandom } from '../../rigs/random.ts'

const FOLDERS = 6
const USERS = 8
const IN_FOLDERS = ['asset_file', 'file_group', 'datatable'] as const
const TYPES: Readonly<Record<string, object>> = {
  asset_file: { type: 'txt', pageContent: 'a' },
  datatable: { table_schema: 'a C(5)' },
}
/** The route has checked all grants before it answers with one of these statuses. */
const ALLOWED = new Set([200, 201, 204, 409, 412])
const DENIED = new Set([401, 403, 404, 422])

interface Subject {
  readonly keyId: number
  readonly userId: number
  readonly secret: string
  readonly isUnlimited: boolean
}

interface Act {
  readonly object: string
  readonly id: number
  readonly action: string
}

let server: TestServer
const folders = [1]
const acts: Act[] = []
const subjects: Subject[] = []
const random = openRandom(20_261_123)
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
const some = <T>(list: readonly T[]): T[] => list.filter(() => random.below(2) === 0)

before(async () => {
  server = await startTestServer()
  await makeRecords()
  await makeSubjects()
})
after(() => server.close())

async function makeRecords(): Promise<void> {
  for (let count = 0; count < FOLDERS; count += 1) {
    const fields = { name: newName('folder'), parent_category_id: pick(folders) }
    const { asset_category_id: id } = await make(server, 'asset_category', fields)
    folders.push(id)
    for (const object of IN_FOLDERS) await makeRecord(object, id)
  }
  for (const id of folders.slice(1)) {
    for (const action of ['read', 'update', 'delete'])
      acts.push({ object: 'asset_category', id, action })
    for (const object of ['asset_category', ...IN_FOLDERS])
      acts.push({ object, id, action: 'create' })
  }
}

async function makeRecord(object: string, parent_category_id: number): Promise<void> {
  const record = await make(server, object, {
    name: newName(''),
    parent_category_id,
    ...TYPES[object],
  })
  const id = record[`${object}_id`]
  const more = object === 'asset_file' ? ['publish', 'stage', 'unpublish', 'unstage'] : []
  for (const action of ['read', 'update', 'delete', ...more]) acts.push({ object, id, action })
}

async function makeSubjects(): Promise<void> {
  for (let count = 0; count < USERS; count += 1) {
    const category_roles = some(folders.slice(1)).map((id) => ({
      asset_category_id: id,
      role: pick([...ROLE_NAMES, null]),
    }))
    const fields = { name: newName('user'), role: pick([...ROLE_NAMES, null]), category_roles }
    const { user_id: userId } = await make(server, 'user', fields)
    for (const action of ['read', 'update', 'delete'])
      acts.push({ object: 'user', id: userId, action })
    for (const isUnlimited of [true, false, false]) {
      const limits = {
        grants: pick([null, some(GRANTS)]),
        asset_category_id: pick([null, ...folders]),
      }
      const key = { name: 'k', user_id: userId, ...(!isUnlimited && limits) }
      const { api_key_id: keyId, secret } = await make(server, 'api_key', key)
      subjects.push({ keyId, userId, secret, isUnlimited })
      for (const action of ['read', 'update', 'delete', 'rotate'])
        acts.push({ object: 'api_key', id: keyId, action })
    }
  }
}

/** Sends the actual request. If-Match prevents every change except a create. */
async function isDone({ object, id, action }: Act, key: string): Promise<boolean> {
  const path = `/api/v2/${object}`
  const call = { key, headers: { 'if-match': '"r0"' } }
  const send = () => {
    if (action === 'read') return server.call('GET', `${path}/${id}`, { key })
    // The contents of a folder are checked only after If-Match, so the request has no If-Match. The folder is
    // not empty and stays.
    if (action === 'delete')
      return server.call('DELETE', `${path}/${id}`, object === 'asset_category' ? { key } : call)
    if (action === 'update') return server.call('POST', `${path}/${id}`, { ...call, json: {} })
    if (action !== 'create')
      return server.call('POST', `${path}/${id}/${action}`, { ...call, json: {} })
    const json = { name: newName(''), parent_category_id: id, ...TYPES[object] }
    return server.call('POST', path, { key, json })
  }
  const { status, text } = await send()
  assert.ok(ALLOWED.has(status) || DENIED.has(status), `${object} ${action} ${status} ${text}`)
  return ALLOWED.has(status)
}

async function isTold(who: string, { object, id, action }: Act, key: string): Promise<any> {
  const query = `${who}&object=${object}&id=${id}&action=${action}`
  const { status, body, text } = await server.call('GET', `/api/v2/access?${query}`, { key })
  assert.equal(status, 200, `${query} ${text}`)
  assert.equal(body.allowed, body.because.length === 0)
  return body.allowed
}

test('the response agrees with the route, for keys, for users and for the calling key', async () => {
  const seen = { allowed: 0, denied: 0 }
  for (const subject of subjects)
    for (const act of acts.filter(() => random.below(4) === 0)) {
      const { keyId, userId, secret, isUnlimited } = subject
      const what = JSON.stringify({ ...act, keyId, userId })
      const isAllowed = await isDone(act, secret)
      assert.equal(await isTold(`api_key_id=${keyId}`, act, server.key), isAllowed, what)
      if (isUnlimited && !(act.object === 'api_key' && act.id === keyId))
        assert.equal(await isTold(`user_id=${userId}`, act, server.key), isAllowed, what)
      // A record that the key does not see counts as missing, although the key may act on the record.
      if (await isTold(`api_key_id=${keyId}`, act, secret)) assert.ok(isAllowed, what)
      seen[isAllowed ? 'allowed' : 'denied'] += 1
    }
  assert.ok(seen.allowed > 200 && seen.denied > 200, JSON.stringify(seen))
})
