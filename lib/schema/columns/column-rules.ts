// Parses the rules of a column: MIN 0, MAX 10, LENGTH 3..80, MATCH '^[a-z]+$'.

import { MAX_MATCH_CHARACTERS, MAX_MATCH_CLASSES, MAX_MATCH_STEPS } from '../../shared/limits.ts'
import { COLUMN_TYPES, type RuleWord, type ValueKind } from '../../shared/column-types.ts'
import type { Token } from '../../shared/schema-tokens.ts'
import { compareScalars, parseScalar } from '../field-value.ts'
import { compilePattern } from '../match.ts'
import { patternCost } from '../pattern-cost.ts'
import { columnField } from './column-field.ts'
import type { ColumnOptions } from './column-options.ts'
import type { Column } from './column.ts'
import { longestText } from './rule-step.ts'
import { type Report, show, showToken } from './tokens.ts'

type Rules = Pick<
  Column,
  'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'pattern' | 'computed'
>

const ORDERED: ReadonlySet<ValueKind> = new Set<ValueKind>([
  'integer',
  'number',
  'decimal',
  'date',
  'date-time',
])

/** The members of a column that its rules set. Reports each rule that does not fit the column. */
export function readRules(column: Column, options: ColumnOptions, report: Report): Rules {
  const { rules } = options
  if (rules.size === 0) return {}
  const expression = rules.get('COMPUTED')
  if (expression !== undefined && column.references !== undefined)
    report('COMPUTED and REFERENCES cannot be combined; remove one of them')
  const computed = expression && readComputed(expression, options, report)
  return { ...readLimits(column, options, report), ...(computed !== undefined && { computed }) }
}

/** The expression is compiled when all columns are known. */
function readComputed(token: Token, options: ColumnOptions, report: Report): string | undefined {
  const { quote, text } = token
  if (quote === '' || quote === '(')
    return report(`${showToken(token)} must be in quotes; write COMPUTED 'price * amount'`)
  const { autoWord, keyWord, isUnique, default: initial } = options
  const other = autoWord ?? keyWord ?? (isUnique ? 'UNIQUE' : undefined) ?? (initial && 'DEFAULT')
  if (other === undefined) return text.trim()
  return report(`COMPUTED and ${other} cannot be combined; remove one of them`)
}

function readLimits(column: Column, options: ColumnOptions, report: Report): Rules {
  const rules = new Map([...options.rules].filter(([rule]) => rule !== 'COMPUTED'))
  if (rules.size === 0) return {}
  const { kind } = COLUMN_TYPES[column.type]
  const isText = kind === 'string' && column.values === undefined
  const isBound = (rule: RuleWord): boolean => rule === 'MIN' || rule === 'MAX'
  const misplaced = [...rules.keys()].filter((rule) =>
    isBound(rule) ? !ORDERED.has(kind) : !isText,
  )
  for (const rule of misplaced) {
    const kinds = isBound(rule) ? 'numbers and dates' : 'texts'
    const instead = isBound(rule) && isText ? '; LENGTH limits its characters' : ''
    report(
      `${rule} is only for ${kinds}, and ${column.type} is not one of them${instead}; remove it`,
    )
  }
  if (misplaced.length > 0) return {}
  return isText
    ? readTextRules(column, { ...options, rules }, report)
    : readBounds(column, { ...options, rules }, report)
}

/** MIN and MAX. The server does not check values that it assigns itself. */
function readBounds(column: Column, options: ColumnOptions, report: Report): Rules {
  const { rules, autoWord, default: initial } = options
  const assigned = autoWord ?? (initial?.form === 'now' ? initial.word : undefined)
  if (assigned !== undefined) {
    const words = [...rules.keys()].join(' and ')
    report(`${assigned} assigns values that may break ${words}; remove one of them`)
  }
  const minimum = readBound(column, 'MIN', rules.get('MIN'), report)
  const maximum = readBound(column, 'MAX', rules.get('MAX'), report)
  const { kind } = COLUMN_TYPES[column.type]
  if (minimum !== undefined && maximum !== undefined) {
    const [low, high] = [parseScalar(kind, minimum), parseScalar(kind, maximum)]
    if (low !== undefined && high !== undefined && compareScalars(kind, low, high) > 0)
      report(`MIN ${show(minimum)} is above MAX ${show(maximum)}; exchange them`)
  }
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }
}

