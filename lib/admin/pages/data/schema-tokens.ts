// Splits table_schema into tokens with positions, by the rules of ADOdb (docs/api.md, "Column types"):
// blanks separate tokens, commas end columns, and quotes or parentheses form one token, with doubled closers as
// escapes. The server parses the text in the same way and is authoritative.

export interface Token {
  /** Without the surrounding quotes or parentheses. */
  readonly text: string
  /** The opening character; '' for a bare word. */
  readonly quote: string
  /** Position of the whole token in the schema text. */
  readonly start: number
  readonly end: number
  readonly isUnclosed: boolean
}

/** The tokens of one column, at least one; the last one is not empty. */
export type Piece = readonly [Token, ...Token[]]

const CLOSERS: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '(': ')' }

const BLANKS = ' \t\r\n'
const BARE = /[A-Za-z0-9_.-]*/y

export function splitSchema(text: string): readonly Piece[] {
  const pieces: Token[][] = [[]]
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at)
    if (first === ',') pieces.push([])
    if (first === ',' || BLANKS.includes(first)) {
      at += 1
      continue
    }
    const token = readToken(text, at)
    pieces.at(-1)?.push(token)
    at = token.end
  }
  return pieces.flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  )
}

function readToken(text: string, start: number): Token {
  const closer = CLOSERS[text.charAt(start)]
  if (closer !== undefined) return readList(text, start) ?? readQuoted(text, start, closer)
  BARE.lastIndex = start
  const bare = BARE.exec(text)?.[0] ?? ''
  const found = bare || String.fromCodePoint(text.codePointAt(start) ?? 0)
  return { text: found, quote: '', start, end: start + found.length, isUnclosed: false }
}

const VALUE = String.raw`\s*(?:'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*")\s*`
const VALUES = new RegExp(`^${VALUE}(?:,${VALUE})*$`)
const LIST = new RegExp(String.raw`\((${VALUE}(?:,${VALUE})*)\)`, 'y')

/** Reads a list with a parenthesis inside a value, which is not a list by the rules of ADOdb; undefined otherwise. */
function readList(text: string, start: number): Token | undefined {
  LIST.lastIndex = start
  const [whole, inside = ''] = LIST.exec(text) ?? []
  if (whole === undefined || !inside.includes(')')) return undefined
  const token = readQuoted(text, start, ')')
  if (!token.isUnclosed && VALUES.test(token.text)) return undefined
  return { text: inside, quote: '(', start, end: start + whole.length, isUnclosed: false }
}

function readQuoted(text: string, start: number, closer: string): Token {
  const quote = text.charAt(start)
  let inside = ''
  for (let at = start + 1; ; ) {
    const end = text.indexOf(closer, at)
    if (end === -1)
      return { text: inside + text.slice(at), quote, start, end: text.length, isUnclosed: true }
    inside += text.slice(at, end)
    if (text.charAt(end + 1) !== closer)
      return { text: inside, quote, start, end: end + 1, isUnclosed: false }
    inside += closer
    at = end + 2
  }
}

/** Returns a quoted token. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function lastOf(piece: Piece): Token {
  return piece.at(-1) ?? piece[0]
}
