// How the tests of the records contract open a storage engine.

import type { TestContext } from 'node:test'
import type { Records } from '../../lib/storage/port.ts'

export interface OpenRecords {
  readonly records: Records
  close(): Promise<void>
  /** Closes the store and opens it again; `close` then closes the new instance. */
  reopen?(): Promise<Records>
}

export type OpenStore = () => Promise<OpenRecords>

/** Opens an empty store, which is closed at the end of the test. */
export async function openFor(t: TestContext, open: OpenStore): Promise<OpenRecords> {
  const store = await open()
  t.after(() => store.close())
  return store
}
