// Suggestions for unknown column types.

import { closest } from '../message-text.ts'
import {
  COLUMN_TYPES,
  findType,
  TYPE_ALIASES,
  type TypeCode,
  TYPES_INSTEAD,
} from '../../shared/column-types.ts'
import { type Token } from '../../shared/schema-tokens.ts'
import { show, showToken, unseenHint, type Report } from './tokens.ts'

const TYPE_NAMES: readonly string[] = [...Object.keys(COLUMN_TYPES), ...Object.keys(TYPE_ALIASES)]

export function refuseType(token: Token, report: Report): undefined {
  const shown = showToken(token)
  const unseen = unseenHint(token.text)
  if (unseen !== '') return report(`${show(token.text)} is not a type${unseen}`)
  const instead = TYPES_INSTEAD.get(token.text.toUpperCase())
  if (instead !== undefined) return report(`${shown} is not a type here; ${instead}`)

  const meant = withSize(token.text) ?? closest(token.text, TYPE_NAMES)
  const known = `known types: ${Object.keys(COLUMN_TYPES).join(', ')}`
  return report(`${shown} is not a type; ${meant === undefined ? known : `did you mean ${meant}?`}`)
}

/** A type with an appended number: VARCHAR20, INT64. */
function withSize(text: string): string | undefined {
  const [, name = '', digits = ''] = /^([A-Za-z]+?)(\d{1,9})$/.exec(text) ?? []
  const type = findType(name)
  if (type === undefined) return undefined
  const { kind, size } = COLUMN_TYPES[type]
  const integer = kind === 'integer' ? integerOf(Number(digits)) : undefined
  if (integer !== undefined) return integer
  if (size === 'none' || size === 'label') return name.toUpperCase()
  return size === 'values' ? undefined : `${name.toUpperCase()}(${digits})`
}

/**
 * Small numbers are bytes, and numbers in the table are bits; a larger number as in INT11 is a display width.
 */
function integerOf(number: number): TypeCode | undefined {
  if (number <= 8) return (['I1', 'I2', 'I4', 'I4'] as const)[Math.max(1, number) - 1] ?? 'I8'
  return BITS.get(number)
}

const BITS: ReadonlyMap<number, TypeCode> = new Map([
  [16, 'I2'],
  [24, 'I4'],
  [32, 'I4'],
  [64, 'I8'],
])
