// What was done under an Idempotency-Key, kept so that a retry gets the same answer and changes nothing.

import type { JsonValue, RecordType } from './values.ts'

/** Key: [api_key_id, the value of the header]. */
export interface IdempotencyRow {
  /** SHA-256 of the request: another request under the same key is refused. */
  readonly fingerprint: string
  /** What the key and its user held then, as a hash; missing in rows of earlier versions. */
  readonly authority?: string
  readonly date_added: string
  /** Identifiers of the records that its commit has put, by the name of their type. */
  readonly made: Made
  /** What was answered; null while that is not known, and where it was too large to be kept. */
  readonly answer: JsonValue
}

export type Made = Readonly<Record<string, readonly number[]>>

export const idempotencyRow: RecordType<IdempotencyRow> = {
  name: 'idempotency_row',
  idCount: 2,
  indexes: [{ name: 'date_added', rows: (record) => [[String(record['date_added'])]] }],
}

/** Key: [api_key_id]. */
interface IdempotencyCount {
  /** How many rows the key has. */
  readonly rows: number
}

export const idempotencyCount: RecordType<IdempotencyCount> = {
  name: 'idempotency_count',
  indexes: [],
}
