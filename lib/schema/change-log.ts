// Data of the change log besides its rows, which are the rows of the audit trail (audit.ts).

import { randomBytes } from 'node:crypto'
import type { RecordType } from './values.ts'

/** Key: [1]. */
export interface ChangeLog {
  /**
   * 16 hex digits. A restore sets a new epoch, because sequence numbers since the backup are assigned again.
   */
  readonly epoch: string
  /** The highest sequence number that can no longer be read. */
  readonly removed: number
  /** The latest date of removed changes; missing if changes were removed before the server kept it. */
  readonly removed_until?: string
}

export function newEpoch(): string {
  return randomBytes(8).toString('hex')
}

export const changeLog: RecordType<ChangeLog> = { name: 'change_log', indexes: [] }

/**
 * Key: [asset_category_id]. The former place of a deleted folder, which decides who may learn about changes
 * inside it.
 */
export interface FolderTombstone {
  /** Missing in rows of earlier versions. */
  readonly name?: string
  readonly parent_category_id: number | null
  /** Sequence number of a change, or a lower number, before which nothing more was removed from the folder. */
  readonly sequence: number
}

export const folderTombstone: RecordType<FolderTombstone> = {
  name: 'gone_folder',
  indexes: [{ name: 'sequence', rows: ({ sequence }) => [[Number(sequence)]] }],
}
