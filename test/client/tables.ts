// Datatables for tests of import and export: create them, fill them from files, and read them back.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { exportEntries, type ExportEntriesOptions } from '../../lib/client/export-entries.ts'
import {
  importEntries,
  type ImportEntriesOptions,
  type ImportEntriesSummary,
} from '../../lib/client/import-entries.ts'
import type { TestServer } from './server.ts'
import { temporaryDirectory } from './tree.ts'

export interface Table {
  /** Path of the module. */
  readonly module: string
  readonly load: (
    source: string,
    options?: Partial<ImportEntriesOptions>,
  ) => Promise<ImportEntriesSummary>
  readonly save: (target: string, options?: Partial<ExportEntriesOptions>) => Promise<number>
  /**
   * Values that clients set, for all entries in order of their identifiers. Identifiers, owners and
   * times are left out.
   */
  readonly read: () => Promise<readonly Record<string, unknown>[]>
}

let tables = 0

export async function makeTable(server: TestServer, columns: string): Promise<Table> {
  const record = await server.post('/api/v2/datatable', {
    name: `Table ${(tables += 1)}`,
    table_schema: columns,
  })
  return useModule(server, String(record['module_url']))
}

export function useModule(server: TestServer, module: string): Table {
  const { url, key } = server

  return {
    module,
    load: (source, options = {}) => importEntries({ url, key, module, source, ...options }),
    async save(target, options = {}) {
      const { written } = await exportEntries({ url, key, module, target, ...options })
      return written
    },
    async read() {
      const rows: Record<string, unknown>[] = []
      for (let cursor = ''; ; ) {
        const answer = await server.get(`${module}?length=1000${cursor}`)
        rows.push(...entriesOf(answer))
        const { next } = answer['page'] as { readonly next: string | null }
        if (next === null) return rows
        cursor = `&cursor=${next}`
      }
    },
  }
}

function entriesOf(answer: Record<string, unknown>): readonly Record<string, unknown>[] {
  const { page, ...lists } = answer
  const rows = Object.values(lists).flat() as readonly Record<string, unknown>[]
  return rows.map((row) => {
    const kept = Object.entries(row).filter(([name]) => !ADDED.has(name) && !name.endsWith('_id'))
    return Object.fromEntries(kept)
  })
}

const ADDED = new Set(['date_added', 'date_modified', 'owner'])

/** A file with this content in a directory that the test removes. */
export async function fileWith(
  t: TestContext,
  name: string,
  content: string | Buffer,
): Promise<string> {
  const path = join(await temporaryDirectory(t), name)
  await writeFile(path, content)
  return path
}
