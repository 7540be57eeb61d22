// The contract of every engine on PostgreSQL: one server, with a separate site for each test.

import { rmSync } from 'node:fs'
import { after, before } from 'node:test'
import { openSharedRecords, type SharedRecords } from '../../../lib/cluster/replicated-kv.ts'
import { type Postgres, startPostgres } from '../../helpers/postgres.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { recordsContract } from '../contract.ts'

let postgres: Postgres | undefined

before(async () => {
  postgres = await startPostgres({ isFast: true })
})

after(() => postgres?.stop())

recordsContract('PostgreSQL', async () => {
  const databaseUrl = (await postgres?.newSite()) ?? ''
  const directory = temporaryDirectory()
  const open = (): Promise<SharedRecords> =>
    openSharedRecords({ databaseUrl, directory, onFailure: failed })
  let store = await open()
  return {
    records: store.records,
    async close() {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
    async reopen() {
      await store.close()
      store = await open()
      return store.records
    },
  }
})

function failed(cause: unknown): never {
  throw new Error('The copy can follow no more.', { cause })
}
