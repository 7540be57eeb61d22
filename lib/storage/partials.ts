// The bytes of resumable uploads until they become contents. Each engine stores them in its own way: as a file of the data
// directory, or as objects of the store, so that any node can continue. The row of an upload (schema/partial-upload.ts)
// decides how many bytes count. Bytes beyond the row are leftovers of an interrupted request and are dropped.

import type { PartialPart } from '../schema/partial-upload.ts'
import type { Received } from './port.ts'

/** The durable bytes of an upload, as its row names them. */
export interface PartialState {
  readonly uid: string
  readonly sizeBytes: number
  readonly parts?: readonly PartialPart[]
}

export interface Partials {
  /** Bytes after which a running request makes its bytes durable, so that a crash loses no more than these. */
  readonly checkpointBytes: number
  /** Opens an upload for appending; undefined if its bytes are gone. One writer at a time. */
  open(state: PartialState): Promise<PartialWriter | undefined>
  /** Removes the bytes of an upload; missing bytes are no error. */
  remove(state: PartialState): Promise<void>
  /** Removes the bytes that no upload names. */
  sweep(names: NamesBytes, signal: AbortSignal): Promise<void>
}

/** Whether an unfinished upload has these bytes, in the newest records. */
export type NamesBytes = (bytes: { readonly uid: string; readonly part?: string }) => boolean

export interface PartialWriter {
  /** All bytes, including those that are not durable yet. */
  readonly sizeBytes: number
  /** Returns a promise if the caller should wait before the next chunk. The memory of the chunk belongs to the writer. */
  write(chunk: Buffer): Promise<void> | undefined
  /** Makes all bytes durable. Returns the state for the row. */
  sync(): Promise<PartialState>
  /** Removes what the state of the row no longer names. Call after the commit of that state. */
  tidy(): Promise<void>
  /** All bytes. Its seal may use up the stored bytes; its discard keeps them. Write nothing afterwards. */
  receive(): Promise<Received>
  /** Drops the bytes since the last sync. */
  close(): Promise<void>
}
