// Builds the field of the entries of a module for a column: check, search and documentation of its values.

import { COLUMN_TYPES, MAX_DIGITS, MAX_LENGTH, type TypeCode } from '../../shared/column-types.ts'
import {
  accept,
  type Access,
  boolean,
  choice,
  date,
  dateTime,
  type Field,
  field,
  refuse,
  string,
  text,
} from '../field.ts'
import { counted, listed } from '../message-text.ts'
import type { JsonValue } from '../values.ts'
import { type Column, defaultValue, isNow } from './column.ts'
import { FORMS, isFormatted, uuidText } from './formatted-text.ts'
import { geoPoint } from './geo-point.ts'
import { anyJson } from './json-field.ts'
import { decimal, finiteNumber, wholeNumber } from './number-field.ts'
import { referenceField } from './reference-field.ts'
import { withRules } from './rule-field.ts'

interface Range {
  readonly minimum: bigint
  readonly maximum: bigint
}

const BITS: Readonly<Partial<Record<TypeCode, bigint>>> = { I1: 8n, I2: 16n, I8: 64n }
const OTHER_BITS = 32n

/**
 * A column is required if it is NOTNULL without a default and without its own number (AUTO): the client must
 * send a value. With a default or AUTO, null means that value. In a column that may have no value, null is a
 * value.
 */
export function columnField(column: Column): Field {
  const { default: initial } = column
  const isGiven = column.isRequired && initial === undefined && column.isAuto === undefined
  const own = withKeyWords(
    withRules(buildField(column, isGiven ? 'required' : 'optional'), column),
    column,
  )
  const built = { ...own, keepsNull: !column.isRequired && column.references?.isMany !== true }
  if (column.computed !== undefined) return computedField(built, column.computed)
  if (initial === undefined) return built
  return isNow(initial) ? withNow(built) : withDefault(built, defaultValue(column, initial))
}

function computedField(built: Field, expression: string): Field {
  const description = `${String(built.schema['description'])} Computed: ${expression}`
  return {
    ...built,
    access: 'assigned',
    schema: { ...built.schema, description, readOnly: true },
  }
}

/** The field of a COMPUTED column for readers who may not see all columns of its expression. */
export function withoutExpression(own: Field, { computed: _, ...column }: Column): Field {
  const { schema } = columnField(column)
  const description = `${String(schema['description'])} Computed.`
  return { ...own, schema: { ...own.schema, description } }
}

/** The lowest and the highest value of an integer column. */
export function integerRange({ type, isUnsigned }: Column): Range {
  const bits = BITS[type] ?? OTHER_BITS
  return isUnsigned
    ? { minimum: 0n, maximum: 2n ** bits - 1n }
    : { minimum: -(2n ** (bits - 1n)), maximum: 2n ** (bits - 1n) - 1n }
}

function buildField(column: Column, access: Access): Field {
  if (column.references !== undefined)
    return referenceField(access, column.references, integerRange(column).maximum)
  if (isFormatted(column.type)) return string(access, FORMS[column.type])
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
      return integerField(column, access)
    case 'F':
      return finiteNumber(access, {
        description: 'A number, rounded to the nearest IEEE double.',
        isUnsigned: column.isUnsigned,
      })
    case 'N':
      return decimalField(column, access)
    case 'L':
      return boolean(access, { description: TRUTH })
    case 'D':
      return date(access, { description: DAY })
    case 'T':
    case 'TS':
      return dateTime(access, {
        description:
          'A time, returned in UTC with milliseconds. Further decimals of a second are cut off; with Prefer: handling=strict they are rejected.',
      })
    case 'ENUM':
      return choice(access, column.values ?? [], { description: 'One of the values listed.' })
    case 'SET':
      return chosen(access, column)
    case 'JSON':
      return anyJson(access)
    case 'POINT':
      return geoPoint(access)
    case 'MD':
      return text(access, { description: MARKDOWN })
    case 'HTML':
      return text(access, { description: HTML })
    case 'UUID':
      return uuidText(access)
  }
}

const TRUTH = 'True or false; 1 and 0 are also accepted, even as strings.'
const DAY = 'A day, YYYY-MM-DD. A date-time keeps its day as written, regardless of its offset.'
const MARKDOWN = 'Markdown of any length, stored as given; not indexed.'
const HTML =
  'HTML of any length, stored as given and not cleaned: clean it before it is shown. Not indexed.'

function characters({ size = MAX_LENGTH, ...column }: Column, access: Access): Field {
  const maxLength = column.maxLength ?? size
  const description = `Text of at most ${counted(maxLength, 'character')}.`
  return string(access, { description, maxLength })
}

function integerField(column: Column, access: Access): Field {
  const range = integerRange(column)
  const words = `A whole number from ${range.minimum} to ${range.maximum}`
  const description =
    column.type === 'I8' ? `${words}; beyond 2^53 as a string of digits.` : `${words}.`
  return wholeNumber(access, { ...range, description })
}

function decimalField({ size, scale, isUnsigned }: Column, access: Access): Field {
  const limits =
    size === undefined
      ? ''
      : ` of at most ${counted(size, 'digit')}, ${scale ?? 0} of them decimals`
  const description = `A decimal number${limits}: a string, which keeps its decimals. A JSON number is also accepted.`
  return decimal(access, { description, digits: size ?? MAX_DIGITS, scale, isUnsigned })
}

const UNIQUE = 'Unique among all entries.'

const EXACT =
  ' Texts are compared exactly: abc differs from ABC, and a letter with its accent in one character (NFC) differs from ' +
  'the same letter in two (NFD).'

function withKeyWords(built: Field, { type, isUnique, isAuto }: Column): Field {
  const isText = COLUMN_TYPES[type].kind === 'string'
  const words = [
    built.schema['description'],
    ...(isAuto === undefined ? [] : ['Default: the next number.']),
    ...(isUnique === undefined ? [] : [isText ? UNIQUE + EXACT : UNIQUE]),
  ]
  return { ...built, schema: { ...built.schema, description: words.join(' ') } }
}

function withDefault(built: Field, initial: JsonValue): Field {
  return { ...built, schema: { ...built.schema, default: initial }, initial }
}

function withNow(built: Field): Field {
  return {
    ...built,
    get initial() {
      const now = built.check(new Date().toISOString())
      return now.ok ? now.value : null
    },
  }
}

/** SET: texts of a list in the order of the client. Refuses texts that are not in the list, and repeated texts. */
function chosen<A extends Access>(
  access: A,
  { values = [], isRequired }: Pick<Column, 'values' | 'isRequired'>,
): Field<readonly string[], A> {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: values },
    ...(isRequired && { minItems: 1 }),
    maxItems: values.length,
    uniqueItems: true,
  }
  const known = new Set(values)
  const rule = `must be a list of ${listed(values)}`
  const options = {
    description: 'Any of the values listed, each at most once.',
    example: values.slice(0, 1),
  }
  return field<readonly string[], A, typeof options>(access, schema, 'strings', options, (sent) => {
    const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    const texts = list.filter((item) => typeof item === 'string' && known.has(item)) as string[]
    if (!Array.isArray(sent) || texts.length < list.length) return refuse(rule)
    // An empty list has no value, as in a search.
    if (isRequired && texts.length === 0) return refuse('must have at least one value')
    return new Set(texts).size === texts.length
      ? accept(texts)
      : refuse('must not have a value twice')
  })
}
