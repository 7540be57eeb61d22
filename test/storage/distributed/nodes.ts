// Processes that share the records of one site; each process has its own copy.

import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import {
  openSharedRecords,
  type SharedRecords,
  type ReplicatedOptions,
} from '../../../lib/cluster/replicated-kv.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

export interface Node extends SharedRecords {
  readonly directory: string
  /** Failures for which the process would have ended. */
  readonly failures: readonly unknown[]
}

export interface NodeOptions extends Pick<ReplicatedOptions, 'livesMs' | 'form'> {
  readonly databaseUrl: string
  readonly directory?: string
}

/** Opens a node that is closed at the end of the test, unless it was closed before. */
export async function openNode(
  t: TestContext,
  { directory = temporaryDirectory(), ...options }: NodeOptions,
): Promise<Node> {
  const failures: unknown[] = []
  const onFailure = (cause: unknown): void => void failures.push(cause)
  const store = await openSharedRecords({ ...options, directory, onFailure })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= store.close()
    return closed
  }
  closeAtEnd(t, { close, directory })
  return { ...store, close, directory, failures }
}

type Closing = Pick<Node, 'close' | 'directory'>

const OPENED = new WeakMap<TestContext, Closing[]>()

/**
 * Closes all nodes of a test before any directory is removed, because a node may use the directory
 * of a closed node.
 */
function closeAtEnd(t: TestContext, node: Closing): void {
  const known = OPENED.get(t)
  if (known !== undefined) return void known.push(node)
  const nodes = [node]
  OPENED.set(t, nodes)
  t.after(async () => {
    await Promise.all(nodes.map(({ close }) => close()))
    for (const { directory } of nodes) rmSync(directory, { recursive: true, force: true })
  })
}

export async function openNodes(
  t: TestContext,
  databaseUrl: string,
  { count = 2, ...options }: Omit<NodeOptions, 'databaseUrl'> & { readonly count?: number } = {},
): Promise<readonly Node[]> {
  return Promise.all(Array.from({ length: count }, () => openNode(t, { databaseUrl, ...options })))
}

/** Increments the counter in a record. */
export function countUp(records: Records, id = 1): Promise<number> {
  return records.commit((unit) => {
    const pages = pagesOf(unit, id) + 1
    unit.put(book, [id], makeBook(id, { pages, title: `t${pages}` }))
    return pages
  })
}

export function pagesOf(reader: Pick<Records, 'get'>, id = 1): number {
  return Number(reader.get(book, id)?.value['pages'] ?? 0)
}
