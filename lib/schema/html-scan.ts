// Reads the tags of an HTML file as browsers do (HTML, "Tokenization"), as far as the places of shortcodes depend on it:
// comments, quoted values, and elements whose text is no markup. Nothing is decoded. Each character is read at most twice.

import { type SlotContent, slotOf } from './page-slot.ts'
import type { Span } from './stml-code.ts'
import { isBlank, isLetter } from './stml-pieces.ts'

export type HtmlToken =
  /** A tag, with the text of an element that contains no markup. */
  | (Span & {
      readonly kind: 'tag'
      /** In lower case; an end tag begins with a slash. */
      readonly name: string
      /** [page_title] in the values of its attributes. */
      readonly titles: readonly Span[]
      readonly closing?: string | undefined
    })
  | (Span & { readonly kind: 'slot'; readonly slot: SlotContent; readonly closing?: undefined })
  /** A comment, or a declaration. */
  | (Span & {
      readonly kind: 'comment'
      readonly isDoctype: boolean
      readonly closing?: string | undefined
    })

export interface ScanEnd {
  /** Position of a tag that is never closed; the scan ends there. */
  readonly cut: number | undefined
  /** Closes the comment or the element that contains no markup, if the file leaves one open. */
  readonly closing: string
}

const RAW = new Set('script style textarea title xmp iframe noembed noframes'.split(' '))
const MARK = /[<[]/g
/** The grammar of slotOf; other brackets in HTML are text. */
const SHORTCODE = /\[(?:include|menu|page_content|page_title)\b[^\][<]{0,60}\]/y
const TITLE = /\[page_title\s*\/?\]/g
const NONE = -1

const EXCLAMATION = 33
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63
const OPEN_BRACKET = 91

/** Whether the text may hold a shortcode. */
export function mayHoldSlots(html: string): boolean {
  return /\[(?:include\s+id|menu\s+group|page_content|page_title)\b/.test(html)
}

export function* scanHtml(html: string): Generator<HtmlToken, ScanEnd> {
  for (let mark = nextMark(html, 0); mark !== NONE; ) {
    const token = readToken(html, mark)
    if (token === 'unclosed') return { cut: mark, closing: '' }
    if (token !== undefined) yield token
    if (token?.closing !== undefined) return { cut: undefined, closing: token.closing }
    mark = nextMark(html, token?.end ?? mark + 1)
  }
  return { cut: undefined, closing: '' }
}

function nextMark(html: string, from: number): number {
  MARK.lastIndex = from
  return MARK.exec(html)?.index ?? NONE
}

function readToken(html: string, at: number): HtmlToken | 'unclosed' | undefined {
  if (html.charCodeAt(at) === OPEN_BRACKET) return readSlot(html, at)
  const next = html.charCodeAt(at + 1)
  const isEnd = next === SLASH
  if (isLetter(isEnd ? html.charCodeAt(at + 2) : next)) return readTag(html, at)
  if (next === EXCLAMATION || next === QUESTION || isEnd) return readComment(html, at)
  return undefined
}

function readSlot(html: string, start: number): HtmlToken | undefined {
  SHORTCODE.lastIndex = start
  const source = SHORTCODE.exec(html)?.[0]
  const slot = source === undefined ? undefined : slotOf(source)
  if (source === undefined || slot === undefined) return undefined
  return { kind: 'slot', slot, start, end: start + source.length }
}

function readComment(html: string, start: number): HtmlToken | 'unclosed' {
  const isComment = html.startsWith('<!--', start)
  const ending = isComment ? '-->' : '>'
  // Starts at the dashes, because `<!-->` is a complete comment.
  const found = html.indexOf(ending, start + 2)
  if (found === NONE && !isComment) return 'unclosed'
  const end = found === NONE ? html.length : found + ending.length
  const isDoctype = /^<!doctype/i.test(html.slice(start, start + 9))
  return { kind: 'comment', isDoctype, start, end, closing: found === NONE ? ending : undefined }
}

function readTag(html: string, start: number): HtmlToken | 'unclosed' {
  let at = start + 1
  while (at < html.length && !endsName(html.charCodeAt(at), at > start + 1)) at += 1
  const name = html.slice(start + 1, at).toLowerCase()
  const titles: Span[] = []
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === GREATER) return withText(html, { kind: 'tag', name, titles, start, end: at + 1 })
    if (code !== EQUALS) continue
    let value = at + 1
    while (isBlank(html.charCodeAt(value))) value += 1
    const quote = html.charCodeAt(value)
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) continue
    at = html.indexOf(html.charAt(value), value + 1)
    if (at === NONE) break
    titles.push(...titlesIn(html, value, at))
  }
  return 'unclosed'
}

/** A slash at the beginning belongs to the name. */
function endsName(code: number, isInside: boolean): boolean {
  return code === GREATER || (code === SLASH && isInside) || isBlank(code)
}

export function titlesIn(html: string, start: number, end: number): readonly Span[] {
  return [...html.slice(start, end).matchAll(TITLE)].map(({ 0: { length }, index }) => ({
    start: start + index,
    end: start + index + length,
  }))
}

/** The tag, with the text up to its end tag if the element contains no markup. */
function withText(html: string, tag: Extract<HtmlToken, { kind: 'tag' }>): HtmlToken {
  if (!RAW.has(tag.name)) return tag
  const ending = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi')
  ending.lastIndex = tag.end
  const found = ending.exec(html)
  const end = found === null ? NONE : html.indexOf('>', found.index)
  if (end === NONE) return { ...tag, end: html.length, closing: `</${tag.name}>` }
  return { ...tag, end: end + 1 }
}
