// Two versions of the server that write rows in different formats run side by side.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test, type TestContext } from 'node:test'
import { openSharedRecords } from '../../../lib/cluster/replicated-kv.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { type Postgres, query, startPostgres } from '../../helpers/postgres.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { countUp, openNode } from './nodes.ts'

let postgres: Postgres | undefined

before(async () => {
  postgres = await startPostgres({ isFast: true })
})

after(() => postgres?.stop())

const newSite = async (): Promise<string> => (await postgres?.newSite()) ?? ''

async function refused(t: TestContext, databaseUrl: string, form: number): Promise<string> {
  const directory = temporaryDirectory()
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const opening = openSharedRecords({ databaseUrl, directory, form, onFailure: () => undefined })
  return opening.then(
    () => assert.fail('it was opened'),
    (error: unknown) => (error as Error).message,
  )
}

test('rows change to a new format once no node needs the old one', async (t) => {
  const databaseUrl = await newSite()
  const [old, other] = await Promise.all([1, 2].map(() => openNode(t, { databaseUrl, form: 1 })))
  assert.ok(old && other)
  assert.match(
    await refused(t, databaseUrl, 2),
    /another version are running .*\(process \d+\), .*Stop them/,
  )
  await old.close()
  assert.match(await refused(t, databaseUrl, 2), /Stop them/)
  // The refused nodes block nobody.
  await other.records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 1 })))
  await other.close()

  const [one, two] = await Promise.all([1, 2].map(() => openNode(t, { databaseUrl, form: 2 })))
  assert.ok(one && two)
  assert.equal(await countUp(one.records), 2)
  await two.records.renew()
  assert.equal(await countUp(two.records), 3)
  assert.match(await refused(t, databaseUrl, 1), /newer version of cms-server/)
})

test('a node that was suspended during a change of format neither reads nor commits', async (t) => {
  const databaseUrl = await newSite()
  const [reading, writing] = await Promise.all(
    [1, 2].map(() => openNode(t, { databaseUrl, form: 1 })),
  )
  assert.ok(reading && writing)
  await writing.records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 1 })))
  // Without their rows, the nodes seem to have been silent for longer than the lease lasts.
  await query(databaseUrl, 'delete from cms_nodes')
  const next = await openNode(t, { databaseUrl, form: 2 })

  await assert.rejects(countUp(writing.records))
  await assert.rejects(async () => reading.records.renew())
  for (const { failures } of [reading, writing])
    assert.match(String(failures[0]), /Start this server with the same version/)
  assert.equal(await countUp(next.records), 2)
})
