// Resumable uploads (tus 1.0.0) in the records. The bytes lie beside the contents until the upload is complete
// (storage/partials.ts).

import type { RecordType } from './values.ts'

/** A stored piece of an upload whose bytes are objects of a store. */
export interface PartialPart {
  readonly uid: string
  readonly sizeBytes: number
}

/** Key: [uid]. */
export interface PartialUpload {
  /** Random, so that an address cannot be guessed. */
  readonly uid: string
  readonly user_id: number
  /** The key that began the upload; null for a session, because a user may sign in again and continue. */
  readonly api_key_id: number | null
  /** Exactly one of the two is set: the file that gets a version, or the folder of the new file. */
  readonly asset_file_id: number | null
  readonly asset_category_id: number | null
  /** The fields of the file as sent: name, type, title … */
  readonly fields: Readonly<Record<string, string>>
  readonly file_name: string | null
  /** The header Upload-Metadata as sent, which HEAD must return. */
  readonly metadata: string | null
  /** Null while the client defers it. */
  readonly length: number | null
  /** Durable bytes. Equal to the length only once the file has the bytes. */
  readonly offset: number
  /** Only in a cluster. */
  readonly parts?: readonly PartialPart[]
  /** Time of the last progress: the upload expires after a time without progress. */
  readonly date_active: string
  /** The result of a complete upload. The row is kept so that a client finds the file after a lost response. */
  readonly made?: { readonly asset_file_id: number; readonly version: number }
}

export const partialUpload: RecordType<PartialUpload> = {
  name: 'partial_upload',
  indexes: [
    {
      name: 'open',
      rows: (record) => (record['made'] === undefined ? [[Number(record['user_id'])]] : []),
    },
  ],
}
