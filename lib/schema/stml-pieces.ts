// Pieces of the template language in a page: [shortcode attr="v"], {{field}}, <% … %>. A complete piece is
// atomic wherever it stands, even in a quoted value: quotes, `<` and `>` inside it belong to the piece.
//
//   shortcode := "[" "/"? (letter | "_") …  "]"    outside its quotes no "[" and no "<" but that of <? ?> and <% %>;
//                a quote begins a value behind "=" or a blank, and ends it before a blank, "]", "/" or ","
//   field     := "{{" … "}}"                       three braces too; no "{" and no line break inside
//   template  := "<%" … "%>"
//
// Text that looks like the beginning of a piece but is not one is plain text, and the search continues right
// after its first character. The search still takes linear time: at any position, an active attempt is outside
// quotes, in single quotes or in double quotes. No two attempts are in the same state, because a quote swaps
// two of these states, and an attempt outside quotes ends where another one begins. At most three attempts
// therefore read each character.

/** Positions of the last end marker of each kind; no search is necessary beyond them. */
export interface Endings {
  readonly instruction: number
  readonly template: number
  readonly field: number
}

/** Result if there is no piece. */
export const NO_PIECE = -1

const LINE_FEED = 10
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const COMMA = 44
const SLASH = 47
const LESS = 60
const EQUALS = 61
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const UNDERSCORE = 95
const OPEN_BRACE = 123

export function findEndings(text: string): Endings {
  return {
    instruction: text.lastIndexOf('?>'),
    template: text.lastIndexOf('%>'),
    field: text.lastIndexOf('}}'),
  }
}

/** The end of the piece that begins at this position, or NO_PIECE. */
export function endOfPiece(text: string, at: number, endings: Endings): number {
  const code = text.charCodeAt(at)
  if (code === OPEN_BRACKET) return endOfShortcode(text, at, endings)
  if (code === OPEN_BRACE) return endOfField(text, at, endings)
  return code === LESS && text[at + 1] === '%'
    ? endOf(text, '%>', at + 2, endings.template)
    : NO_PIECE
}

function endOfShortcode(text: string, start: number, endings: Endings): number {
  let at = start + (text.charCodeAt(start + 1) === SLASH ? 2 : 1)
  const first = text.charCodeAt(at)
  if (!isLetter(first) && first !== UNDERSCORE) return NO_PIECE

  let mayQuote = false
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === CLOSE_BRACKET) return at + 1
    if (code === OPEN_BRACKET) return NO_PIECE
    const isQuote = code === DOUBLE_QUOTE || code === SINGLE_QUOTE
    if (isQuote && !mayQuote) return NO_PIECE

    const end = isQuote
      ? endOfValue(text, at, endings)
      : code === LESS
        ? endOfInside(text, at, endings)
        : at + 1
    if (end === NO_PIECE) return NO_PIECE
    mayQuote = code === EQUALS || isBlank(code)
    at = end
  }
  return NO_PIECE
}

/** The position after the quote that ends a value, if a valid character follows. */
function endOfValue(text: string, start: number, endings: Endings): number {
  const quote = text.charCodeAt(start)
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return endsValue(text.charCodeAt(at + 1)) ? at + 1 : NO_PIECE
    const end = code === LESS ? endOfInside(text, at, endings) : NO_PIECE
    // An unclosed instruction is a fault of the page; a `<%` may be plain text.
    if (end === NO_PIECE && code === LESS && text[at + 1] === '?') return NO_PIECE
    at = end === NO_PIECE ? at + 1 : end
  }
  return NO_PIECE
}

function endsValue(code: number): boolean {
  return code === CLOSE_BRACKET || code === SLASH || code === COMMA || isBlank(code)
}

/** The end of an instruction or a template inside a shortcode. */
function endOfInside(text: string, at: number, { instruction, template }: Endings): number {
  if (text[at + 1] === '?') return endOf(text, '?>', at + 2, instruction)
  return text[at + 1] === '%' ? endOf(text, '%>', at + 2, template) : NO_PIECE
}

function endOf(text: string, ending: string, from: number, last: number): number {
  return from > last ? NO_PIECE : text.indexOf(ending, from) + ending.length
}

function endOfField(text: string, start: number, { field }: Endings): number {
  if (text.charCodeAt(start + 1) !== OPEN_BRACE || start > field) return NO_PIECE
  const isTriple = text.charCodeAt(start + 2) === OPEN_BRACE
  for (let at = start + (isTriple ? 3 : 2); at < text.length; at += 1) {
    if (text.startsWith('}}', at)) return at + (isTriple && text[at + 2] === '}' ? 3 : 2)
    const code = text.charCodeAt(at)
    if (code === OPEN_BRACE || code === LINE_FEED) return NO_PIECE
  }
  return NO_PIECE
}

const TAB = 9
const FORM_FEED = 12
const CARRIAGE_RETURN = 13
const SPACE = 32

/** Classes of single characters in markup, by character code. */
export function isBlank(code: number): boolean {
  return (
    code === SPACE ||
    code === LINE_FEED ||
    code === CARRIAGE_RETURN ||
    code === TAB ||
    code === FORM_FEED
  )
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
