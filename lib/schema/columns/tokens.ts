// Splits table_schema into the tokens of each column, by the rules of ADOdb:
//
//   blank, tab, CR, LF     separate tokens
//   ,                      ends a column; a column without tokens does not count
//   A-Z a-z 0-9 _ . -      form a bare token
//   '…' "…" `…` (…)        one token: everything inside, including commas and blanks; a doubled closer stands
//                          for one, and a nested parenthesis has no special meaning
//   any other character    is a token of its own
//
// Three rules differ. ADOdb silently extends an unclosed quote to the end of the text; here the token is
// marked. ADOdb forgets how a token was quoted; here the quote is kept for messages. ADOdb ends a list of
// values at a parenthesis inside a value; here the list is read as intended: ENUM('x(1)','y').

/** Receives a fault and its correction; parsing continues. */
export type Report = (detail: string) => undefined

export interface Token {
  /** Text without quotes. */
  readonly text: string
  /** Opening quote; empty for a bare token. */
  readonly quote: string
  readonly isUnclosed: boolean
}

interface Read {
  readonly token: Token
  readonly end: number
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['(', ')'],
])

const BLANKS = ' \t\r\n'
const BARE = /^[A-Za-z0-9_.-]$/
const MAX_SHOWN_CHARS = 40

/**
 * Invisible characters: blanks except the plain blank, byte order and direction marks, zero-width and
 * unassigned characters.
 */
const UNSEEN = /(?! )[\p{Z}\p{C}]|\u034f|\u115f|\u1160|\u3164|[\ufe00-\ufe0f]/gu

/** Linear time; never throws. */
export function splitColumns(text: string): readonly (readonly Token[])[] {
  const columns: Token[][] = [[]]
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at)
    if (first === ',') columns.push([])
    if (first === ',' || BLANKS.includes(first)) {
      at += 1
      continue
    }
    const { token, end } = readToken(text, at)
    columns.at(-1)?.push(token)
    at = end
  }
  return columns.filter((tokens) => tokens.length > 0)
}

export function isBare({ quote, text }: Token): boolean {
  return quote === '' && BARE.test(text.charAt(0))
}

/** Shortens a token for a message, which must not grow with the text. */
export function showToken({ text, quote }: Token): string {
  return show(quote === '(' ? `(${text})` : text)
}

/** Escapes invisible characters: a no-break space is shown as \u00a0. */
export function show(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARS
  const shown = JSON.stringify(isLong ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
  return shown.replace(UNSEEN, escapeUnits)
}

/** Explanation for a message about an invisible character; otherwise empty. */
export function unseenHint(text: string): string {
  if (text.search(UNSEEN) === -1) return ''
  return ', an invisible character; replace it with a plain blank, or remove it'
}

export function closerOf(quote: string): string {
  return CLOSERS.get(quote) ?? quote
}

function readToken(text: string, start: number): Read {
  const closer = CLOSERS.get(text.charAt(start))
  if (closer !== undefined) return readList(text, start) ?? readQuoted(text, start, closer)

  let end = start
  while (BARE.test(text.charAt(end))) end += 1
  if (end === start) end += String.fromCodePoint(text.codePointAt(start) ?? 0).length
  return { token: { text: text.slice(start, end), quote: '', isUnclosed: false }, end }
}

const VALUE = String.raw`\s*(?:'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*")\s*`
const VALUES = new RegExp(`^${VALUE}(?:,${VALUE})*$`)
const LIST = new RegExp(String.raw`\((${VALUE}(?:,${VALUE})*)\)`, 'y')

/** A list with a parenthesis inside a value, which ADOdb would not read as a list; otherwise undefined. */
function readList(text: string, start: number): Read | undefined {
  LIST.lastIndex = start
  const [whole, inside = ''] = LIST.exec(text) ?? []
  if (whole === undefined || !inside.includes(')')) return undefined
  const { token } = readQuoted(text, start, ')')
  if (!token.isUnclosed && VALUES.test(token.text)) return undefined
  return { token: { text: inside, quote: '(', isUnclosed: false }, end: start + whole.length }
}

function readQuoted(text: string, start: number, closer: string): Read {
  const quote = text.charAt(start)
  let inside = ''
  let at = start + 1
  for (;;) {
    const end = text.indexOf(closer, at)
    if (end === -1) {
      const token = { text: inside + text.slice(at), quote, isUnclosed: true }
      return { token, end: text.length }
    }
    inside += text.slice(at, end)
    if (text.charAt(end + 1) !== closer) {
      return { token: { text: inside, quote, isUnclosed: false }, end: end + 1 }
    }
    inside += closer
    at = end + 2
  }
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
