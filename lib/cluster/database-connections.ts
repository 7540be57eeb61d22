// Connections to PostgreSQL servers. A connection is closed by its first error.

import { Socket } from 'node:net'
import type { Client } from 'pg'
import type { Host } from './database-url.ts'

/** One statement has one result; a text with several statements has several. */
export interface Rows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface QueryOptions {
  readonly values?: readonly unknown[]
  readonly timeoutMs?: number
}

export interface Link {
  /** One round trip. */
  query(text: string, options?: QueryOptions): Promise<readonly Rows[]>
  readonly isOpen: () => boolean
  cut(): void
}

/** Receives the payload of a notification on a channel that this connection listens to. */
export type OnNotice = (text: string) => void

export interface Links {
  connect(host: Host, onNotice?: OnNotice): Promise<Link>
  cutAll(): void
}

const CONNECT_TIMEOUT_MS = 1_500
const QUERY_TIMEOUT_MS = 3_000
/**
 * A process that is halted between the lock and its commit would block all other commits. After this time the server
 * closes its connection, and nothing is committed.
 */
const IDLE_IN_TRANSACTION_MS = 5_000
/** Interval at which the server checks that a waiting client still exists (PostgreSQL 14 and later). */
const LOOK_FOR_CLIENT_MS = 1_000
/**
 * A session stops waiting for a lock before the process abandons the query. Otherwise each retry would leave a waiting
 * session behind: while the database accepts no commit, these sessions would take all connections and block reads.
 */
export const LOCK_TIMEOUT_MS = 2_500

export interface LinksOptions {
  /** Longest wait for a lock; by default as long as a query may take. */
  readonly lockTimeoutMs?: number | undefined
}

export async function openLinks({ lockTimeoutMs }: LinksOptions = {}): Promise<Links> {
  // Loaded here, so that servers without a database do not load it.
  const { default: pg } = await import('pg')
  const links = new Set<Link>()

  return {
    async connect({ connectionString }, onNotice) {
      const socket = new Socket()
      const client = new pg.Client({
        connectionString,
        stream: () => socket,
        application_name: 'cms-server',
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
        keepAlive: true,
      })
      const link: Link = {
        query: (text, options) => query(client, text, options),
        isOpen: () => links.has(link),
        cut() {
          links.delete(link)
          // Not client.end(), which would wait for a server that may be halted.
          socket.destroy()
        },
      }
      // Without a listener the error of a connection would end the process.
      client.on('error', link.cut)
      if (onNotice !== undefined) client.on('notification', ({ payload = '' }) => onNotice(payload))
      links.add(link)
      try {
        await client.connect()
        await lookForClient(client)
        return link
      } catch (error) {
        link.cut()
        throw error
      }
    },
    cutAll() {
      for (const link of links) link.cut()
    },
  }
}

/** Servers before PostgreSQL 14 lack this setting, and some systems do not support it. */
async function lookForClient(client: Client): Promise<void> {
  const name = 'client_connection_check_interval'
  const text = `select set_config(name, '${LOOK_FOR_CLIENT_MS}', false) from pg_settings where name = '${name}'`
  await query(client, text).catch((error: unknown) => {
    if (stateOf(error) === undefined) throw error
  })
}

async function query(
  client: Client,
  text: string,
  { values, timeoutMs = QUERY_TIMEOUT_MS }: QueryOptions = {},
): Promise<readonly Rows[]> {
  const asked = { text, query_timeout: timeoutMs, ...(values && { values: [...values] }) }
  // pg returns a list for several statements, which its types do not declare.
  const result: unknown = await client.query(asked)
  return Array.isArray(result) ? (result as Rows[]) : [result as Rows]
}

/** SQLSTATE; undefined if the error is not from the server: no connection, or no answer in time. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
