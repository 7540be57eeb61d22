// Connections to whichever server is the primary now. A standby promoted in its place is found again by asking all of
// them: of those that take writes the one that is farthest, as one that was paused believes for a moment that it still
// leads, and then has less.

import { Socket } from 'node:net'
import type { Client } from 'pg'
import type { Host } from './database-url.ts'

/** Of one statement there is one result, of several in one text as many. */
export interface Rows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface Lane {
  /** One round trip. After an error the connection is gone, and with it a transaction that was open. */
  query(text: string, options?: QueryOptions): Promise<readonly Rows[]>
}

export interface QueryOptions {
  readonly values?: readonly unknown[]
  readonly timeoutMs?: number
}

export interface Primary {
  /** Queries of a lane wait for each other; those of others go on beside them. */
  openLane(): Lane
  /** The server is not to be trusted: all lanes choose anew. */
  leave(): void
  close(): void
}

const CONNECT_TIMEOUT_MS = 1_500
const QUERY_TIMEOUT_MS = 3_000
/**
 * A process that was halted between the lock and its commit would keep all others from theirs. The server ends its
 * connection then, and it commits nothing.
 */
const IDLE_IN_TRANSACTION_MS = 5_000

/** The table is not there yet: nothing was ever committed. */
const UNDEFINED_TABLE = '42P01'

interface Link {
  readonly client: Client
  readonly socket: Socket
}

export async function openPrimary(hosts: readonly Host[]): Promise<Primary> {
  // Nobody else pays for loading it.
  const pg = await import('pg')
  const links = new Set<Link>()
  let chosen: Promise<Host> | undefined
  let isClosed = false

  async function connect({ connectionString }: Host): Promise<Link> {
    const socket = new Socket()
    const client = new pg.default.Client({
      connectionString,
      stream: () => socket,
      application_name: 'cms-server',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
    })
    const link = { client, socket }
    // Without a listener the end of a connection would be the end of the process.
    client.on('error', () => cut(link))
    links.add(link)
    try {
      await client.connect()
    } catch (error) {
      cut(link)
      throw error
    }
    return link
  }

  function cut(link: Link): void {
    links.delete(link)
    // Not client.end(): it would wait for a server that may be halted.
    link.socket.destroy()
  }

  function leave(): void {
    chosen = undefined
    for (const link of links) cut(link)
  }

  /** How far a server is that takes writes: the number of its newest commit. */
  async function placeOf(host: Host): Promise<{ readonly host: Host; readonly seq: number }> {
    const link = await connect(host)
    try {
      const [recovery] = await run(link, 'select pg_is_in_recovery() as standby')
      if (recovery?.rows[0]?.['standby'] !== false) throw new Error(`${host.label} is a standby.`)
      const [head] = await run(link, 'select seq from cms_head where id = 1').catch(noTable)
      return { host, seq: Number(head?.rows[0]?.['seq'] ?? -1) }
    } finally {
      cut(link)
    }
  }

  async function choose(): Promise<Host> {
    const asked = await Promise.allSettled(hosts.map(placeOf))
    const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [best] = found.toSorted((left, right) => right.seq - left.seq)
    if (best !== undefined) return best.host
    const causes = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    throw new AggregateError(causes, 'No server of the database takes writes.')
  }

  async function connectToPrimary(): Promise<Link> {
    if (isClosed) throw new Error('The database is closed.')
    chosen ??= choose()
    try {
      return await connect(await chosen)
    } catch (error) {
      chosen = undefined
      throw error
    }
  }

  function openLane(): Lane {
    let last: Promise<unknown> = Promise.resolve()
    let link: Link | undefined

    async function queryNow(text: string, options?: QueryOptions): Promise<readonly Rows[]> {
      if (link === undefined || !links.has(link)) link = await connectToPrimary()
      const used = link
      try {
        return await run(used, text, options)
      } catch (error) {
        cut(used)
        if (isOfServer(error)) leave()
        throw error
      }
    }

    return {
      query(text, options) {
        const result = last.then(() => queryNow(text, options))
        last = result.catch(() => undefined)
        return result
      },
    }
  }

  return {
    openLane,
    leave,
    close() {
      isClosed = true
      leave()
    },
  }
}

async function run(
  { client }: Link,
  text: string,
  { values, timeoutMs = QUERY_TIMEOUT_MS }: QueryOptions = {},
): Promise<readonly Rows[]> {
  const query = { text, query_timeout: timeoutMs, ...(values && { values: [...values] }) }
  // Of several statements pg gives a list, which its types do not know.
  const result: unknown = await client.query(query)
  return Array.isArray(result) ? (result as Rows[]) : [result as Rows]
}

function noTable(error: unknown): readonly Rows[] {
  if (stateOf(error) === UNDEFINED_TABLE) return []
  throw error
}

/** SQLSTATE; undefined where the server has not said it: no connection, or no answer in time. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** 08: the connection; 57P: it stops or starts; 25006: it takes no writes. */
const OF_SERVER = /^(?:08...|57P..|25006)$/

/** What tells nothing of the query, but that another server may have to be asked. */
function isOfServer(error: unknown): boolean {
  const state = stateOf(error)
  return state === undefined || OF_SERVER.test(state)
}
