// Opens the database and the object store of a cluster for a command, and phrases their errors for the operator.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../config/cluster-settings.ts'
import { CmsError } from '../base/errors.ts'
import type { Pool } from '../workers/pool.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { isLasting } from './database-fault.ts'
import { hostsOf } from './database-url.ts'
import { stateOf } from './database-connections.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import { type Lane, type LaneOptions, openPrimary, isOfServer } from './primary.ts'

export interface ClusterConnection {
  /** Errors of its queries are phrased for an operator. */
  openLane(options?: Pick<LaneOptions, 'begin'>): Lane
  readonly store: ObjectStore
  readonly prefix: string
  close(): void
}

interface ClusterOptions {
  readonly pool: Pool
  /** Advice after a failed query. */
  readonly advice: string
  /** Set if the command survives a failover of the database until the signal aborts. */
  readonly waiting?: {
    readonly signal: AbortSignal
    readonly onNote: (line: string) => void
  }
}

export async function connectCluster(
  { databaseUrl, store: place }: ClusterSettings,
  { pool, advice, waiting }: ClusterOptions,
): Promise<ClusterConnection> {
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

const CORRECT =
  'Nothing was changed. Correct DATABASE_URL, or the role, the database or the permissions in this message.'

/** SQLSTATE: the tables do not exist. */
const UNDEFINED_TABLE = '42P01'

function told(error: unknown, advice: string): unknown {
  // Errors from the set-up of a connection are already phrased for the operator.
  if (error instanceof RefusedError || error instanceof CmsError) return error
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const cause = first ?? error
  if (stateOf(cause) === UNDEFINED_TABLE)
    return new RefusedError(
      'The database holds no site: it has no tables of cms-server. Check DATABASE_URL.',
    )
  const said = cause instanceof Error ? cause.message : String(cause)
  if (isLasting(error))
    return new RefusedError(`The database rejects the request: ${said}. ${CORRECT}`, {
      cause: error,
    })
  return new CmsError('unavailable', `A query of the database failed: ${said}. ${advice}`, {
    cause: error,
  })
}

// Lets a move survive a failover of the database, because a move can take hours: each query is repeated until another
// server has become the primary. All queries of a move may be repeated (move-tables.ts).

interface PatienceOptions {
  /** The move has been canceled. */
  readonly isOver: () => boolean
  readonly onNote: ((line: string) => void) | undefined
}

const WITHIN_MS = 60_000
const AFTER_MS = 200

/** Before the first answer nothing is retried: the address may be wrong. */
function openPatience({ isOver, onNote }: PatienceOptions): (lane: Lane) => Lane {
  let isKnown = false
  let awaySince: number | undefined

  function requirePatience(error: unknown): void {
    const isSaid = error instanceof RefusedError || error instanceof CmsError
    if (!isKnown || isSaid || !isOfServer(error) || isOver()) throw error
    const now = performance.now()
    if (awaySince === undefined)
      onNote?.(`The database does not respond. Retrying for ${WITHIN_MS / 1_000} s.`)
    awaySince ??= now
    if (now - awaySince >= WITHIN_MS) throw error
  }

  return (lane) => ({
    async query(text, options) {
      for (;;)
        try {
          const rows = await lane.query(text, options)
          isKnown = true
          awaySince = undefined
          return rows
        } catch (error) {
          requirePatience(error)
          await sleep(AFTER_MS)
        }
    },
  })
}
