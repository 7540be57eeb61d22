// The values of an entry in a form: as typed, and as the body of a request.

import type { Entry } from '../../client/module-paths.ts'
import type { Speech } from '../../texts/use-texts.ts'
import { InvalidFields } from '../../ui/form.tsx'
import type { ShownTable } from '../data/table.ts'
import { type EntryField, fieldsOf, textOf, valueOf } from './fields.ts'
import { typedFault } from './typed-fault.ts'

/** Text values by column name. */
export type EntryValues = Readonly<Record<string, string>>

export function columnsOf({ record }: ShownTable): readonly EntryField[] {
  return fieldsOf(record).filter(({ column }) => column !== undefined)
}

export function valuesOf(entry: Entry, fields: readonly EntryField[]): EntryValues {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, entry[field.name])]))
}

export function bodyOf(values: EntryValues, fields: readonly EntryField[]): Entry {
  const given = fields.filter(({ name }) => values[name] !== undefined)
  return Object.fromEntries(
    given.map((field) => [field.name, valueOf(field, values[field.name] ?? '')]),
  )
}

/** Checks required values and JSON before the request, to show the error in the page language. */
export function requireValid(
  values: Partial<EntryValues>,
  fields: readonly EntryField[],
  t: Speech['t'],
): void {
  const faults = fields.flatMap((field) => {
    const { name, column } = field
    const text = values[name]
    if (text === undefined) return []
    const isMissing = column?.isRequired === true && (valueOf(field, text) ?? '') === ''
    const fault = isMissing ? t.form.required : typedFault(field, text, t)
    return fault === undefined ? [] : [[name, fault] as const]
  })
  if (faults.length > 0) throw new InvalidFields(Object.fromEntries(faults))
}
