// A column as a field of the entries of its module: how a value is checked, searched and documented.

import { type Access, boolean, choice, date, dateTime, type Field, string, text } from '../field.ts'
import { decimal, finiteNumber, wholeNumber } from '../number-field.ts'
import { type Column, type ColumnDefault, isNow, type TypeCode } from './column.ts'
import { MAX_DIGITS, MAX_LENGTH } from './column-size.ts'

interface Range {
  readonly minimum: bigint
  readonly maximum: bigint
}

const BITS: Readonly<Partial<Record<TypeCode, bigint>>> = { I1: 8n, I2: 16n, I8: 64n }
const OTHER_BITS = 32n

/**
 * Required means NOTNULL without a default or a number of its own (AUTO): the client must give it. With
 * one of them, null stands for that; in a column that may have no value, null is one.
 */
export function columnField(column: Column): Field {
  const { default: initial } = column
  const isGiven = column.isRequired && initial === undefined && column.isAuto === undefined
  const own = withKeyWords(buildField(column, isGiven ? 'required' : 'optional'), column)
  const built = { ...own, keepsNull: !column.isRequired }
  return initial === undefined ? built : withDefault(built, initial)
}

/** The lowest and the highest value of an integer column. */
export function integerRange({ type, isUnsigned }: Column): Range {
  const bits = BITS[type] ?? OTHER_BITS
  return isUnsigned
    ? { minimum: 0n, maximum: 2n ** bits - 1n }
    : { minimum: -(2n ** (bits - 1n)), maximum: 2n ** (bits - 1n) - 1n }
}

function buildField(column: Column, access: Access): Field {
  switch (column.type) {
    case 'C':
    case 'C2':
      return characters(column, access)
    case 'X':
    case 'X2':
    case 'XL':
    case 'B':
      return text(access, { description: 'Text of any length; not indexed.' })
    case 'I':
    case 'I1':
    case 'I2':
    case 'I4':
    case 'I8':
    case 'R':
      return whole(column, access)
    case 'F':
      return finiteNumber(access, {
        description: 'A number: the nearest IEEE double.',
        isUnsigned: column.isUnsigned,
      })
    case 'N':
      return digits(column, access)
    case 'L':
      return boolean(access, {
        description: 'True or false; 1 and 0 are accepted, also as strings.',
      })
    case 'D':
      return date(access, {
        description:
          'A day, YYYY-MM-DD. A date-time keeps its day as written, whatever its offset.',
      })
    case 'T':
    case 'TS':
      return dateTime(access, {
        description:
          'A time, answered in UTC with milliseconds. Further decimals of a second are cut off; with Prefer: handling=strict they are refused.',
      })
    case 'ENUM':
      return choice(access, column.values ?? [], { description: 'One of the values listed.' })
  }
}

function characters({ size: maxLength = MAX_LENGTH }: Column, access: Access): Field {
  const description = `Text of at most ${maxLength} characters.`
  return string(access, { description, maxLength })
}

function whole(column: Column, access: Access): Field {
  const range = integerRange(column)
  const words = `A whole number from ${range.minimum} to ${range.maximum}`
  const description =
    column.type === 'I8' ? `${words}; beyond 2^53 a string of digits.` : `${words}.`
  return wholeNumber(access, { ...range, description })
}

function digits({ size, scale, isUnsigned }: Column, access: Access): Field {
  const limits =
    size === undefined ? '' : ` of at most ${size} digits, ${scale ?? 0} of them decimals`
  const description = `A decimal number${limits}: a string, which keeps its decimals. A JSON number is taken, too.`
  return decimal(access, { description, digits: size ?? MAX_DIGITS, scale, isUnsigned })
}

const UNIQUE =
  'Unique: no other entry has the same. Texts are compared exactly: abc is not ABC, and a letter with its ' +
  'accent in one character (NFC) not the same in two (NFD).'

function withKeyWords(built: Field, { isUnique, isAuto }: Column): Field {
  const words = [
    built.schema['description'],
    ...(isAuto === undefined ? [] : ['Where a create gives none: the next number.']),
    ...(isUnique === undefined ? [] : [UNIQUE]),
  ]
  return { ...built, schema: { ...built.schema, description: words.join(' ') } }
}

function withDefault(built: Field, initial: ColumnDefault): Field {
  if (!isNow(initial)) return { ...built, schema: { ...built.schema, default: initial }, initial }
  return {
    ...built,
    get initial() {
      const now = built.check(new Date().toISOString())
      return now.ok ? now.value : null
    },
  }
}
