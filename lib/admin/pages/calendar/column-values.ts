// Converts values of additional columns to and from form values.

import type { FormValue } from '../../ui/use-form.ts'
import type { Column } from './events.ts'

const NUMBERS: ReadonlySet<string | undefined> = new Set(['I', 'I1', 'I2', 'I4', 'R', 'F'])

export function columnText({ type }: Column, value: unknown): FormValue {
  if (type === 'L') return value === true
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text that is not a number is sent as typed, and the server reports the error. */
export function columnValue({ type }: Column, value: FormValue): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (text === '') return null
  return NUMBERS.has(type) && Number.isFinite(Number(text)) ? Number(text) : value
}
