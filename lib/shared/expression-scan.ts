// Reads the tokens in an expression of CHECK or COMPUTED:
//
//   12  0.5  .5           numbers
//   'it''s'               text
//   price  "in"           names of columns; quotes are needed for words of the language
//   + - * / % ( ) ,       signs
//   = <> != < <= > >= ||

export interface ExpressionPart {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign'
  /** Without quotes. */
  readonly text: string
  /** Positions of the whole token, quotes included. */
  readonly start: number
  readonly end: number
}

/** Words that are no names of columns without quotes. */
export const EXPRESSION_WORDS: ReadonlySet<string> = new Set([
  'AND',
  'OR',
  'NOT',
  'IN',
  'IS',
  'BETWEEN',
  'NULL',
  'TRUE',
  'FALSE',
])

const BLANKS = /\s*/y
const TOKEN =
  /(?<number>\d+(?:\.\d*)?|\.\d+)|'(?<text>[^']*(?:''[^']*)*)'|"(?<quoted>[^"]*)"|`(?<ticked>[^`]*)`|(?<name>[A-Za-z_]\w*)|(?<sign><=|>=|<>|!=|\|\||[-+*/%(),=<>])/y

/**
 * The tokens up to the end or up to the first character that begins no token, whose position is `fault`. Linear time;
 * never throws.
 */
export function scanExpression(text: string): {
  readonly parts: readonly ExpressionPart[]
  readonly fault: number | undefined
} {
  const parts: ExpressionPart[] = []
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) return { parts, fault: at }
    const end = at + found[0].length
    parts.push({ ...partOf(found.groups ?? {}), start: at, end })
    at = skipBlanks(text, end)
  }
  return { parts, fault: undefined }
}

function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  return at + (BLANKS.exec(text)?.[0].length ?? 0)
}

function partOf(
  groups: Readonly<Record<string, string | undefined>>,
): Pick<ExpressionPart, 'kind' | 'text'> {
  const { number, text, quoted, ticked, name, sign = '' } = groups
  if (number !== undefined) return { kind: 'number', text: number }
  if (text !== undefined) return { kind: 'text', text: text.replaceAll("''", "'") }
  if (name !== undefined) return { kind: 'name', text: name }
  const column = quoted ?? ticked
  return column === undefined ? { kind: 'sign', text: sign } : { kind: 'quoted', text: column }
}
