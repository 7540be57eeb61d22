// audit: who changed which record, when and from where. A row is written in the commit of the change and never
// changed later. It contains names of fields but no values, bodies or secrets, except for the names of deleted,
// renamed and moved records.

import { ACTIONS } from '../shared/actions.ts'
import {
  choice,
  dateTime,
  type Field,
  integer,
  reference,
  refuseAll,
  string,
  structure,
} from './field.ts'
import { FAULT_SCHEMA } from './file-schedule.ts'
import { defineObject, type RecordOf } from './object.ts'
import { CHANGES_SCHEMA } from './recorded-change.ts'
import type { RecordType } from './values.ts'

// A change pays for a single index, on the changed record. Identifiers follow the order of commits, so they
// find the newest rows, the expired rows, and the rows of a period.
const BARE = { isIndexed: false } as const

/**
 * Key: identifier of a row that is dated much earlier than a preceding row, because the clock was set back, or
 * that may be.
 */
interface AuditClockReset {
  readonly date_added: string
}

export const auditClockReset: RecordType<AuditClockReset> = { name: 'audit_turn', indexes: [] }

/**
 * Clocks that are adjusted or shared with other machines can go back by fractions of a second at every commit. A search
 * therefore reads the rows of this much more time than necessary.
 */
export const AUDIT_SLACK_MS = 1_000

/** Whether a row of this date needs a reset after rows whose latest date is `latest`. */
export function isClockReset(latest: string, date: string): boolean {
  return date < latest && Date.parse(latest) - Date.parse(date) > AUDIT_SLACK_MS
}

export const audit = defineObject({
  name: 'audit',
  label: 'audit row',
  description:
    'Every change: what was changed, by whom, when and from where. Each commit that changes visible records writes one row, ' +
    'including commits with which the server removes the content of deleted folders and modules. Read-only. Rows contain ' +
    'names of fields but no values, except for the names of deleted, renamed and moved records. Identifiers increase and may have gaps.',
  example: {
    record: {
      audit_id: 2,
      user_name: 'admin',
      user_id: 1,
      api_key_id: 1,
      address: '192.0.2.7',
      request_id: '4395c0a5-5f79-4fe3-907d-df07ee5f2b6b',
      action: 'create',
      object: 'asset_file',
      object_id: 1,
      last_object_id: 1,
      count: 1,
      version: 1,
      fileState: 'publish',
      asset_category_id: 1,
    },
  },
  rises: { field: 'date_added', slackMs: AUDIT_SLACK_MS, resets: auditClockReset },
  fields: {
    user_name: string('assigned', {
      ...BARE,
      description: 'Name of the user; null for the command line, and for expired records.',
    }),
    user_id: reference('assigned', {
      ...BARE,
      description: 'Identifier of the user; null for the command line.',
    }),
    api_key_id: reference('assigned', {
      ...BARE,
      description: 'The key that signed the request; null for the command line.',
    }),
    api_key_name: string('assigned', {
      ...BARE,
      description:
        'Name of the key at that time; null for the command line, and in rows of earlier versions.',
    }),
    address: string('assigned', {
      ...BARE,
      description: 'Network address of the client; null for the command line.',
    }),
    request_id: string('assigned', {
      ...BARE,
      description: 'The X-Request-Id of the response and of the log line.',
    }),
    action: choice('assigned', ACTIONS, {
      ...BARE,
      isNullable: false,
      description:
        'The requested action. A search for publish or stage also finds a create, update or upload that published or staged ' +
        'the file.',
    }),
    object: string('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Kind of record: asset_file, user, datatable_entry …',
    }),
    object_id: integer('assigned', {
      isNullable: false,
      description: 'Identifier of the record, or of the first of several records.',
    }),
    last_object_id: integer('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Identifier of the last of several records, otherwise object_id.',
    }),
    count: integer('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Number of records of this kind: more than 1 for a list of entries.',
    }),
    module_id: reference('assigned', {
      ...BARE,
      description: 'The datatable or calendar of an entry.',
    }),
    version: integer('assigned', {
      ...BARE,
      description: 'For a file: the saved version, otherwise the version that fileState refers to.',
    }),
    fileState: choice('assigned', ['publish', 'stage'], {
      ...BARE,
      description: 'For a file: its fileState if it was published or staged; otherwise null.',
    }),
    changed_fields: changedFields(),
    asset_category_id: reference('assigned', {
      ...BARE,
      description:
        'The folder that contains or contained the record; for an entry, the folder of its module; for a folder, the folder itself. Null for ' +
        'users and keys, and if changes lists the folders.',
    }),
    previous_category_id: reference('assigned', {
      ...BARE,
      description:
        'For a moved record: the previous folder; for a moved folder: its previous parent.',
    }),
    name: string('assigned', {
      ...BARE,
      description:
        'Name of a deleted, renamed or moved record after the change, or of the first of several. Null for all ' +
        'other changes.',
    }),
    path: string('assigned', {
      ...BARE,
      description: 'Path of that record from the root; null if it is in no folder.',
    }),
    previous_name: string('assigned', {
      ...BARE,
      description: 'The previous name, if it was different.',
    }),
    previous_path: string('assigned', {
      ...BARE,
      description: 'The previous path, if it was different.',
    }),
    entries: integer('assigned', {
      ...BARE,
      description:
        'Number of entries that were deleted with a datatable or calendar; null for all other changes.',
    }),
    schedule_fault: structure('assigned', FAULT_SCHEMA, refuseAll, {
      description:
        'For the action schedule_failed: why a time of the file could not be kept; otherwise null.',
    }),
    changes: structure('assigned', CHANGES_SCHEMA, refuseAll, {
      description:
        'All changes of a commit that changed more than one kind of record, or records without consecutive ' +
        'identifiers; for example, a deleted file is removed from its groups. Also set if a record was deleted, renamed or moved.',
    }),
  },
  baseFields: {
    date_added: dateTime('assigned', {
      ...BARE,
      isNullable: false,
      description: 'When the change was made.',
    }),
  },
})

/** Key: the identifier of the row. Members from previous_category_id on are omitted if they are null. */
export type Audit = RecordOf<typeof audit>

/** The author of a change as plain data, for work that continues after the request. */
export type Doer = Pick<
  Audit,
  'user_name' | 'user_id' | 'api_key_id' | 'api_key_name' | 'address' | 'request_id' | 'action'
>

/** The author of changes that the server makes when something expires. */
export const NOBODY: Doer = Object.freeze({
  user_name: null,
  user_id: null,
  api_key_id: null,
  api_key_name: null,
  address: null,
  request_id: null,
  action: 'delete',
})

function changedFields(): Field<readonly string[], 'assigned'> {
  const schema = { type: 'array', items: { type: 'string' } }
  return structure('assigned', schema, refuseAll, {
    description: 'Names of the fields that an update changed; null for creates and deletes.',
  })
}
