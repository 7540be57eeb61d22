// The grants of a holder in each folder, and the folders that the holder sees. Through HTTP: folder-grants.test.ts and matrix.test.ts.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { chainOf, type FolderReader } from '../../lib/auth/folders.ts'
import {
  globalGrants,
  grantsAt,
  holdsAnywhere,
  holdsEverywhere,
  holdsNothing,
  holdsSomewhere,
  missingGrant,
  requireEverywhere,
  requireGrant,
} from '../../lib/auth/grants.ts'
import { openVisibleFolders } from '../../lib/auth/visible-folders.ts'
import { ROLES } from '../../lib/shared/grants.ts'
import { holderOf, openFewFolders } from './few-folders.ts'

let reader: FolderReader
before(async () => {
  reader = await openFewFolders()
})

test('the path of a folder ends at the root and is undefined if a parent is missing or the path leads elsewhere', () => {
  const wayOf = (id: number) => chainOf(reader, id)?.map((folder) => folder.asset_category_id)
  assert.deepEqual(wayOf(4), [4, 3, 2, 1])
  assert.deepEqual(wayOf(1), [1])
  for (const id of [6, 7, 8]) assert.equal(wayOf(id), undefined)
})

const { viewer, stager, editor, admin } = ROLES
const none: readonly string[] = []
type Parts = Parameters<typeof holderOf>[0]

/** The grants of each holder in the folders 1 to 5, and on records outside any folder. */
const HOLDERS: readonly (readonly [
  what: string,
  parts: Parts,
  at: readonly (readonly string[])[],
])[] = [
  ['no role', {}, [none, none, none, none, none, none]],
  ['a role everywhere', { role: 'editor' }, [editor, editor, editor, editor, editor, editor]],
  [
    'roles in folders',
    { role: 'viewer', roles: { 2: 'stager', 4: 'admin' } },
    [viewer, stager, stager, admin, viewer, viewer],
  ],
  [
    'an excluded folder',
    { role: 'editor', roles: { 3: null } },
    [editor, editor, none, none, editor, editor],
  ],
  [
    'one folder with an excluded folder in it',
    { roles: { 2: 'viewer', 3: null, 4: 'viewer' } },
    [none, viewer, none, viewer, none, none],
  ],
  ['a key for a folder', { role: 'admin', scope: 3 }, [none, none, admin, admin, none, none]],
  [
    'a key with few grants',
    { role: 'editor', grants: ['publish', 'view'] },
    Array.from({ length: 6 }, () => ['view', 'publish']),
  ],
  [
    'a key with modify',
    { role: 'editor', grants: ['modify'], scope: 2, roles: { 3: 'viewer' } },
    [none, ['create', 'modify'], none, none, none, none],
  ],
  ['a key without grants', { role: 'admin', grants: [] }, [none, none, none, none, none, none]],
]