function readBound(
  column: Column,
  word: 'MIN' | 'MAX',
  token: Token | undefined,
  report: Report,
): string | undefined {
  if (token === undefined) return undefined
  if (token.quote === '(')
    return report(`${word} ${showToken(token)}: write the value without parentheses, ${word} 0`)
  const checked = columnField(column).check(token.text)
  if (checked.ok) return String(checked.value)
  return report(`the value ${show(token.text)} of ${word} ${checked.detail}`)
}

const RANGE = /^(\d{1,9})?(\.\.)?(\d{1,9})?$/

function readTextRules(column: Column, { rules }: ColumnOptions, report: Report): Rules {
  const length = rules.get('LENGTH')
  const range = length === undefined ? undefined : readLengths(column, length, report)
  const token = rules.get('MATCH')
  const pattern = token === undefined ? undefined : readPattern(token, report)
  if (pattern === undefined) return range ?? {}
  const read = { ...column, ...range, pattern }
  const { instructions } = patternCost(pattern, false)
  if (longestText(read) * instructions <= MAX_MATCH_STEPS) return { ...range, pattern }

  const fitting = Math.floor(MAX_MATCH_STEPS / instructions)
  report(
    `MATCH with this pattern checks texts of at most ${fitting} characters; add LENGTH 0..${fitting}, or write a shorter pattern`,
  )
  return range ?? {}
}

function readLengths(column: Column, token: Token, report: Report): Rules | undefined {
  const [whole, least, dots, most] = RANGE.exec(token.text) ?? []
  if (whole === undefined || whole === '' || whole === '..' || token.quote === '(') {
    return report(
      `${showToken(token)} is not a range of characters; write LENGTH 3..80, LENGTH 3.., LENGTH ..80 or LENGTH 5`,
    )
  }
  const minLength = Number(least ?? 0)
  const maxLength = dots === undefined ? minLength : most === undefined ? undefined : Number(most)
  const limit = column.size
  if (maxLength !== undefined && minLength > maxLength)
    report(`LENGTH ${whole} ends before it begins; write the smaller number first`)
  if (limit !== undefined && Math.max(minLength, maxLength ?? 0) > limit)
    report(`LENGTH ${whole} is more than ${column.type}(${limit}) holds; make one of them fit`)
  return {
    ...(minLength > 0 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  }
}

function readPattern(token: Token, report: Report): string | undefined {
  const { quote, text } = token
  if (quote === '' || quote === '(')
    return report(`${showToken(token)} must be in quotes; write MATCH '${text}'`)
  if (text.length > MAX_MATCH_CHARACTERS)
    return report(`the pattern of MATCH may have at most ${MAX_MATCH_CHARACTERS} characters`)
  const { instructions, classes } = patternCost(text, false)
  if (instructions > MAX_MATCH_STEPS || classes > MAX_MATCH_CLASSES)
    return report('the pattern of MATCH is too large; use fewer repetitions and character classes')
  return text
}

/** Reports patterns that are not RE2. Call it if matchFault finds none, because compiling is the expensive part. */
export function checkPattern({ pattern }: Column, report: Report): void {
  if (pattern === undefined) return
  try {
    compilePattern(pattern, false)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be parsed'
    report(`the pattern of MATCH is not a regular expression in RE2 syntax: ${reason}`)
  }
}

/** Reports if all patterns of a module together take too long. */
export function matchFault(columns: readonly Column[]): string | undefined {
  let [steps, classes] = [0, 0]
  for (const column of columns) {
    if (column.pattern === undefined) continue
    const cost = patternCost(column.pattern, false)
    steps += cost.instructions * longestText(column)
    classes += cost.classes
  }
  if (steps > MAX_MATCH_STEPS)
    return `the patterns of all MATCH columns take up to ${steps} steps, but only ${MAX_MATCH_STEPS} are allowed; shorten patterns or texts (LENGTH)`
  return classes > MAX_MATCH_CLASSES
    ? 'the patterns of all MATCH columns have too many character classes; use fewer'
    : undefined
}
