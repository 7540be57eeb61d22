// The database and the store of a cluster, opened by a command, and what they say as one line for the operator.

import type { ClusterSettings } from '../config/cluster-settings.ts'
import { CmsError } from '../base/errors.ts'
import type { Pool } from '../workers/pool.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { hostsOf } from './database-url.ts'
import { stateOf } from './database-connections.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import { openPatience } from './failover-retry.ts'
import { type Lane, type LaneOptions, openPrimary } from './primary.ts'

export interface OpenCluster {
  /** Errors are told as they are to an operator. */
  openLane(options?: Pick<LaneOptions, 'begin'>): Lane
  readonly store: ObjectStore
  readonly prefix: string
  close(): void
}

interface ClusterOptions {
  readonly pool: Pool
  /** What to do when the database did not do what it was asked for. */
  readonly advice: string
  /** Whoever waits, until the signal, for another server to take the place of the primary. */
  readonly waiting?: {
    readonly signal: AbortSignal
    readonly onNote: (line: string) => void
  }
}

export async function openCluster(
  { databaseUrl, store: place }: ClusterSettings,
  { pool, advice, waiting }: ClusterOptions,
): Promise<OpenCluster> {
  const primary = await openPrimary(hostsIn(databaseUrl))
  const store = await openObjectStore({ settings: { ...place, cacheBytes: 0 }, pool })
  let isClosed = false
  const isOver = (): boolean => isClosed || waiting?.signal.aborted !== false
  const patient = openPatience({ isOver, onNote: waiting?.onNote })
  return {
    openLane(ofLane) {
      const lane = patient(primary.openLane(ofLane))
      return {
        async query(text, asked) {
          try {
            return await lane.query(text, asked)
          } catch (error) {
            waiting?.signal.throwIfAborted()
            throw told(error, advice)
          }
        },
      }
    },
    store,
    prefix: place.prefix ?? '',
    close() {
      isClosed = true
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

function told(error: unknown, advice: string): unknown {
  // What a lane does on a new connection has words of its own.
  if (error instanceof RefusedError || error instanceof CmsError) return error
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const cause = first ?? error
  if (stateOf(cause) === UNDEFINED_TABLE)
    return new RefusedError('There is no site in the database: it has no tables of cms-server.')
  const said = cause instanceof Error ? cause.message : String(cause)
  return new CmsError(
    'unavailable',
    `The database did not do what it was asked for: ${said}. ${advice}`,
    { cause: error },
  )
}
