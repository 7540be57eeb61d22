// Pieces of the template language in a page: [shortcode attr="v"], {{field}}, <% … %>. A piece that is whole is one
// thing wherever it stands, in a quoted value too: its own quotes, and a `<` or `>` between them, belong to it.
//
//   shortcode := "[" "/"? (letter | "_") …  "]"    outside its quotes no "[" and no "<" but that of <? ?> and <% %>;
//                a quote begins a value behind "=" or a blank, and ends it before a blank, "]", "/" or ","
//   field     := "{{" … "}}"                       three braces too; no "{" and no line break inside
//   template  := "<%" … "%>"
//
// What looks like the beginning of one and is none is text, so the search goes on right behind its first sign. That
// takes linear time all the same: an attempt that is not over at some place is there outside quotes, in single or in
// double ones. No two of them are so in the same way, because a quote changes two of these states for each other, and
// an attempt outside quotes ends where another one begins. So no sign is read by more than three attempts.

import { isBlank, isLetter } from './characters.ts'

/** Where the last ending of each kind stands: behind it nobody need look for one. */
export interface Endings {
  readonly instruction: number
  readonly template: number
  readonly field: number
}

/** Where there is no piece. */
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

/** Where the piece that begins at a place ends, or NO_PIECE. */
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

/** Behind the quote that ends a value, where that stands before what may follow one. */
function endOfValue(text: string, start: number, endings: Endings): number {
  const quote = text.charCodeAt(start)
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return endsValue(text.charCodeAt(at + 1)) ? at + 1 : NO_PIECE
    const end = code === LESS ? endOfInside(text, at, endings) : NO_PIECE
    // An instruction that is never closed is a fault of the page; a `<%` may be text.
    if (end === NO_PIECE && code === LESS && text[at + 1] === '?') return NO_PIECE
    at = end === NO_PIECE ? at + 1 : end
  }
  return NO_PIECE
}

function endsValue(code: number): boolean {
  return code === CLOSE_BRACKET || code === SLASH || code === COMMA || isBlank(code)
}

/** Of an instruction or a template inside a shortcode. */
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
