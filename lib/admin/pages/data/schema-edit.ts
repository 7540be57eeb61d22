// Edits one column in a schema text. Everything else stays as written, including blanks and options that the list
// does not show.

import { AUTO_WORDS, KEY_WORDS, SERIAL_TYPE, type TypeCode } from '../../../shared/column-types.ts'
import { type ColumnTokens, quoted, splitColumns } from '../../../shared/schema-tokens.ts'
import { columnKind, isNumeric } from '../../client/column-kind.ts'
import { typeOf } from './column-types.ts'
import {
  lastOf,
  readSchema,
  type SchemaColumn,
  type SchemaDefault,
  sizeFault,
  upper,
  valuesOf,
} from './schema-columns.ts'
import { ownWords, withoutClearing, withoutReference } from './schema-references.ts'
import { rulesOf, setRule } from './schema-rules.ts'
import { apply, type Edit, span, without, written } from './text-edits.ts'

/** Values of a new choice, until the user enters others. */
export const EXAMPLE_VALUES = "'A','B'"

/** Initial sizes of types that need one. */
export const FIRST_SIZES = {
  length: '255',
  digits: '12.2',
  values: EXAMPLE_VALUES,
  none: undefined,
} as const

export type Flag = 'isRequired' | 'isUnique' | 'isUnsigned' | 'isAuto'

const FLAG_WORDS: Readonly<Record<Flag, readonly string[]>> = {
  isRequired: ['NOTNULL'],
  isUnique: ['UNIQUE'],
  isUnsigned: ['UNSIGNED'],
  isAuto: AUTO_WORDS,
}

/** Changes the type, and removes options that the new type does not take. */
export function retypeColumn(text: string, column: SchemaColumn, code: TypeCode): string {
  const { parts } = column
  const [before, after] = [typeOf(column.code), typeOf(code)]
  const size = column.size !== undefined && sizeFault(code, column.size) === undefined
  const isKept = size && after.size !== 'none' && before.size === after.size
  const first = FIRST_SIZES[after.size]
  const wanted = isKept ? column.size : first
  // A default of another kind is rarely valid, and a text rarely has the form of an address or a color.
  const isFormatted = after.kind === 'text' && after.size === 'none' && !after.isLong
  const isOther = before.kind !== after.kind || isFormatted
  const gone = parts.words.filter(
    (token) =>
      (upper(token) === 'UNSIGNED' && !isNumeric(after)) ||
      (AUTO_WORDS.includes(upper(token)) && after.kind !== 'integer') ||
      (['UNIQUE', ...KEY_WORDS].includes(upper(token)) && after.isLong),
  )
  return apply(text, [
    {
      start: parts.type.start,
      end: parts.size?.end ?? parts.type.end,
      by: wanted === undefined ? code : `${code}${inParentheses(wanted)}`,
    },
    ...gone.map((token) => without(parts.piece, token)),
    ...withoutReference(parts),
    ...(isOther ? withoutDefault(parts) : []),
    ...[...parts.rules].flatMap(([rule, tokens]) =>
      rule === 'COMPUTED' ||
      (rulesOf(code).some((word) => word === rule) && isNumeric(before) === isNumeric(after))
        ? []
        : [span(parts.piece, tokens)],
    ),
  ])
}

/** Undefined removes the size. */
export function resizeColumn(text: string, { parts }: SchemaColumn, size: string | undefined) {
  const by = size === undefined ? '' : inParentheses(size)
  const { end } = parts.size ?? parts.type
  return apply(text, [{ start: parts.type.end, end, by }])
}

/** Doubles closing parentheses inside the text. */
function inParentheses(size: string): string {
  return `(${size.replaceAll(')', '))')})`
}

export function setFlag(
  text: string,
  column: SchemaColumn,
  { flag, isSet }: { readonly flag: Flag; readonly isSet: boolean },
): string {
  return apply(text, isSet ? flagOn(column, flag) : flagOff(column, flag))
}

function flagOn({ parts, default: initial }: SchemaColumn, flag: Flag): readonly Edit[] {
  const [word = ''] = FLAG_WORDS[flag]
  const isAfterType = flag === 'isRequired' || flag === 'isUnsigned'
  const { end } = isAfterType ? (parts.size ?? parts.type) : lastOf(parts.piece)
  const nulls = ownWords(parts).filter((token) => upper(token) === 'NULL')
  return [
    ...(flag === 'isRequired' || flag === 'isAuto'
      ? [...nulls.map((token) => without(parts.piece, token)), ...withoutClearing(parts)]
      : []),
    // DEFAULT NULL would contradict NOTNULL.
    ...(flag === 'isAuto' || (flag === 'isRequired' && initial === undefined)
      ? withoutDefault(parts)
      : []),
    ...(flag === 'isAuto' ? withoutRules(parts) : []),
    { start: end, end, by: ` ${word}` },
  ]
}

