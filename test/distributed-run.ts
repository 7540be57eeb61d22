// npm run test:distributed WORD…: tests of the endpoints on servers that keep records in a PostgreSQL from npm and
// contents in a stand-in for a store. It proves nothing about real stores: npm run test:cluster does. Tests that look
// into a data directory, or start a server as a process of its own, are not for this: those are of one server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startBreakingS3 } from './helpers/breaking-s3.ts'
import { startPostgres } from './helpers/postgres.ts'
import { takeNodes } from './helpers/two-doors.ts'

const postgres = await startPostgres({ isFast: true })
const store = await startBreakingS3()
try {
  const { nodes, words } = takeNodes(process.argv.slice(2))
  const engine = { databaseUrl: postgres.url('public'), endpoint: store.endpoint, nodes }
  const args = [join(import.meta.dirname, 'run.js'), ...words]
  const env = { ...process.env, CMS_TEST_ENGINE: JSON.stringify(engine) }
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  postgres.stop()
  await store.close()
}
