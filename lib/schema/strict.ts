// Detects loss of precision in an accepted body: a time with more than milliseconds, a day with a time of day,
// a double with more digits than it can hold. A client that sends `Prefer: handling=strict` (RFC 7240, section
// 4.4) gets an error instead.

import type { Fault } from '../base/errors.ts'
import { textOfNumber } from '../base/exact-number.ts'
import { pointer } from './check.ts'
import { parseDate, parseDay, writtenTime } from './date.ts'
import { parseScalar } from './field-value.ts'
import type { ObjectType } from './object.ts'

const DAY_MS = 86_400_000

/** Faults of accepted members; other members are not checked here. */
export function lossFaults({ fields }: ObjectType, body: unknown): readonly Fault[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const detail = field?.check(value).ok === true ? lossOf(field.search, value) : undefined
    return detail === undefined ? [] : [{ pointer: pointer(name), detail }]
  })
}

function lossOf(kind: string | undefined, value: unknown): string | undefined {
  const text = textOfNumber(value) ?? value
  switch (kind) {
    case 'date-time':
      return timeLoss(text)
    case 'date':
      return dayLoss(text)
    case 'number':
      return numberLoss(text)
    default:
      return undefined
  }
}

/** Decimals of a second after the third that are not zero. */
const MORE_THAN_MS = /\.\d{3}\d*[1-9]/

function timeLoss(value: unknown): string | undefined {
  return MORE_THAN_MS.test(String(value))
    ? `is more precise than milliseconds: ${parseDate(asNumber(value)) ?? 'less'} would be stored; send at most three decimals of a second`
    : undefined
}

/** Loss of a value that is stored as a day. */
export function dayLoss(value: unknown): string | undefined {
  const written = writtenTime(asNumber(value))
  // A day needs no offset, so a value without an offset is not parsed as a time.
  const hasTime =
    written === undefined ? /[1-9]/.test(String(value).slice(10)) : !isMidnight(written)
  return hasTime
    ? `has a time of day: only the day ${parseDay(asNumber(value)) ?? ''} would be stored; send it as YYYY-MM-DD`
    : undefined
}

function isMidnight(written: string): boolean {
  return Date.parse(written) % DAY_MS === 0
}

function numberLoss(value: unknown): string | undefined {
  const kept = String(Number(value))
  if (parseScalar('decimal', String(value)) === parseScalar('decimal', kept)) return undefined
  return `is more precise than a double: ${kept} would be stored; send that number, or use a column of type N, which keeps every digit`
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : value
}
