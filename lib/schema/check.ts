// Checks bodies: unknown JSON → values of the fields of an object. All faults of a body are reported together,
// each with its JSON pointer.

import { CmsError, type Fault } from '../base/errors.ts'
import { textOfNumber } from '../base/exact-number.ts'
import type { JsonObject, JsonValue } from './values.ts'
import { closest, counted, toSentence } from './message-text.ts'
import type { Access, Field } from './field.ts'
import type { ObjectType } from './object.ts'

export type Values = Readonly<Record<string, JsonValue>>

/** The search for faults ends here, because a large body may be wrong everywhere. */
export const MAX_FAULTS = 1_000

/** Number of unknown members that get a suggestion, because suggestions take time. */
const MAX_HINTS = 5

/** The valid values of a body, and the faults of all others. */
interface ReadBody {
  readonly values: Values
  readonly faults: readonly Fault[]
}

/** The values of a new record: from the body, or the initial value of every other stored field. */
export function checkCreate(object: ObjectType, body: unknown): Values {
  const { values, faults } = readCreate(object, body)
  refuseFaults(faults)
  return values
}

/** Like checkCreate, but returns the faults. Throws only if the body is no object. */
export function readCreate(object: ObjectType, body: unknown): ReadBody {
  const given = requireObject(body)
  const faults: Fault[] = []
  const values: Record<string, JsonValue> = {}

  for (const [name, value] of Object.entries(given)) {
    if (faults.length >= MAX_FAULTS) break
    const field = writableField(object, name, faults)
    if (field !== undefined) take(values, name, field, value, faults)
  }
  for (const [name, field] of Object.entries(object.fields)) {
    if (name in given) continue
    if (field.access === 'required') faults.push({ pointer: pointer(name), detail: 'is required' })
    else if (field.isStored) values[name] = field.initial
  }
  return { values, faults }
}

/**
 * The values that a body changes. A read-only field is accepted if it equals the record, so that a record that
 * was read can be sent back.
 */
export function checkUpdate(object: ObjectType, body: unknown, current: JsonObject): Values {
  const { values, faults } = readUpdate(object, body, current)
  refuseFaults(faults)
  return values
}

/** Like checkUpdate, but returns the faults. Throws if the body is no object, and record-changed. */
export function readUpdate(object: ObjectType, body: unknown, current: JsonObject): ReadBody {
  const given = requireObject(body)
  requireUnchanged(object, given, current)
  const faults: Fault[] = []
  const values: Record<string, JsonValue> = {}

  for (const [name, value] of Object.entries(given)) {
    if (faults.length >= MAX_FAULTS) break
    if (isSame(value, current[name])) continue
    const field = writableField(object, name, faults)
    if (field !== undefined) take(values, name, field, value, faults)
  }

  for (const name of Object.keys(values)) {
    if (isSame(values[name], current[name])) delete values[name]
  }
  return { values, faults }
}

/**
 * A body with the identifier of the record is a copy that was read earlier. Its read-only fields show whether
 * the record has changed since.
 */
function requireUnchanged(
  { fields, idField, label }: ObjectType,
  given: JsonObject,
  current: JsonObject,
): void {
  if (given[idField] === undefined || given[idField] !== current[idField]) return
  const changed = Object.keys(given).filter(
    (name) =>
      Object.hasOwn(fields, name) &&
      fields[name]?.access === 'assigned' &&
      !isSame(given[name], current[name]),
  )
  if (changed.length === 0) return
  throw new CmsError(
    'record-changed',
    `The ${label} has changed since it was read: ${changed.join(', ')} differ. Read it again and send only the fields that you want to change.`,
    {
      errors: changed.map((name) => ({
        pointer: pointer(name),
        detail: `is ${JSON.stringify(current[name] ?? null)} now`,
      })),
    },
  )
}

export function requireObject(body: unknown): JsonObject {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isObject && textOfNumber(body) === undefined) return body as JsonObject
  throw new CmsError('invalid-content', 'The body must be a JSON object with the fields to set.', {
    errors: [{ pointer: '', detail: 'must be an object' }],
  })
}

/** The detail has the first fault and the number of further faults; `errors` has all of them. */
export function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults
  if (first === undefined) return
  const more = faults.length - 1
  const rest = more === 0 ? '' : `; and ${counted(more, 'more fault')}`
  const detail = toSentence(`${first.pointer || 'the body'} ${first.detail}${rest}`)
  throw new CmsError('invalid-content', detail, { errors: faults })
}

/** Throws invalid-content for one field, for rules that need stored records. */
export function refuseField(name: string, detail: string): never {
  refuseFaults([{ pointer: pointer(name), detail }])
  throw new CmsError('invalid-content', detail)
}

function take(
  values: Record<string, JsonValue>,
  name: string,
  field: Field<JsonValue, Access>,
  value: JsonValue,
  faults: Fault[],
): void {
  if (value === null && field.isClearable) {
    values[name] = field.keepsNull === true ? null : field.initial
    return
  }
  const checked = field.check(value)
  if (checked.ok) {
    values[name] = checked.value
    return
  }
  faults.push({ pointer: pointer(name), detail: nullHint(value) + checked.detail })
  for (const detail of checked.others ?? []) faults.push({ pointer: pointer(name), detail })
}

/** A NOTNULL field always has a value; to keep the stored value, the field is omitted. */
function nullHint(value: JsonValue): string {
  return value === null ? 'must not be null: send a value, or omit the field in an update; it ' : ''
}

function writableField(
  object: ObjectType,
  name: string,
  faults: Fault[],
): Field<JsonValue, Access> | undefined {
  const field = Object.hasOwn(object.fields, name) ? object.fields[name] : undefined
  if (field !== undefined && field.access !== 'assigned') return field

  const hint = faults.length < MAX_HINTS ? hintOf(object, name) : ''
  const detail = field === undefined ? `is not a field of ${object.name}${hint}` : 'is read-only'
  faults.push({ pointer: pointer(name), detail })
  return undefined
}

function hintOf({ fields }: ObjectType, name: string): string {
  const known = Object.keys(fields).filter((item) => fields[item]?.access !== 'assigned')
  const near = closest(name, known)
  return near === undefined ? `; known fields: ${known.join(', ')}` : `; did you mean "${near}"?`
}

/** RFC 6901. */
export function pointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Whether two values of records are equal; lists and objects are compared as JSON text. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  const isWhole = typeof left === 'object' && typeof right === 'object'
  return isWhole && JSON.stringify(left) === JSON.stringify(right)
}
