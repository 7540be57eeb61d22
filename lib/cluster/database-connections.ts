// Connections to servers of PostgreSQL, each of which ends with its first error.

import { Socket } from 'node:net'
import type { Client } from 'pg'
import type { Host } from './database-url.ts'

/** Of one statement there is one result, of several in one text as many. */
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

/** What another connection has told on a channel that this one listens to. */
export type OnNotice = (text: string) => void

export interface Links {
  connect(host: Host, onNotice?: OnNotice): Promise<Link>
  cutAll(): void
}

const CONNECT_TIMEOUT_MS = 1_500
const QUERY_TIMEOUT_MS = 3_000
/**
 * A process that was halted between the lock and its commit would keep all others from theirs. The server ends its
 * connection then, and it commits nothing.
 */
const IDLE_IN_TRANSACTION_MS = 5_000
/** The server looks so often whether the process that waits for an answer is still there (PostgreSQL 14 and later). */
const LOOK_FOR_CLIENT_MS = 1_000
/**
 * A session that waits for a lock ends before the process gives up its query. Else each try would leave a session behind
 * that waits on: while the database keeps no commit they would take all connections, and no process could read.
 */
export const LOCK_TIMEOUT_MS = 2_500

export interface LinksOptions {
  /** So long a session waits for a lock; as long as its query takes without it. */
  readonly lockTimeoutMs?: number | undefined
}

export async function openLinks({ lockTimeoutMs }: LinksOptions = {}): Promise<Links> {
  // Nobody else pays for loading it.
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
          // Not client.end(): it would wait for a server that may be halted.
          socket.destroy()
        },
      }
      // Without a listener the end of a connection would be the end of the process.
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

/** Servers before PostgreSQL 14 have no such setting, and some systems cannot look. */
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
  // Of several statements pg gives a list, which its types do not know.
  const result: unknown = await client.query(asked)
  return Array.isArray(result) ? (result as Rows[]) : [result as Rows]
}

/** SQLSTATE; undefined where the server has not said it: no connection, or no answer in time. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
