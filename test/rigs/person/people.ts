// Users with all kinds of keys: keys from the operator, keys made by those keys, and sessions with
// several secrets each.

import assert from 'node:assert/strict'
import { askOwner } from '../../../lib/storage/embedded/lock.ts'
import { hashPassword } from '../../../lib/workers/passwords.ts'
import { newName } from '../../helpers/content.ts'
import { type Answer, type Call, send } from '../../helpers/server.ts'
import { cookieOf, PASSWORD, session } from '../../helpers/sessions.ts'
import type { Site } from './clients.ts'

export interface Secret {
  readonly key: string
  readonly keyId: number
  readonly userId: number
}

export interface PeoplePlan {
  readonly people: number
  /**
   * The number of keys that the operator makes for each user, and of keys that each of them makes.
   */
  readonly keys: number
  readonly made: number
  readonly sessions: number
}

export interface Place extends Site {
  readonly dataDir: string
}

export async function makePeople(place: Place, plan: PeoplePlan): Promise<readonly Secret[]> {
  const all: Secret[] = []
  for (let count = 0; count < plan.people; count += 1) all.push(...(await makePerson(place, plan)))
  return all
}

async function makePerson(place: Place, plan: PeoplePlan): Promise<readonly Secret[]> {
  const name = newName('person')
  const { user_id: userId } = await post(place, '/api/v2/user', { json: { name, role: 'viewer' } })
  const all: Secret[] = []
  for (let left = plan.keys; left > 0; left -= 1) {
    const own = await makeKey(place, { user_id: userId })
    all.push({ ...own, userId })
    for (let more = plan.made; more > 0; more -= 1)
      all.push({ ...(await makeKey(place, {}, own.key)), userId })
  }
  if (plan.sessions > 0) await setPassword(place, name)
  for (let left = plan.sessions; left > 0; left -= 1)
    for (const each of await signIn(place, name)) all.push({ ...each, userId })
  return all
}

async function makeKey(place: Place, fields: object, key = place.key) {
  const json = { name: newName('key'), grants: ['view'], ...fields }
  const { api_key_id: keyId, secret } = await post(place, '/api/v2/api_key', { json, key })
  return { keyId: keyId as number, key: secret as string }
}

/** Returns two secrets of a session, which count as a single key. */
async function signIn({ url }: Place, name: string) {
  const first = await session(url, 'POST', '', { json: { name, password: PASSWORD } })
  const { secret, api_key_id: keyId } = requireMade(first)
  const again = await session(url, 'POST', '/renew', { cookie: cookieOf(first) })
  return [secret, again.body.secret].map((key: string) => ({ key, keyId: keyId as number }))
}

async function setPassword({ dataDir }: Place, name: string): Promise<void> {
  const hashed = await hashPassword(PASSWORD)
  await askOwner(dataDir, { command: 'user.password', name, hashed })
}

export async function post({ url, key }: Site, path: string, call: Call): Promise<any> {
  return requireMade(await send(url, 'POST', path, { key, ...call }))
}

function requireMade({ status, body, text }: Answer): any {
  assert.equal(status, 201, text)
  return body
}
