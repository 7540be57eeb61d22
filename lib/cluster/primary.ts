// Whichever server is the primary now. A standby that was promoted in its place is found by asking all of them: of those
// that take writes the one that is farthest, as one that was halted believes for a moment that it still leads, and has
// less then.

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
  /** One round trip. After an error the connection is gone, and with it a transaction that was open. */
  query(text: string, options?: QueryOptions): Promise<readonly Rows[]>
}

export interface LaneOptions {
  readonly onNotice?: OnNotice
  /** Done on each new connection before anything else; where it throws, the connection is not used. */
  readonly begin?: (link: Lane) => Promise<void>
}

export interface Primary {
  /** Queries of a lane wait for each other; those of others go on beside them. */
  openLane(options?: LaneOptions): Lane
  /** The server is not to be trusted: all lanes choose anew. */
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

  async function queryNow(text: string, options?: QueryOptions): Promise<readonly Rows[]> {
    if (link?.isOpen() !== true) link = await connect()
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
  throw new AggregateError(causes, 'No server of the database takes writes.')
}

/** How far a server is that takes writes: the number of its newest commit. */
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

/** The table is not there yet: nothing was ever committed. */
const UNDEFINED_TABLE = '42P01'

function noTable(error: unknown): readonly Rows[] {
  if (stateOf(error) === UNDEFINED_TABLE) return []
  throw error
}

/** 08: the connection; 57P: it stops or starts; 25006: it takes no writes. */
const OF_SERVER = /^(?:08...|57P..|25006)$/

/** What tells nothing of the query, but that another server may have to be asked. */
export function isOfServer(error: unknown): boolean {
  const state = stateOf(error)
  return state === undefined || OF_SERVER.test(state)
}