/** KEY means two flags; the other one is kept. */
function flagOff({ parts, isUnique }: SchemaColumn, flag: Flag): readonly Edit[] {
  const words = parts.words.filter((token) => FLAG_WORDS[flag].includes(upper(token)))
  const keys = parts.words.filter((token) => KEY_WORDS.includes(upper(token)))
  const left = flag === 'isRequired' ? 'UNIQUE' : 'NOTNULL'
  const isSaid = parts.words.some((token) => upper(token) === left)
  const isKeyMeant = flag === 'isRequired' || (flag === 'isUnique' && isUnique)
  return [
    ...words.map((token) => without(parts.piece, token)),
    ...(isKeyMeant
      ? keys.map((token) =>
          isSaid ? without(parts.piece, token) : { start: token.start, end: token.end, by: left },
        )
      : []),
    ...(flag === 'isAuto' && upper(parts.type) === SERIAL_TYPE
      ? [{ start: parts.type.start, end: parts.type.end, by: 'I8' }]
      : []),
  ]
}

/** Undefined removes the default. */
export function setDefault(
  text: string,
  column: SchemaColumn,
  value: SchemaDefault | undefined,
): string {
  const { parts } = column
  if (value === undefined) return apply(text, withoutDefault(parts))
  const isDay = columnKind(column.code) === 'date'
  const words =
    value === 'now' ? (isDay ? 'DEFDATE' : 'DEFTIMESTAMP') : `DEFAULT ${written(value.value)}`
  const rules = value === 'now' ? withoutRules(parts) : []
  const [first, ...others] = parts.default
  if (first !== undefined) {
    const { end } = others.at(-1) ?? first
    return apply(text, [{ start: first.start, end, by: words }, ...rules])
  }
  const { end } = lastOf(parts.piece)
  return apply(text, [{ start: end, end, by: ` ${words}` }, ...rules])
}

/** Sets the expression of a computed column, which has no default; an empty expression makes it a plain column. */
export function setComputed(text: string, column: SchemaColumn, expression: string): string {
  const isNew = expression !== '' && !column.parts.rules.has('COMPUTED')
  if (!isNew) return setRule(text, column, { rule: 'COMPUTED', value: expression })
  const plain = setDefault(text, column, undefined)
  const own = readSchema(plain).columns.find(({ name }) => name === column.name)
  return own === undefined ? text : setRule(plain, own, { rule: 'COMPUTED', value: expression })
}

/** Returns an unused column name: column_1. */
export function freeName(columns: readonly SchemaColumn[], base: string): string {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  for (let number = columns.length + 1; ; number += 1)
    if (!names.has(`${base}_${number}`)) return `${base}_${number}`
}

/** Appends a column in the style of the existing text. */
export function addColumn(text: string, column: string): string {
  const last = splitColumns(text).at(-1)
  if (last === undefined) return column
  const { end } = lastOf(last)
  const between = text.includes('\n') ? `,\n${indentOf(text, last)}` : ', '
  // Reuses a trailing comma.
  return `${text.slice(0, end)}${between}${column}`
}

/** The indentation of a column line. */
function indentOf(text: string, [{ start }]: ColumnTokens): string {
  return /(?:^|\n)([ \t]*)$/.exec(text.slice(0, start))?.[1] ?? ''
}

/** Removes the preceding comma too, or the following one for the first column. */
export function dropColumn(
  text: string,
  { parts: { piece } }: { readonly parts: Pick<SchemaColumn['parts'], 'piece'> },
): string {
  const pieces = splitColumns(text)
  const at = pieces.findIndex(([{ start }]) => start === piece[0].start)
  const [before, after] = [pieces[at - 1], pieces[at + 1]]
  if (before !== undefined) return text.slice(0, lastOf(before).end) + text.slice(lastOf(piece).end)
  return text.slice(0, piece[0].start) + (after === undefined ? '' : text.slice(after[0].start))
}

/** Reorders columns, and keeps the text between their positions. */
export function moveColumn(
  text: string,
  columns: readonly SchemaColumn[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const texts = columns.map(({ parts }) => textOf(text, parts.piece))
  const moved = texts.toSpliced(from, 1).toSpliced(to, 0, texts[from] ?? '')
  return apply(
    text,
    columns.map(({ parts: { piece } }, at) => ({
      start: piece[0].start,
      end: lastOf(piece).end,
      by: moved[at] ?? '',
    })),
  )
}

/** The text of one column. */
export function textOf(text: string, piece: ColumnTokens): string {
  return text.slice(piece[0].start, lastOf(piece).end)
}

/** Formats the schema with one column per line. */
export function onLines(text: string): string {
  return splitColumns(text)
    .map((piece) => textOf(text, piece))
    .join(',\n')
}

function withoutDefault({ piece, default: tokens }: SchemaColumn['parts']): readonly Edit[] {
  const [first, ...others] = tokens
  return first === undefined ? [] : [span(piece, [first, ...others])]
}

/** A column whose values the server assigns has no rules. */
function withoutRules({ piece, rules }: SchemaColumn['parts']): readonly Edit[] {
  return [...rules.values()].map((tokens) => span(piece, tokens))
}

/**
 * ENUM values as users write them: a, b, c. Values with commas or quotes are written as in the schema: 'a,
 * b','it''s'.
 */
export function shownValues(list: string): string {
  const values = valuesOf(list) ?? []
  const isPlain = values.every((value) => /^[^\s,'"](?:[^,'"]*[^\s,'"])?$/.test(value))
  return isPlain ? values.join(', ') : list
}

/** The text for the parentheses of the schema; undefined if it is empty or has duplicates. */
export function listOfValues(text: string): string | undefined {
  if (/^\s*['"]/.test(text)) return valuesOf(text) === undefined ? undefined : text.trim()
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const list = values.map(quoted).join(',')
  return valuesOf(list) === undefined ? undefined : list
}
