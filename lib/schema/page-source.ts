// The parts of a page that the site puts together with a layout, fragments and menus. An HTML file is a document if it has a
// doctype or one of the tags html, head and body; otherwise it is a part of a body.

import { type HtmlToken, scanHtml, titlesIn } from './html-scan.ts'
import { STML } from './media-type.ts'
import type { SlotContent } from './page-slot.ts'
import type { Span } from './stml-code.ts'
import { openOutput, type Output, type PageTemplate } from './stml-output.ts'
import { renderStml } from './stml-template.ts'

export interface PageSource {
  /** The file as a page of its own, or as a layout. */
  readonly whole: PageTemplate
  /** The file inside another page: of a document, what is in its body. */
  readonly inside: PageTemplate
  /** The elements in the head of a document, without the title. */
  readonly head: readonly (string | SlotContent)[]
  /** The text in the title element, as HTML. */
  readonly title: string | undefined
  readonly isDocument: boolean
  readonly isStml: boolean
  /** The language of an STML file, from its first element. */
  readonly lang?: string | undefined
}

const LANG =
  /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<[a-z][^<>]{0,2000}?\slang="([a-z]{1,8}(?:-[a-z\d]{1,8}){0,4})"/i

/** The text is HTML or STML, by its media type. */
export function readPage(mediaType: string, text: string): PageSource {
  return mediaType === STML ? readStml(text) : readHtml(text)
}

function readStml(text: string): PageSource {
  const whole = renderStml(text)
  const [, lang] = LANG.exec(text) ?? []
  return { whole, inside: whole, head: [], title: undefined, isDocument: false, isStml: true, lang }
}

function readHtml(html: string): PageSource {
  const parts = findParts(html)
  const { isDocument, bodyAt, title } = parts
  const [whole, inside] = [openOutput(html), openOutput(html)]
  if (bodyAt > 0) inside.replace(0, bodyAt, '')
  let headEnd = isDocument ? parts.headEnd : Infinity
  const tokens = scanHtml(html)
  let next = tokens.next()
  for (; next.done !== true; next = tokens.next()) {
    const token = next.value
    if (token.start >= headEnd) headEnd = endHead(whole, headEnd)
    const isInside = token.start >= bodyAt
    for (const [span, slot] of slotsOf(html, token, title)) {
      whole.slot(span, slot)
      if (isInside) inside.slot(span, slot)
    }
    const isEnd = token.kind === 'tag' && (token.name === '/body' || token.name === '/html')
    if (isEnd && isInside && isDocument) inside.replace(token.start, token.end, '')
  }
  const { cut, closing } = next.value
  if (headEnd !== Infinity) endHead(whole, headEnd)
  // A comment or a tag that a fragment leaves open must not swallow the page. Elements may stay open on purpose.
  if (cut !== undefined) inside.replace(cut, html.length, '')
  else if (closing !== '') inside.replace(html.length, html.length, closing)
  return {
    whole: whole.end(),
    inside: inside.end(),
    head: parts.inHead.flatMap((token) => headPartsOf(html, token)),
    title: title && html.slice(title.start, title.end),
    isDocument,
    isStml: false,
  }
}

function endHead(whole: Output, at: number): number {
  whole.slot({ start: at, end: at }, { kind: 'head' })
  return Infinity
}

interface Parts {
  readonly isDocument: boolean
  /** The beginning of what is in the body. */
  readonly bodyAt: number
  /** The place for further elements of the head. */
  readonly headEnd: number
  /** The elements in the head, and the shortcodes between them. */
  readonly inHead: readonly HtmlToken[]
  /** The text in the title element. */
  readonly title: Span | undefined
}

const IN_HEAD = new Set('meta link script style base'.split(' '))
/** Elements of a head that contain other elements. */
const NESTING = new Set(['noscript', 'template'])
const AROUND = new Set(['html', 'head', '/head', '/html'])

function findParts(html: string): Parts {
  const inHead: HtmlToken[] = []
  let [at, isDocument] = [0, false]
  let [headEnd, title]: [number?, Span?] = []
  const partsAt = (bodyAt: number): Parts =>
    isDocument
      ? { isDocument, bodyAt, headEnd: headEnd ?? at, inHead, title }
      : { isDocument, bodyAt: 0, headEnd: 0, inHead: [], title: undefined }

  for (const token of scanHtml(html)) {
    if (token.start < at) continue
    const { kind, start } = token
    const isBlank = html.slice(at, start).trim() === ''
    const name = kind === 'tag' ? token.name : ''
    isDocument ||= AROUND.has(name) || (kind === 'comment' && token.isDoctype)
    if (isBlank && name === 'body') {
      isDocument = true
      at = start
      return partsAt(token.end)
    }
    const isTitle = name === 'title'
    const nested = NESTING.has(name) ? nestedIn(html, token) : undefined
    const isOfHead = IN_HEAD.has(name) || nested !== undefined || kind === 'slot'
    if (!isBlank || !(isOfHead || isTitle || AROUND.has(name) || kind === 'comment'))
      return partsAt(at)
    if (name === '/head' || name === '/html') headEnd ??= start
    if (isTitle) title ??= textIn(html, token)
    if (isOfHead) inHead.push(nested ?? token)
    at = (nested ?? token).end
  }
  return partsAt(at)
}

/** The whole element as a token; undefined if it is never closed. */
function nestedIn(html: string, token: HtmlToken): HtmlToken | undefined {
  const ending = token.kind === 'tag' ? `</${token.name}>` : ''
  const found = html.indexOf(ending, token.end)
  return found === -1 ? undefined : { ...token, end: found + ending.length }
}

/** The text between the tags of an element that contains no markup. */
function textIn(html: string, { start, end }: Span): Span {
  const text = html.indexOf('>', start) + 1
  const last = html.lastIndexOf('</', end - 1)
  return { start: text, end: last < text ? end : last }
}

function slotsOf(
  html: string,
  token: HtmlToken,
  title: Span | undefined,
): readonly (readonly [Span, SlotContent])[] {
  if (token.kind === 'slot') return [[token, token.slot]]
  if (token.kind === 'comment') return []
  const isTitle = title !== undefined && token.start < title.start && title.end <= token.end
  const spans = isTitle ? titlesIn(html, title.start, title.end) : token.titles
  if (isTitle && spans.length === 0)
    return [[title, { kind: 'title', own: html.slice(title.start, title.end) }]]
  return spans.map((span) => [span, { kind: 'title' }])
}

function headPartsOf(html: string, token: HtmlToken): readonly (string | SlotContent)[] {
  const parts: (string | SlotContent)[] = []
  let at = token.start
  for (const [span, slot] of slotsOf(html, token, undefined)) {
    if (span.start > at) parts.push(html.slice(at, span.start))
    parts.push(slot)
    at = span.end
  }
  return at < token.end ? [...parts, html.slice(at, token.end)] : parts
}
