// Applies the rules of a column (MIN, MAX, LENGTH, MATCH) to its field: check and documentation.

import { COLUMN_TYPES } from '../../shared/column-types.ts'
import type { Checked, Field, JsonSchema } from '../field.ts'
import { compareScalars, parseScalar, readScalar } from '../field-value.ts'
import { compilePattern } from '../match.ts'
import { counted } from '../message-text.ts'
import { characterCount } from '../text-length.ts'
import type { JsonValue } from '../values.ts'
import type { Column } from './column.ts'

/** A rule returns what is wrong with a value of the column; undefined if nothing is. */
type Rule = (value: JsonValue) => string | undefined

/** The field with the rules of the column. A value that breaks several rules has several faults. */
export function withRules(built: Field, column: Column): Field {
  const rules = rulesOf(column)
  if (rules.length === 0) return built
  return {
    ...built,
    schema: schemaOf(built.schema, column),
    check(value): Checked<JsonValue> {
      const checked = built.check(value)
      if (!checked.ok) return checked
      const [detail, ...others] = rules.flatMap((rule) => rule(checked.value) ?? [])
      return detail === undefined ? checked : { ok: false, detail, others }
    },
  }
}

function rulesOf(column: Column): readonly Rule[] {
  const { minLength, maxLength, pattern } = column
  return [
    ...boundRules(column),
    ...(minLength === undefined
      ? []
      : [
          (value: JsonValue) =>
            lengthOf(value) < minLength
              ? `must have at least ${counted(minLength, 'character')}`
              : undefined,
        ]),
    ...(maxLength === undefined
      ? []
      : [
          (value: JsonValue) =>
            lengthOf(value) > maxLength
              ? `may have at most ${maxLength.toLocaleString('en')} characters`
              : undefined,
        ]),
    ...(pattern === undefined ? [] : [matchRule(pattern)]),
  ]
}

function boundRules({ type, minimum, maximum }: Column): readonly Rule[] {
  const { kind } = COLUMN_TYPES[type]
  const isTime = kind === 'date' || kind === 'date-time'
  const rule = (bound: string | undefined, sign: 1 | -1, words: string): readonly Rule[] => {
    const limit = bound === undefined ? undefined : parseScalar(kind, bound)
    if (limit === undefined) return []
    return [
      (value) => {
        const scalar = readScalar(kind, value)
        if (scalar === null || compareScalars(kind, scalar, limit) * sign <= 0) return undefined
        return `${words} ${bound}`
      },
    ]
  }
  return [
    ...rule(minimum, -1, isTime ? 'must not be before' : 'must be at least'),
    ...rule(maximum, 1, isTime ? 'must not be after' : 'must be at most'),
  ]
}

/** Compiled with the first value, because most modules of a server are not written to. */
function matchRule(pattern: string): Rule {
  let test: ((text: string) => boolean) | undefined
  return (value) => {
    test ??= compilePattern(pattern, false)
    return test(String(value)) ? undefined : `must match the regular expression ${pattern}`
  }
}

function lengthOf(value: JsonValue): number {
  return characterCount(String(value))
}

function schemaOf(schema: JsonSchema, column: Column): JsonSchema {
  const { minLength, maxLength, pattern } = column
  const words = [schema['description'], ...wordsOf(column)]
  return {
    ...schema,
    ...boundOf(column, 'minimum'),
    ...boundOf(column, 'maximum'),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined &&
      schema['pattern'] === undefined &&
      isPlainPattern(pattern) && { pattern }),
    description: words.join(' '),
  }
}

/** A decimal is a string in JSON, and a limit beyond 2^53 would be rounded; then only the description has the limit. */
function boundOf(column: Column, name: 'minimum' | 'maximum'): JsonSchema {
  const { kind } = COLUMN_TYPES[column.type]
  const text = column[name]
  const value = Number(text)
  const isExact = kind === 'number' || (kind === 'integer' && Number.isSafeInteger(value))
  return text !== undefined && isExact ? { [name]: value } : {}
}

function wordsOf(column: Column): readonly string[] {
  const { minimum, maximum, minLength, maxLength, pattern } = column
  return [
    ...(minimum === undefined ? [] : [`Not below ${minimum}.`]),
    ...(maximum === undefined ? [] : [`Not above ${maximum}.`]),
    ...(minLength === undefined ? [] : [`At least ${counted(minLength, 'character')}.`]),
    ...(maxLength === undefined ? [] : [`At most ${counted(maxLength, 'character')}.`]),
    ...(pattern === undefined ? [] : [`Matches the RE2 expression ${pattern}`]),
  ]
}

const PLAIN =
  /^(?:[\w @,;:%&=~"'<>!#/-]|\\[dw.+*?^$()[\]{}|/\\-]|\[(?:[\w .@+,:;#%/]|-|\\[dw.-])+\]|\(\?:|[()|*+?^$]|\{\d+(?:,\d*)?\})*$/

/** Whether the pattern means the same in RE2 and in JSON Schema (ECMA 262), for texts of ASCII. */
function isPlainPattern(pattern: string): boolean {
  if (!PLAIN.test(pattern)) return false
  try {
    return new RegExp(pattern, 'u').global === false
  } catch {
    return false
  }
}
