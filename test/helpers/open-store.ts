// How the contract of records opens an engine.

import type { TestContext } from 'node:test'
import type { Records } from '../../lib/storage/port.ts'

export interface OpenRecords {
  readonly records: Records
  close(): Promise<void>
  /** Closes the store and opens the same one again; `close` then closes that. */
  reopen?(): Promise<Records>
}

export type OpenStore = () => Promise<OpenRecords>

/** Opens an empty store that the test closes when it ends. */
export async function openFor(t: TestContext, open: OpenStore): Promise<OpenRecords> {
  const store = await open()
  t.after(() => store.close())
  return store
}
