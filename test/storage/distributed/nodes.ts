// Processes that share one site, as far as records go: each has a copy of its own.

import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { openSharedRecords, type SharedRecords } from '../../../lib/cluster/open-records.ts'
import type { ReplicatedOptions } from '../../../lib/cluster/replicated-kv.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

export interface Node extends SharedRecords {
  readonly directory: string
  /** Why the process would have ended. */
  readonly failures: readonly unknown[]
}

export interface NodeOptions extends Pick<ReplicatedOptions, 'livesMs' | 'form'> {
  readonly databaseUrl: string
  readonly directory?: string
}

/** Closed when the test ends, if it is not before. */
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

/** All of a test together: one may have the directory of another, which was closed. */
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

/** Raises the number that is in a record, from what it was. */
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
