// The database and the store of a cluster, opened by a command, and what they say as one line for the operator.

import type { ClusterSettings } from '../../cluster-settings.ts'
import { CmsError } from '../../errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { hostsOf } from './database-url.ts'
import { stateOf } from './links.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import { type Lane, openPrimary } from './primary.ts'
import { RefusedError } from '../embedded/refused.ts'

export interface OpenCluster {
  /** Errors are told as they are to an operator. */
  readonly lane: Lane
  readonly store: ObjectStore
  readonly prefix: string
  close(): void
}

/** `advice` is what to do when the database did not do what it was asked for. */
export async function openCluster(
  { databaseUrl, store: place }: ClusterSettings,
  { pool, advice }: { readonly pool: Pool; readonly advice: string },
): Promise<OpenCluster> {
  const primary = await openPrimary(hostsIn(databaseUrl))
  const lane = primary.openLane()
  const store = await openObjectStore({ settings: { ...place, cacheBytes: 0 }, pool })
  return {
    lane: { query: (text, options) => lane.query(text, options).catch(telling(advice)) },
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

function telling(advice: string): (error: unknown) => never {
  return (error) => tell(error, advice)
}

function tell(error: unknown, advice: string): never {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const cause = first ?? error
  if (stateOf(cause) === UNDEFINED_TABLE)
    throw new RefusedError('There is no site in the database: it has no tables of cms-server.')
  const said = cause instanceof Error ? cause.message : String(cause)
  throw new CmsError(
    'unavailable',
    `The database did not do what it was asked for: ${said}. ${advice}`,
    { cause: error },
  )
}
