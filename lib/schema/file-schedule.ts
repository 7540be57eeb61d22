// The schedule of a file: times at which the server moves its pointers by itself. A time names the version that was the
// latest when somebody set the time, because only that version was approved.
//
// The times are fields of asset_file, so that searches and lists have them. The people who set them are in separate
// rows, because answers contain the stored text of a record unchanged.

import { dateTime, type Field, integer, refuse, refuseAll, structure } from './field.ts'
import { nearestNumber } from '../base/exact-number.ts'
import type { JsonObject, KeyPart, RecordType } from './values.ts'

/** In the order in which actions of the same second run. */
export const SCHEDULED_ACTIONS = ['stage', 'publish', 'unpublish'] as const

export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number]

/** The field of the time of each action. */
export const TIME_FIELDS = {
  stage: 'stage_at',
  publish: 'publish_at',
  unpublish: 'unpublish_at',
} as const

export type TimeField = (typeof TIME_FIELDS)[ScheduledAction]

export interface ScheduleFault {
  readonly action: ScheduledAction
  /** The scheduled time. */
  readonly at: string
  readonly version: number | null
  readonly code: string
  readonly detail: string
}

/** JSON Schema of a ScheduleFault. */
export const FAULT_SCHEMA = {
  type: 'object',
  required: ['action', 'at', 'version', 'code', 'detail'],
  properties: {
    action: { type: 'string', enum: SCHEDULED_ACTIONS },
    at: { type: 'string', format: 'date-time', description: 'The scheduled time.' },
    version: {
      type: ['integer', 'null'],
      description: 'The version that was to be published or staged; null for an unpublish.',
    },
    code: { type: 'string', description: 'The code of the error: see /problems.' },
    detail: { type: 'string' },
  },
} as const

const WHOLE = 'It must be in the future and a whole second.'

const HIDDEN = 'Null for keys that do not see drafts.'

/** Fields of asset_file. Records of earlier builds lack them: see withSchedule. */
export const SCHEDULE_FIELDS = {
  publish_at: moment(
    `When the server publishes the version publish_version. ${WHOLE} The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. ${HIDDEN}`,
  ),
  publish_version: integer('assigned', {
    description: `The version that publish_at publishes: the latest version when the time was set. ${HIDDEN}`,
    isIndexed: false,
  }),
  unpublish_at: moment(
    `When the server unpublishes the file. ${WHOLE} It must be later than publish_at. Needs the grant publish, like publish_at. ${HIDDEN}`,
  ),
  stage_at: moment(
    `When the server stages the version stage_version. ${WHOLE} Needs the grant stage, like publish_at. ${HIDDEN}`,
  ),
  stage_version: integer('assigned', {
    description: `The version that stage_at stages: the latest version when the time was set. ${HIDDEN}`,
    isIndexed: false,
  }),
  schedule_failed_at: dateTime('assigned', {
    description:
      'When the server last failed to publish, unpublish or stage the file at a scheduled time; null once a time is set or cleared, or the file is published by hand. ' +
      'Null for keys without the grants publish and stage.',
  }),
  schedule_fault: structure<ScheduleFault & JsonObject, 'assigned', { description: string }>(
    'assigned',
    FAULT_SCHEMA,
    refuseAll,
    {
      description:
        'Why the server failed to publish, unpublish or stage the file at a scheduled time; null together with schedule_failed_at.',
    },
  ),
} as const

type ScheduleField = keyof typeof SCHEDULE_FIELDS

/** The schedule of a file without one, in the order of the fields. */
export const NO_SCHEDULE: Readonly<Record<ScheduleField, null>> = Object.freeze({
  publish_at: null,
  publish_version: null,
  unpublish_at: null,
  stage_at: null,
  stage_version: null,
  schedule_failed_at: null,
  schedule_fault: null,
})

export const NO_FAULT = Object.freeze({ schedule_failed_at: null, schedule_fault: null })

const NAMES: ReadonlySet<string> = new Set(Object.keys(NO_SCHEDULE))

export function isScheduleField(name: string): boolean {
  return NAMES.has(name)
}

export function isTimeField(name: string): name is TimeField {
  return Object.values<string>(TIME_FIELDS).includes(name)
}

/** True if a field of the schedule has a value. */
export function hasSchedule(record: JsonObject): boolean {
  return SET_BY_ITSELF.some((name) => (record[name] ?? null) !== null)
}

/** If one of the other fields has a value, one of these has a value too. */
const SET_BY_ITSELF = [...Object.values(TIME_FIELDS), 'schedule_failed_at'] as const

/** The record with nulls for the missing fields; the same record if no field is missing. */
export function withSchedule<T extends JsonObject>(record: T): T {
  return record['publish_at'] === undefined ? { ...record, ...NO_SCHEDULE } : record
}

/** Times in the order in which they come; an action later in SCHEDULED_ACTIONS runs later within a second. */
export function dueRows(record: JsonObject): readonly (readonly KeyPart[])[] {
  return SCHEDULED_ACTIONS.flatMap((action, place) => {
    const time = record[TIME_FIELDS[action]]
    return typeof time === 'string' ? [[time, place]] : []
  })
}

/** The author of a time; the authority of the author decides when the time comes. */
interface Setter {
  readonly user_name: string
  readonly user_id: number
  readonly api_key_id: number
  readonly api_key_name: string
  /** A person set the time in a session, so the time does not end with the session. */
  readonly is_session: boolean
}

/** Key: [asset_file_id]. Authors of past times may remain. */
export type FileSchedule = Readonly<Partial<Record<ScheduledAction, Setter>>>

export const fileSchedule: RecordType<FileSchedule> = { name: 'file_schedule', indexes: [] }

function moment(description: string): Field<string, 'optional', true, true> {
  const field = dateTime('optional', { description })
  return {
    ...field,
    check(sent: unknown) {
      const checked = field.check(sent)
      if (!checked.ok || !hasFraction(sent)) return checked
      return refuse('must be a whole second: send the time without a fraction of a second')
    },
  }
}

/** Also finds fractions below a millisecond, which the conversion of dates drops. */
function hasFraction(sent: unknown): boolean {
  const value = nearestNumber(sent)
  if (typeof value === 'number') return !Number.isInteger(value)
  return typeof value === 'string' && /\.\d*[1-9]/.test(value)
}
