// The database and the store of a cluster, opened for a move, and what they say as one line for the operator.

import type { ClusterSettings } from '../../cluster-settings.ts'
import { CmsError } from '../../errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { hostsOf } from '../distributed/database-url.ts'
import { stateOf } from '../distributed/links.ts'
import { type ObjectStore, openObjectStore } from '../distributed/object-store.ts'
import { type Lane, openPrimary } from '../distributed/primary.ts'
import { RefusedError } from '../embedded/refused.ts'

export interface OpenCluster {
  /** Errors are told as they are to an operator. */
  readonly lane: Lane
  readonly store: ObjectStore
  readonly prefix: string
  close(): void
}

export async function openCluster(
  { databaseUrl, store: place }: ClusterSettings,
  pool: Pool,
): Promise<OpenCluster> {
  const primary = await openPrimary(hostsIn(databaseUrl))
  const lane = primary.openLane()
  const store = await openObjectStore({ settings: { ...place, cacheBytes: 0 }, pool })
  return {
    lane: { query: (text, options) => lane.query(text, options).catch(tell) },
    store,
    prefix: place.prefix ?? '',
    close() {
      primary.close()
      store.close()
    },
  }
}

function hostsIn(databaseUrl: string): ReturnType<typeof hostsOf> {
  try {
    return hostsOf(databaseUrl)
  } catch (error) {
    throw new CmsError('bad-request', (error as Error).message)
  }
}

/** The tables are not there. */
const UNDEFINED_TABLE = '42P01'

function tell(error: unknown): never {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const cause = first ?? error
  if (stateOf(cause) === UNDEFINED_TABLE)
    throw new RefusedError('There is no site in the database: it has no tables of cms-server.')
  const said = cause instanceof Error ? cause.message : String(cause)
  throw new CmsError(
    'unavailable',
    `The database did not do what it was asked for: ${said}. What was moved so far stays; run the same command again to go on.`,
    { cause: error },
  )
}
