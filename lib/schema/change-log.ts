// What the log of changes knows besides its rows, which are those of the audit trail (audit.ts).

import { randomBytes } from 'node:crypto'
import { ACTIONS } from './audit.ts'
import type { RecordType } from './values.ts'

/** Key: [1]. */
export interface ChangeLog {
  /** 16 hex digits; another one where a backup is restored: numbers that were given since are given again. */
  readonly epoch: string
  /** The highest number of a change that can be read no more. */
  readonly removed: number
}

export function newEpoch(): string {
  return randomBytes(8).toString('hex')
}

export const changeLog: RecordType<ChangeLog> = { name: 'change_log', indexes: [] }

/** Of which the log tells. */
export const CHANGED_OBJECTS: readonly string[] = [
  'asset_category',
  'asset_file',
  'file_group',
  'datatable',
  'calendar',
  'datatable_entry',
  'calendar_entry',
  'user',
  'api_key',
  'webhook',
]

/** What it may call a change: a create, a delete, or what was done to a record that stays. */
export const CHANGE_ACTIONS: readonly string[] = ACTIONS.filter((name) => !name.startsWith('sign_'))

/** Key: [asset_category_id]. Where a folder lay that is gone: by it is told who may learn what became of what it held. */
export interface GoneFolder {
  /** Rows of earlier versions have none. */
  readonly name?: string
  readonly parent_category_id: number | null
  /** Of a change before which nothing was removed from the folder any more, or a lower one. */
  readonly sequence: number
}

export const goneFolder: RecordType<GoneFolder> = {
  name: 'gone_folder',
  indexes: [{ name: 'sequence', rows: ({ sequence }) => [[Number(sequence)]] }],
}
