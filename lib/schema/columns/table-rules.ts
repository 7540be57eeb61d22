// Rules of a whole entry, which table_schema contains as separate items between its columns: CHECK(price > 0).

import { MAX_CHECKS, MAX_EXPRESSION_TEXT, MAX_EXPRESSION_NODES } from '../../shared/limits.ts'
import type { ColumnTokens } from '../../shared/schema-tokens.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionField,
} from '../expressions/compile-expression.ts'
import { TYPE_NAMES } from '../expressions/operand.ts'
import type { Fields } from '../object.ts'
import { compileComputed, type ComputedColumn, inOrder } from './computed-columns.ts'
import type { NamedColumn } from './named-columns.ts'
import { type Report, show } from './tokens.ts'

/** A rule of every entry. */
export interface Check {
  /** The expression as written, with single blanks. */
  readonly text: string
  readonly expression: CompiledExpression
}

/** The fields of an entry as expressions read them. */
export function expressionFields(fields: Fields): readonly ExpressionField[] {
  return Object.entries(fields).map(([name, { search, schema }]) => {
    const values = (schema['enum'] ?? []) as readonly unknown[]
    const longest = Math.max(...values.map((value) => String(value).length))
    const { maxLength = values.length > 0 ? longest : Number.POSITIVE_INFINITY } = schema
    return { name, kind: search, maxLength: Number(maxLength) }
  })
}

/** Throws invalid-content unless the text is an expression that is true or false. */
export function compileCheck(written: string, fields: readonly ExpressionField[]): Check {
  const expression = compileExpression(written, fields)
  const { type } = expression
  if (type !== 'boolean')
    throw new CmsError('invalid-content', `CHECK needs a condition, not ${TYPE_NAMES[type]}`)
  return { text: written.trim(), expression }
}

export interface RuleItem {
  readonly tokens: ColumnTokens
  readonly report: Report
}

interface ReadComputed {
  readonly computed: readonly ComputedColumn[]
  /**
   * Columns that a deletion may clear: references with ON DELETE SET NULL, and what is computed from them. The deletion
   * tests no rule, so no rule may need them.
   */
  readonly cleared: ReadonlySet<string>
}

/** The expressions of COMPUTED columns. Reports every fault, and columns that read each other in a circle. */
export function readComputed(
  columns: readonly NamedColumn[],
  own: Fields,
  fields: readonly ExpressionField[],
): ReadComputed {
  const found = columns.filter(({ column }) => column.computed !== undefined)
  const compiled = found.flatMap(({ column, report }) => {
    const field = own[column.name]
    const item = field && attempt(() => compileComputed(column, field, fields), report)
    return item === undefined ? [] : [item]
  })
  const sorted = inOrder(compiled)
  if (sorted === undefined)
    found[0]?.report(
      'COMPUTED columns read each other in a circle; compute one of them from others',
    )
  return { computed: compiled, cleared: findCleared(columns, sorted ?? []) }
}

/** Reports COMPUTED columns with NOTNULL that a deletion may clear. */
function findCleared(
  columns: readonly NamedColumn[],
  sorted: readonly ComputedColumn[],
): ReadonlySet<string> {
  const cleared = new Set(
    columns
      .filter(({ column }) => column.references?.onDelete === 'set null')
      .map(({ name }) => name),
  )
  for (const { column, expression } of sorted) {
    const read = expression.columns.find((name) => cleared.has(name))
    if (read === undefined) continue
    cleared.add(column.name)
    const report = columns.find((item) => item.column === column)?.report
    if (column.isRequired) report?.(clearedFault('COMPUTED with NOTNULL', read))
  }
  return cleared
}

function clearedFault(word: string, column: string): string {
  return `${word} cannot read ${show(column)}, because ON DELETE SET NULL clears a column; write ON DELETE RESTRICT`
}

/** The items that begin with CHECK, as texts. Reports every fault, and what all expressions together cost. */
export function readChecks(
  items: readonly RuleItem[],
  fields: readonly ExpressionField[],
  { computed, cleared }: ReadComputed,
  reportCost: Report,
): readonly string[] {
  const checks: Check[] = []
  for (const [index, { tokens, report }] of items.entries()) {
    const [, inside, rest] = tokens
    if (index >= MAX_CHECKS) {
      report(`a module may have at most ${MAX_CHECKS} CHECK rules; join some with AND`)
      break
    }
    if (inside?.isUnclosed === true) report('the parenthesis of CHECK is never closed; add ")"')
    else if (rest !== undefined)
      report(`${show(rest.text)} cannot follow CHECK(…); add a comma before it`)
    else {
      const check = attempt(() => compileCheck(inside?.text ?? '', fields), report)
      const read = check?.expression.columns.find((name) => cleared.has(name))
      if (read !== undefined) report(clearedFault('CHECK', read))
      if (check !== undefined) checks.push(check)
    }
  }
  const fault = costFault([...checks, ...computed].map(({ expression }) => expression))
  if (fault !== undefined) reportCost(fault)
  return checks.map(({ text }) => text)
}

function attempt<T>(compile: () => T, report: Report): T | undefined {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    return report(error.message)
  }
}

/** Describes why all expressions of a module together cost too much; undefined if they do not. */
function costFault(expressions: readonly CompiledExpression[]): string | undefined {
  const nodes = expressions.reduce((sum, item) => sum + item.nodes, 0)
  if (nodes > MAX_EXPRESSION_NODES)
    return `the expressions of a module may have ${MAX_EXPRESSION_NODES} values and operators together, not ${nodes}`
  const characters = expressions.reduce((sum, item) => sum + item.characters, 0)
  if (characters > MAX_EXPRESSION_TEXT)
    return `the expressions of a module may read ${MAX_EXPRESSION_TEXT} characters together, not ${characters}; limit texts with LENGTH`
  return undefined
}
