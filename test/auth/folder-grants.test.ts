// Every route that depends on a folder, with each grant and each role: in the folder to which a key or user
// is limited, below this folder, and beside it.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Grant, GRANTS, ROLE_NAMES, ROLES } from '../../lib/shared/grants.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { openRequests, type Requests } from './requests.ts'
import { ROWS, type Row } from './route-table.ts'

interface Holder {
  readonly name: string
  readonly grants: readonly string[]
  /** Names of the places where the holder has these grants. */
  readonly at: readonly string[]
  readonly key: string
}

const PLACES = ['inside', 'below', 'beside'] as const
const EVERYWHERE: readonly string[] = PLACES

let server: TestServer
let requests: Requests
const folders = new Map<string, number>()
const holders: Holder[] = []

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  requests = openRequests(server)
  const inside = await requests.make('folder', 1)
  folders.set('inside', inside)
  folders.set('below', await requests.make('folder', await requests.make('folder', inside)))
  folders.set('beside', await requests.make('folder', 1))

  for (const grant of GRANTS) {
    const key = await server.makeKey({ name: grant, grants: grant, category: inside })
    holders.push({ name: `a key of ${grant}`, grants: [grant], at: ['inside', 'below'], key })
  }
  for (const role of ROLE_NAMES) {
    const users = [
      [`a user, ${role} everywhere`, EVERYWHERE, { role }],
      [
        `a user, ${role} in a folder`,
        ['inside', 'below'],
        {
          role: null,
          category_roles: [{ asset_category_id: inside, role }],
        },
      ],
    ] as const
    for (const [name, at, json] of users) {
      const made = await server.call('POST', '/api/v2/user', { json: { name, ...json } })
      assert.equal(made.status, 201, made.text)
      holders.push({ name, grants: ROLES[role], at, key: await server.makeKey({ user: name }) })
    }
  }
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

/**
 * Returns the acceptable statuses. A request without the grant and outside the folder may be refused for
 * either reason.
 */
function expected(row: Row, { grants, at }: Holder, place: string): readonly number[] {
  const isNeeded = (grant: Grant): boolean => grants.includes(grant)
  const isHeld = row.isForAll ? row.needs.every(isNeeded) : row.needs.some(isNeeded)
  if (at.includes(place)) return [isHeld ? row.ok : (row.denied ?? 403)]
  return isHeld ? [row.outside ?? 0] : [403, row.outside === 200 ? 403 : (row.outside ?? 0)]
}

describe('K3, K7: in the folder, below it and outside it', () => {
  for (const row of ROWS.filter(({ outside }) => outside !== undefined)) {
    const what = Object.keys(row.json?.({ folderId: 1, targetId: 1, name: 'x' }) ?? {}).join(', ')
    test(`${row.route} ${what} requires ${row.needs.join(row.isForAll ? ' and ' : ' or ')} there`, async () => {
      for (const place of PLACES) {
        const folderId = folders.get(place) ?? 0
        let targetId: number | undefined
        for (const holder of holders) {
          if (row.target !== undefined) targetId ??= await requests.make(row.target, folderId)
          const { status, text } = await requests.send(row, {
            key: holder.key,
            folderId,
            ...(targetId !== undefined && { targetId }),
          })
          const statuses = expected(row, holder, place)
          assert.ok(statuses.includes(status), `${holder.name}, ${place}: ${status} ${text}`)
          // A changed or deleted record cannot be the target of the next request.
          if (status < 300 && !row.route.startsWith('GET')) targetId = undefined
        }
      }
    })
  }
})