describe('a caller with', () => {
  for (const [what, parts, at] of HOLDERS) {
    const held = () => {
      const holder = holderOf(parts)
      return [...[1, 2, 3, 4, 5].map((id) => grantsAt(reader, holder, id)), globalGrants(holder)]
    }
    test(`${what} has the expected grants in each folder`, () =>
      assert.deepEqual(
        held().map((grants) => [...grants]),
        at.map((grants) => [...grants]),
      ))

    test(`${what} sees the same folders in any order of lookups`, () => {
      for (const ids of [
        [1, 2, 3, 4, 5],
        [4, 3, 2, 1, 5],
        [3, 4, 5, 2, 1],
      ]) {
        const sight = openVisibleFolders(reader, holderOf(parts))
        for (const id of ids) {
          assert.deepEqual([...sight.grantsAt(id)], [...(at[id - 1] ?? [])], `folder ${id}`)
          assert.equal(sight.sees(id), at[id - 1]?.length !== 0)
        }
      }
    })

    test(`${what} has the grants somewhere or everywhere, as expected`, () => {
      const holder = holderOf(parts)
      const inFolders = at.slice(0, 5)
      for (const grant of ['view', 'modify', 'publish', 'delete'] as const) {
        const isSomewhere = inFolders.some((grants) => grants.includes(grant))
        assert.equal(holdsSomewhere(reader, holder, [grant]), isSomewhere, grant)
        assert.equal(holdsSomewhere(reader, holder, ['admin', grant]), isSomewhere, grant)
        assert.equal(
          holdsEverywhere(holder, grant),
          at.every((grants) => grants.includes(grant)),
          grant,
        )
        assert.ok(!isSomewhere || holdsAnywhere(holder, grant), grant)
      }
      const isAdmin = at[5]?.includes('admin')
      assert.equal(holdsAnywhere(holder, 'admin'), isAdmin)
      assert.equal(holdsSomewhere(reader, holder, ['admin']), isAdmin)
    })
  }

  test('a role only in a deleted folder has no grant', () => {
    for (const holder of [
      holderOf({ roles: { 7: 'editor' } }),
      holderOf({ role: 'editor', scope: 7 }),
    ]) {
      assert.equal(holdsAnywhere(holder, 'view'), true)
      assert.equal(holdsSomewhere(reader, holder, ['view']), false)
      const sight = openVisibleFolders(reader, holder)
      for (const id of [6, 7, 8]) {
        assert.equal(grantsAt(reader, holder, id).size, 0)
        assert.equal(sight.sees(id), false)
        assert.equal(sight.pathOf(id), '')
        assert.equal(sight.pathBytesOf(id), 0)
      }
    }
  })

  test('a role everywhere has no grant in folders whose path does not end at the root', () => {
    const holder = holderOf({ role: 'editor' })
    for (const id of [6, 7, 8]) {
      assert.equal(grantsAt(reader, holder, id).size, 0)
      assert.equal(openVisibleFolders(reader, holder).sees(id), false)
    }
  })

  test('a role whose grants the key excludes has no grant', () => {
    const holder = holderOf({ role: 'viewer', roles: { 2: 'stager' }, grants: ['publish'] })
    assert.equal(holdsAnywhere(holder, 'publish'), false)
    assert.equal(holdsAnywhere(holder, 'view'), false)
    assert.equal(holdsSomewhere(reader, holder, ['view', 'publish', 'modify']), false)
  })
})

describe('a path', () => {
  const all = openVisibleFoldersOf({ role: 'viewer' })
  const below = openVisibleFoldersOf({ roles: { 3: 'viewer' } })
  const apart = openVisibleFoldersOf({ role: 'viewer', roles: { 3: null, 4: 'viewer' } })

  function openVisibleFoldersOf(parts: Parts) {
    return () => openVisibleFolders(reader, holderOf(parts))
  }

  test('begins at the root for callers who see everything, and at the first visible folder for others', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => all().pathOf(id)),
      ['/Main', '/Main/a', '/Main/a/b"é', '/Main/a/b"é/c'],
    )
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => below().pathOf(id)),
      ['', '', '/b"é', '/b"é/c'],
    )
    assert.deepEqual(
      [2, 3, 4].map((id) => apart().pathOf(id)),
      ['/Main/a', '', '/c'],
    )
  })

  test('is measured in the bytes of its JSON', () => {
    for (const open of [all, below, apart])
      for (const id of [1, 2, 3, 4, 5]) {
        const bytes = Buffer.byteLength(JSON.stringify(open().pathOf(id))) - 2
        assert.equal(open().pathBytesOf(id), bytes)
      }
  })
})

describe('a missing grant', () => {
  test('is reported for a visible folder, and an invisible folder is not found', () => {
    const holder = holderOf({ roles: { 3: 'viewer' } })
    requireGrant(reader, holder, 'view', 4)
    assert.throws(() => requireGrant(reader, holder, 'modify', 4), {
      code: 'grant-missing',
      message: 'The key lacks the grant "modify" in /b"é/c.',
    })
    assert.throws(() => requireGrant(reader, holder, 'view', 2), { code: 'not-found' })
  })

  test('on the whole site is reported with its purpose', () => {
    const holder = holderOf({ role: 'editor', roles: { 3: 'viewer' } })
    requireEverywhere(holder, 'view', 'to look')
    assert.throws(() => requireEverywhere(holder, 'modify', 'to change it'), {
      message: 'The key lacks the grant "modify" on the whole site, to change it.',
    })
  })

  test('is reported as members for programs', () => {
    const { facts } = missingGrant('stage', 'here')
    assert.deepEqual(facts.members, { grant: 'stage' })
    assert.deepEqual(facts.headers, {
      'www-authenticate': 'Bearer realm="cms", error="insufficient_scope", scope="stage"',
    })
    assert.deepEqual(holdsNothing().facts.headers, {
      'www-authenticate': 'Bearer realm="cms", error="insufficient_scope"',
    })
  })
})
