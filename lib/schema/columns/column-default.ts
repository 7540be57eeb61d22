// Parses the default of a column: DEFAULT and a value, DEFDATE, DEFTIMESTAMP.

import { COLUMN_TYPES, type ValueKind } from '../../shared/column-types.ts'
import { isTexted, readValue, writeValue } from '../../shared/value-text.ts'
import { parseScalar } from '../field-value.ts'
import { columnField } from './column-field.ts'
import type { DefaultOption } from './column-options.ts'
import type { Column, ColumnDefault } from './column.ts'
import { type Report, show } from './tokens.ts'

const TIME_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['date', 'date-time'])

/** Undefined for DEFAULT NULL, for a zero date, and after a report. */
export function readDefault(
  column: Column,
  option: DefaultOption,
  report: Report,
): ColumnDefault | undefined {
  if (option.form === 'null') return undefined
  const { kind } = COLUMN_TYPES[column.type]
  if (option.form === 'now') {
    if (TIME_KINDS.has(kind)) return { now: true }
    return report(`${option.word} is only for D, T and TS; write DEFAULT and a value`)
  }

  const { text } = option
  const isTime = TIME_KINDS.has(kind)
  if (isTime && isNoDate(text)) return undefined
  const checked = columnField(column).check(isTime ? spellOut(text) : toValue(column, text))
  if (checked.ok)
    return isTexted(kind) ? writeValue(kind, checked.value) : (checked.value as ColumnDefault)
  const hint = isTime ? '; for the time of creation, write DEFTIMESTAMP' : ''
  return report(`the default ${show(text)} ${checked.detail}${hint}`)
}

/** The text of a default as the JSON value that a client would send, or the text itself if it is invalid. */
function toValue({ type, values = [] }: Column, text: string): unknown {
  const { kind } = COLUMN_TYPES[type]
  // A value of a SET can contain a comma.
  if (values.includes(text)) return kind === 'strings' ? [text] : text
  if (isTexted(kind)) return readValue(kind, text) ?? text
  switch (kind) {
    case 'integer':
    case 'number':
      return parseScalar(kind, text) ?? text
    case 'boolean':
      return parseScalar(kind, text.toLowerCase()) ?? text
    default:
      return text
  }
}

/** Zero dates of databases that cannot store null in a date. */
function isNoDate(text: string): boolean {
  return /^(?:0{4}-0{1,2}-0{1,2}(?: 0{1,2}(?::0{1,2}){1,2})?|0{8}|0{14})?$/.test(text.trim())
}

const SQL_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/i

/** Converts an SQL date, 2020-1-2 or 1970-01-01 00:00:00 (UTC here), to RFC 3339. */
function spellOut(text: string): string {
  const found = SQL_TIME.exec(text.trim())
  if (found === null) return text
  const [year, month, day, hour, minute, second = '0'] = found.slice(1)
  const two = (part = ''): string => part.padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  return hour === undefined ? date : `${date}T${two(hour)}:${two(minute)}:${two(second)}Z`
}
