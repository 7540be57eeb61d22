// Whether one holder has at least the authority of another in every folder. Through HTTP and with random
// holders: test/rigs/authority.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { FolderReader } from '../../lib/auth/folders.ts'
import { holdsAll, isGrantsWithin, isKeyWithin, isUserWithin } from '../../lib/auth/delegation.ts'
import { holderOf, openFewFolders } from './few-folders.ts'

let reader: FolderReader
before(async () => {
  reader = await openFewFolders()
})

type Parts = Parameters<typeof holderOf>[0]

const ADMIN: Parts = { role: 'admin' }

/** A user, a caller, and whether the caller has all rights of the user. */
const USERS: readonly (readonly [user: Parts, caller: Parts, isWithin: boolean])[] = [
  [ADMIN, ADMIN, true],
  [{}, {}, true],
  [{ role: 'editor' }, ADMIN, true],
  [ADMIN, { role: 'editor' }, false],
  [{ role: 'viewer' }, { role: 'viewer' }, true],
  [{ role: 'viewer' }, { role: 'viewer', scope: 1 }, false],
  [{ role: 'stager' }, { role: 'editor', grants: ['view', 'modify'] }, false],
  [{ role: 'viewer' }, { role: 'editor', grants: ['view', 'modify'] }, true],
  [{ roles: { 3: 'viewer' } }, { roles: { 2: 'viewer' } }, true],
  [{ roles: { 2: 'viewer' } }, { roles: { 3: 'viewer' } }, false],
  [{ roles: { 3: 'editor' } }, { role: 'viewer', roles: { 3: 'editor' } }, true],
  [{ roles: { 3: 'editor' } }, { role: 'viewer', roles: { 2: 'editor', 4: 'viewer' } }, false],
  [{ roles: { 3: 'editor' } }, { roles: { 2: 'editor' }, scope: 3 }, true],
  [{ roles: { 3: 'editor' } }, { roles: { 2: 'editor' }, scope: 4 }, false],
  [ADMIN, { role: 'admin', roles: { 3: 'editor' } }, false],
  [ADMIN, { role: 'admin', roles: { 3: 'admin' } }, true],
  [{ role: 'viewer' }, { role: 'viewer', roles: { 5: null } }, false],
  [{ role: 'viewer', roles: { 5: null } }, { role: 'viewer', roles: { 5: null } }, true],
  [{ roles: { 7: 'admin' } }, {}, true],
  [{ roles: { 1: 'viewer' } }, { roles: { 2: 'viewer', 5: 'viewer' } }, false],
]

describe('a user', () => {
  for (const [user, caller, isWithin] of USERS)
    test(`of ${JSON.stringify(user)} is ${isWithin ? '' : 'not '}within ${JSON.stringify(caller)}`, () =>
      assert.equal(isUserWithin(reader, holderOf(user).user, holderOf(caller)), isWithin))
})

/** Keys, mostly of a user who has no role. */
const KEYS: readonly (readonly [key: Parts, caller: Parts, isWithin: boolean])[] = [
  [{ grants: ['view'] }, ADMIN, true],
  [{ grants: null }, ADMIN, true],
  [{ grants: null }, { role: 'admin', grants: ['view'] }, false],
  [{ grants: ['view'] }, { role: 'admin', grants: ['view'] }, true],
  [{ grants: ['view', 'stage'] }, { role: 'admin', grants: ['view'] }, false],
  [{ grants: ['create'] }, { role: 'admin', grants: ['modify'] }, true],
  [{ grants: ['modify'] }, { role: 'admin', grants: ['create'] }, false],
  [{ scope: null }, { role: 'admin', scope: 2 }, false],
  [{ scope: 2 }, { role: 'admin', scope: 2 }, true],
  [{ scope: 4 }, { role: 'admin', scope: 2 }, true],
  [{ scope: 1 }, { role: 'admin', scope: 2 }, false],
  [{ scope: 5 }, { role: 'admin', scope: 2 }, false],
  [{ scope: 7 }, { role: 'admin', scope: 2 }, false],
  [{ scope: 5 }, ADMIN, true],
  [{ role: 'editor', scope: 3 }, { role: 'viewer' }, false],
  [{ role: 'editor', scope: 3 }, { role: 'viewer', roles: { 2: 'editor' } }, true],
]

describe('a key', () => {
  for (const [key, caller, isWithin] of KEYS)
    test(`of ${JSON.stringify(key)} is ${isWithin ? '' : 'not '}within ${JSON.stringify(caller)}`, () =>
      assert.equal(isKeyWithin(reader, holderOf(key), holderOf(caller)), isWithin))

  test('of the same user is within by its limits, and of another user also by the grants of that user', () => {
    const caller = holderOf({ role: 'viewer' })
    const other = holderOf({ role: 'editor' })
    assert.equal(isKeyWithin(reader, { ...other, user: caller.user }, caller), true)
    assert.equal(isKeyWithin(reader, other, caller), false)
  })

  test('with all grants is not within any list of grants', () => {
    assert.equal(isGrantsWithin(null, holderOf({})), true)
    assert.equal(isGrantsWithin(null, holderOf({ grants: ['view'] })), false)
    assert.equal(isGrantsWithin([], holderOf({ grants: [] })), true)
    assert.equal(isGrantsWithin(['view', 'admin'], holderOf({ grants: ['view'] })), false)
  })
})

const ALL: readonly (readonly [parts: Parts, isAll: boolean])[] = [
  [ADMIN, true],
  [{ role: 'admin', roles: { 2: 'admin' } }, true],
  [{ role: 'admin', roles: { 2: 'admin', 3: 'editor' } }, false],
  [{ role: 'admin', roles: { 2: null } }, false],
  [{ role: 'editor', roles: { 1: 'admin' } }, false],
  [{ role: 'editor' }, false],
  [{ role: 'admin', scope: 1 }, false],
  [{ role: 'admin', grants: ['admin', 'view'] }, false],
]

describe('a caller with', () => {
  for (const [parts, isAll] of ALL)
    test(`${JSON.stringify(parts)} has ${isAll ? 'all' : 'not all'} grants`, () =>
      assert.equal(holdsAll(holderOf(parts)), isAll))
})
