// Time of `cms-server migrate` in both directions, for a site with many rows and a site with many contents.
// PostgreSQL comes from npm and syncs its writes. The object store is a stand-in in the memory of this
// process, so figures of contents cover the work of this program, not of a real store. Runs only by name
// (`npm run bench -- move`).

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BreakingS3, startBreakingS3 } from '../test/helpers/breaking-s3.ts'
import { settingsOf, variablesOf } from '../test/helpers/cluster.ts'
import { type Postgres, startPostgres } from '../test/helpers/postgres.ts'
import { articles, type Fixture, FOLDERS } from './fixtures.ts'
import { launcher, makeKey, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { upload } from './requests.ts'
import { scratchDir } from './scratch.ts'

const KIB = 1024
const FILES = 2_000
const FILE_BYTES = 100 * KIB
const ROWS = /^(\d+) rows of (\d+) bytes/m

const CONTENTS: Fixture = {
  ...FOLDERS,
  fill: async (site) => {
    for (let at = 0; at < FILES; at += 1)
      await upload(site, Buffer.alloc(FILE_BYTES, `${at} `), `${at}.bin`)
  },
}

export async function measureMove(): Promise<readonly Fact[]> {
  const [postgres, store] = await Promise.all([startPostgres(), startBreakingS3()])
  try {
    const rows = await thereAndBack({ postgres, store, name: 'rows', fixture: articles(100_000) })
    const contents = await thereAndBack({ postgres, store, name: 'contents', fixture: CONTENTS })
    const bytes = (FILES * FILE_BYTES) / 1e6
    return [
      { name: 'rows of a site of 100,000 entries', value: rows.rows, unit: '' },
      { name: 'into the database, compared', value: rows.rows / rows.thereS, unit: 'rows/s' },
      { name: 'back, compared', value: rows.rows / rows.backS, unit: 'rows/s' },
      { name: 'contents of a site of 2,000 files', value: bytes, unit: 'MB' },
      { name: 'into the store, read back', value: bytes / contents.thereS, unit: 'MB/s' },
      { name: 'back, read back', value: bytes / contents.backS, unit: 'MB/s' },
    ]
  } finally {
    postgres.stop()
    await store.close()
  }
}

interface Moved {
  readonly rows: number
  readonly thereS: number
  readonly backS: number
}

async function thereAndBack(of: {
  readonly postgres: Postgres
  readonly store: BreakingS3
  readonly name: string
  readonly fixture: Fixture
}): Promise<Moved> {
  const from = join(scratchDir(), of.name)
  const cms = await startCms(from)
  await of.fixture.fill({ url: cms.url, key: makeKey(from) })
  await cms.stop()
  const cluster = settingsOf(await of.postgres.newSite(), of.store.endpoint)
  const env = { ...process.env, ...variablesOf(cluster) }
  const there = await migrate(env, ['--from', from, '--to', 'cluster'])
  const back = await migrate(env, ['--from', 'cluster', '--to', `${from}-back`])
  if (there.rows !== back.rows) throw new Error(`${there.rows} went, and ${back.rows} came back.`)
  return { rows: there.rows, thereS: there.seconds, backS: back.seconds }
}

export async function migrate(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<{ readonly rows: number; readonly seconds: number }> {
  const begin = performance.now()
  const { stdout } = await promisify(execFile)(launcher, ['migrate', ...args], { env })
  const [, rows] = ROWS.exec(stdout) ?? []
  if (rows === undefined || !stdout.includes('The migration is complete.')) throw new Error(stdout)
  return { rows: Number(rows), seconds: (performance.now() - begin) / 1000 }
}
