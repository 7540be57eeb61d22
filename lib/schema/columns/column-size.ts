// Parses the size after the type of a column: C(20), N(10.2), ENUM('a','b').

import { COLUMN_TYPES, MAX_DIGITS, MAX_LENGTH, type TypeCode } from '../../shared/column-types.ts'
import { parseDigits, parseLength, parseValues, type Token } from '../../shared/schema-tokens.ts'
import { optionInside } from './column-options.ts'
import { type Report, show, showToken } from './tokens.ts'

interface Size {
  readonly size?: number
  readonly scale?: number
  readonly values?: readonly string[]
}

const WIDTH = /^\s*\d{1,9}(?:\s*[.,]\s*\d{1,9})?\s*$/

/**
 * Parses the size after the type of a column: C(20), N(10.2), ENUM('a','b'). ADOdb takes the third token as the
 * size if it is a number, however it is quoted, and drops anything else. Here parentheses after the type always
 * belong to the type. Returns an empty size if the type has no limit, and undefined after a report.
 */
export function readSize(
  type: TypeCode,
  token: Token | undefined,
  report: Report,
): Size | undefined {
  // ADOdb reads X (NOTNULL) as an option; the author may have meant a label, as in X (Large).
  const option = token && optionInside(token)
  if (token !== undefined && option !== undefined)
    return report(
      `${showToken(token)} is in the place of a size; write ${option} without parentheses`,
    )

  const rule = COLUMN_TYPES[type].size
  switch (rule) {
    case 'length':
      return readLength(type, token, report)
    case 'digits':
      return token === undefined ? {} : readDigits(token, report)
    case 'values':
      return readValues(type, token, report)
    case 'width':
      return readWidth(type, token, report)
    case 'label':
      return {}
    case 'none':
      return token === undefined ? {} : report(`${type} takes no size; remove ${showToken(token)}`)
  }
}

function readLength(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined) return report(`${type} needs a size; write ${type}(255)`)
  const size = parseLength(token.text)
  if (size !== undefined) return { size }

  const accepted = `write a whole number from 1 to ${MAX_LENGTH}, for example ${type}(255)`
  return report(`${showToken(token)} is not a valid size for ${type}; ${accepted}`)
}

function readDigits(token: Token, report: Report): Size | undefined {
  const digits = parseDigits(token.text)
  if (digits !== undefined) return digits

  const accepted = `write 1 to ${MAX_DIGITS} digits and at most as many decimals`
  return report(`${showToken(token)} is not a valid size for N; ${accepted}, for example N(10.2)`)
}

function readWidth(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined || WIDTH.test(token.text)) return {}
  return report(`${showToken(token)} is not a valid size for ${type}; write a number, or omit it`)
}

/** ENUM and SET: the values that can be chosen. */
function readValues(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined) return report(`${type} needs its values; write ${type}('a','b')`)
  const values = parseValues(token.text)
  if (values === undefined)
    return report(`${showToken(token)} is not a list of values; write ${type}('a','b')`)

  const seen = new Set(values)
  if (seen.size === values.length) return { values }
  const twice = values.find((value) => !seen.delete(value)) ?? ''
  return report(`${type} has the value ${show(twice)} twice; remove one`)
}
