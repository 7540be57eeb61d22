// audit: who did what to which record, when and from where. A row is written in the commit of the change
// and never changed after it. A row holds the names of fields, and of values only the names of
// deleted, renamed and moved records: no body, no secret.

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
import { defineObject, type RecordOf } from './object.ts'
import { CHANGES_SCHEMA } from './recorded-change.ts'
import type { RecordType } from './values.ts'

/** What was done; a route that changes something names one of them. */
export const ACTIONS = [
  'create',
  'update',
  'delete',
  'upload',
  'publish',
  'stage',
  'unpublish',
  'unstage',
  'restore',
  'rotate',
  'revoke',
  'sign_in',
  'sign_out',
] as const

export type Action = (typeof ACTIONS)[number]

// One index is all that a change pays for: the record that was changed. Identifiers are in the order of the commits, so
// by them the newest rows are found, those to be removed, and those of a time.
const BARE = { isIndexed: false } as const

/**
 * Under the identifier of a row: it is dated long before a row in front of it, as the clock was set back, or nobody
 * knows whether it is.
 */
interface AuditTurn {
  readonly date_added: string
}

export const auditTurn: RecordType<AuditTurn> = { name: 'audit_turn', indexes: [] }

/**
 * Clocks that are put right now and then, or that a machine shares with others, go back by parts of a second; they may do
 * so at every commit. Rows of so much time are looked at more than need be in a search.
 */
export const AUDIT_SLACK_MS = 1_000

/** Whether a row of this date has a turn behind rows of which the latest is dated `latest`. */
export function turnsBack(latest: string, date: string): boolean {
  return date < latest && Date.parse(latest) - Date.parse(date) > AUDIT_SLACK_MS
}

export const audit = defineObject({
  name: 'audit',
  label: 'audit row',
  description:
    'What was changed, by whom, when and from where: one row for each commit that changed what the interface shows, ' +
    'written in that commit; those by which the server clears away what was deleted are among them. Read only. Rows ' +
    'have names of fields and never their values, except for the names of what was deleted, renamed or moved. Identifiers ' +
    'rise, with gaps.',
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
  rises: { field: 'date_added', slackMs: AUDIT_SLACK_MS, turns: auditTurn },
  fields: {
    user_name: string('assigned', {
      ...BARE,
      description: 'Name of the user; null for the command line, and for what time has ended.',
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
        'Name that the key had; null for the command line, and in rows of earlier versions.',
    }),
    address: string('assigned', {
      ...BARE,
      description: 'Network address that the request came from; null for the command line.',
    }),
    request_id: string('assigned', {
      ...BARE,
      description: 'The X-Request-Id of the answer, and of the line in the log.',
    }),
    action: choice('assigned', ACTIONS, {
      ...BARE,
      isNullable: false,
      description:
        'What was asked for. A search for publish or stage also finds a create, update or upload that published or staged ' +
        'the file.',
    }),
    object: string('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Kind of record: asset_file, user, datatable_entry …',
    }),
    object_id: integer('assigned', {
      isNullable: false,
      description: 'Identifier of the record; of several the first.',
    }),
    last_object_id: integer('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Identifier of the last of several records, else object_id.',
    }),
    count: integer('assigned', {
      ...BARE,
      isNullable: false,
      description: 'Number of records of this kind: more than 1 for a list of entries.',
    }),
    module_id: reference('assigned', {
      ...BARE,
      description: 'The datatable or calendar, where the record is an entry.',
    }),
    version: integer('assigned', {
      ...BARE,
      description: 'Of a file: the version that was saved, else the one that fileState is about.',
    }),
    fileState: choice('assigned', ['publish', 'stage'], {
      ...BARE,
      description: 'Of a file: its fileState, where a pointer was moved; null where none was.',
    }),
    changed_fields: changedFields(),
    asset_category_id: reference('assigned', {
      ...BARE,
      description:
        'The folder in which the record lies, or lay; of an entry that of its module, of a folder itself. Null for ' +
        'users and keys, and where changes tells.',
    }),
    previous_category_id: reference('assigned', {
      ...BARE,
      description: 'Of a record that was moved: the folder before; of a folder the one above it.',
    }),
    name: string('assigned', {
      ...BARE,
      description:
        'Name of a record that was deleted, renamed or moved, as it was after that; of several the first. Null for all ' +
        'other changes.',
    }),
    path: string('assigned', {
      ...BARE,
      description: 'Path of that record from the root; null where it lies in no folder.',
    }),
    previous_name: string('assigned', {
      ...BARE,
      description: 'Its name before, where that was another one.',
    }),
    previous_path: string('assigned', {
      ...BARE,
      description: 'Its path before, where that was another one.',
    }),
    entries: integer('assigned', {
      ...BARE,
      description:
        'How many entries went with a datatable or calendar that was deleted; null for all other changes.',
    }),
    changes: structure('assigned', CHANGES_SCHEMA, refuseAll, {
      description:
        'Where the commit changed more than one kind of record, or records that do not follow each other: all of ' +
        'them. A deleted file leaves its groups, for example. Also where a record was deleted, renamed or moved.',
    }),
  },
  baseFields: {
    date_added: dateTime('assigned', {
      ...BARE,
      isNullable: false,
      description: 'When it was done.',
    }),
  },
})

/** Under the identifier of a row. Members from previous_category_id on are left out where they are null. */
export type Audit = RecordOf<typeof audit>

/** Who did it, as a row tells it: plain data, for work that goes on after a request. */
export type Doer = Pick<
  Audit,
  'user_name' | 'user_id' | 'api_key_id' | 'api_key_name' | 'address' | 'request_id' | 'action'
>

/** What nobody has asked for: its time was over. */
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
    description: 'Names of the fields that an update changed; null for what is new or gone.',
  })
}
