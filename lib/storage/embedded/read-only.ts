// Parts of an engine that writes nothing.

import type { Kv } from '../records/kv.ts'
import type { ContentDisk } from './content-disk.ts'
import type { DataPaths } from './data-paths.ts'
import { openedToRead } from './file-errors.ts'
import { openLmdb } from './lmdb-kv.ts'
import type { WriteOut } from './content-flush.ts'

export type ReadKv = Kv & Pick<ReturnType<typeof openLmdb>, 'commits' | 'close'>

export function openToRead({ records }: DataPaths, onFailure: (cause: unknown) => void): ReadKv {
  const kv = openLmdb({ path: records, readOnly: true, onFailure })
  return { ...kv, commit: () => Promise.reject(openedToRead()) }
}

export const NO_WRITING: Omit<ContentDisk, 'pool'> = {
  requireWritable() {
    throw openedToRead()
  },
  refuse(error) {
    throw error
  },
  note: () => undefined,
  isReadOnly: () => false,
  hasFailed: () => false,
}

export const NO_WRITE_OUT: WriteOut = {
  isFull: () => true,
  waitingBytes: () => 0,
  add: () => undefined,
  forget: () => Promise.reject(openedToRead()),
  close: async () => undefined,
}
