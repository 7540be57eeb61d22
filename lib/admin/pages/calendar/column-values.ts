// The further columns of a calendar, as a form holds their values.

import type { FormValue } from '../../ui/use-form.ts'
import type { Column } from './events.ts'

const NUMBERS: ReadonlySet<string | undefined> = new Set(['I', 'I1', 'I2', 'I4', 'R', 'F'])

export function columnText({ type }: Column, value: unknown): FormValue {
  if (type === 'L') return value === true
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is no number goes as it was typed, and the server says what is wrong with it. */
export function columnValue({ type }: Column, value: FormValue): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (text === '') return null
  return NUMBERS.has(type) && Number.isFinite(Number(text)) ? Number(text) : value
}
