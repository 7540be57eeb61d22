// Storage for cluster sites: schemas of a PostgreSQL from npm, and prefixes in a stand-in for S3. The
// stand-in proves nothing about real stores; npm run test:cluster covers them.

import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { ClusterSettings } from '../../lib/config/cluster-settings.ts'
import { type BreakingS3, BUCKET, startBreakingS3 } from './breaking-s3.ts'
import { type Postgres, query, startPostgres } from './postgres.ts'

export interface TestCluster {
  readonly postgres: Postgres
  readonly store: BreakingS3
  newSite(): Promise<ClusterSettings>
  close(): Promise<void>
}

/** Stops the database and the store after the tests of the file. */
export async function startCluster(): Promise<TestCluster> {
  const cluster = await openCluster()
  after(() => cluster.close())
  return cluster
}

/** For programs outside of the test runner. The caller closes the result. */
export async function openCluster(): Promise<TestCluster> {
  const [postgres, store] = await Promise.all([startPostgres({ isFast: true }), startBreakingS3()])
  return {
    postgres,
    store,
    newSite: async () => settingsOf(await postgres.newSite(), store.endpoint),
    async close() {
      postgres.stop()
      await store.close()
    },
  }
}

const SITES = new Map<string, ClusterSettings>()

/** Each data directory has its own site, as with a single server. */
export async function siteOf(engine: string, dataDir: string): Promise<ClusterSettings> {
  const known = SITES.get(dataDir)
  if (known !== undefined) return known
  const { databaseUrl, endpoint } = JSON.parse(engine) as Record<string, string>
  const schema = `site_${randomUUID().replaceAll('-', '')}`
  await query(String(databaseUrl), `create schema ${schema}`)
  const own = String(databaseUrl).replace(/public$/, schema)
  const site = settingsOf(own, String(endpoint))
  SITES.set(dataDir, site)
  return site
}

/** Each site has its own prefix, so that sites in one bucket stay separate. */
export function settingsOf(databaseUrl: string, endpoint: string): ClusterSettings {
  return {
    databaseUrl,
    store: {
      bucket: BUCKET,
      endpoint,
      accessKeyId: 'test',
      secretAccessKey: 'test-secret',
      forcePathStyle: true,
      prefix: `site-${randomUUID()}/`,
    },
  }
}

/** The environment variables that an operator would set. */
export function variablesOf({ databaseUrl, store }: ClusterSettings): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    S3_BUCKET: store.bucket,
    S3_ENDPOINT: store.endpoint ?? '',
    S3_ACCESS_KEY_ID: store.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: store.secretAccessKey ?? '',
    S3_PREFIX: store.prefix ?? '',
  }
}
