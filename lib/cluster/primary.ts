// Finds the current primary by asking all servers. Chooses the server that accepts writes and has the newest commit:
// after a failover a halted old primary believes for a moment that it still leads, and lacks newer commits.

import type { Host } from './database-url.ts'
import {
  type Link,
  type Links,
  type LinksOptions,
  type OnNotice,
  openLinks,
  type QueryOptions,
  type Rows,
  stateOf,
} from './database-connections.ts'

export interface Lane {
  /** One round trip. An error closes the connection and ends an open transaction. */
  query(text: string, options?: LaneQueryOptions): Promise<readonly Rows[]>
}

interface LaneQueryOptions extends QueryOptions {
  /** The query belongs to the transaction of the query before it: if that connection was lost, the query fails. */
  readonly isContinued?: boolean
}

export interface LaneOptions {
  readonly onNotice?: OnNotice
  /** Runs first on each new connection; if it throws, the connection is not used. */
  readonly begin?: (link: Lane) => Promise<void>
}

export interface Primary {
  /** Queries of one lane run one after the other; lanes run concurrently. */
  openLane(options?: LaneOptions): Lane
  /** Abandons the server: all lanes choose a primary again. */
  leave(): void
  close(): void
}

interface PrimaryOptions extends LinksOptions {
  readonly onChosen?: (label: string) => void
}

export async function openPrimary(
  hosts: readonly Host[],
  { onChosen = () => undefined, ...ofLinks }: PrimaryOptions = {},
): Promise<Primary> {
  const links = await openLinks(ofLinks)
  let chosen: Promise<Host> | undefined
  let isClosed = false

  function leave(): void {
    chosen = undefined
    links.cutAll()
  }

  async function connect({ onNotice, begin }: LaneOptions): Promise<Link> {
    if (isClosed) throw new Error('The database is closed.')
    chosen ??= choose(links, hosts)
    try {
      const host = await chosen
      const link = await links.connect(host, onNotice)
      await begin?.(link).catch((error: unknown) => {
        link.cut()
        throw error
      })
      onChosen(host.label)
      return link
    } catch (error) {
      chosen = undefined
      throw error
    }
  }

  return {
    openLane: (options = {}) => openLane(() => connect(options), leave),
    leave,
    close() {
      isClosed = true
      leave()
    },
  }
}

function openLane(connect: () => Promise<Link>, leave: () => void): Lane {
  let last: Promise<unknown> = Promise.resolve()
  let link: Link | undefined

  async function queryNow(
    text: string,
    { isContinued = false, ...options }: LaneQueryOptions = {},
  ): Promise<readonly Rows[]> {
    if (link?.isOpen() !== true) {
      if (isContinued) throw new Error('The connection was lost during the transaction.')
      link = await connect()
    }
    const used = link
    try {
      return await used.query(text, options)
    } catch (error) {
      used.cut()
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

async function choose(links: Links, hosts: readonly Host[]): Promise<Host> {
  const asked = await Promise.allSettled(hosts.map((host) => placeOf(links, host)))
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [best] = found.toSorted((left, right) => right.seq - left.seq)
  if (best !== undefined) return best.host
  const causes = asked.map((one) => (one.status === 'rejected' ? (one.reason as unknown) : one))
  throw new AggregateError(causes, 'No database server accepts writes.')
}

/** The number of the newest commit of a server that accepts writes. */
async function placeOf(
  links: Links,
  host: Host,
): Promise<{ readonly host: Host; readonly seq: number }> {
  const link = await links.connect(host)
  try {
    const [recovery] = await link.query('select pg_is_in_recovery() as standby')
    if (recovery?.rows[0]?.['standby'] !== false) throw new Error(`${host.label} is a standby.`)
    const [head] = await link.query('select seq from cms_head where id = 1').catch(noTable)
    return { host, seq: Number(head?.rows[0]?.['seq'] ?? -1) }
  } finally {
    link.cut()
  }
}

/** SQLSTATE of a missing table: nothing was ever committed. */
const UNDEFINED_TABLE = '42P01'

function noTable(error: unknown): readonly Rows[] {
  if (stateOf(error) === UNDEFINED_TABLE) return []
  throw error
}

/** 08: connection error; 57P: the server stops or starts; 25006: read-only. */
const OF_SERVER = /^(?:08...|57P..|25006)$/

/** Whether the error concerns the server rather than the query, so that another server may have to be chosen. */
export function isOfServer(error: unknown): boolean {
  const state = stateOf(error)
  return state === undefined || OF_SERVER.test(state)
}
