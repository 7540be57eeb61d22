// Checks STML: one root, a div with id="dd.0", and balanced tags. Nothing is decoded, expanded or run;
// entities, [shortcodes] and {{fields}} are text.
//
// Rules from HTML: attributes and their quotes, a `<` that begins no tag, `<!...>` as a comment, raw text
// elements, the first of two id attributes. Rules from XML: `/>` closes any element (but a `/` that ends an
// unquoted value belongs to the value), CDATA, comments up to `-->`. Rules from PHP: `<?` up to `?>`, in text,
// in tags and in quoted values, with any quotes and `>` between; it has no special meaning in comments, CDATA
// and raw text.
//
// A page is read in two ways, and rejected if both fail. The first reading takes all text literally. The second reads each
// piece of the template language as a unit (stml-pieces.ts), because a quote inside a shortcode does not end the attribute
// around it. The fault of the second reading is reported. The first reading accepts pages that open an element in an
// attribute of one shortcode and close it in an attribute of another.
//
// The tokenizer of htmlparser2 does not support this mixture: its HTML mode ends `<?php` at the first `>`,
// its XML mode knows no raw text, and both silently complete unclosed elements. saxes reads XML: of 115
// templates of two public sites it rejects 68 (open <br>, unquoted values, bare &, &nbsp;). This check rejects
// 8, each of which leaves an element open. It reads each character at most a few times and never recurses.

import { type Endings, findEndings, isBlank, isLetter } from './stml-pieces.ts'
import {
  fail,
  locate,
  readEndTag,
  readStartTag,
  shown,
  skipInstruction,
  skipPast,
  skipPiece,
  skipRawText,
} from './stml-scan.ts'
import type { Fault, Scan, Tag } from './stml-scan.ts'

export interface StmlFault {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units of the line. */
  readonly column: number
  /** Describes the fault and how to fix it. */
  readonly detail: string
}

interface Page extends Scan {
  readonly open: Tag[]
  hasRoot: boolean
  /** The void element of the last tag, which may have an end tag but needs none. */
  lastVoid: string | undefined
  /** Position of the first use of each zone id. */
  readonly zones: Map<string, number>
}

interface Closing {
  readonly name: string
  readonly offset: number
  /** The innermost open element. */
  readonly last: Tag | undefined
}

const MAX_DEPTH = 128
const ROOT_ID = 'dd.0'
const ZONE_PREFIX = 'dd.'

const VOID_NAMES = 'area base br col embed hr img input link meta source track wbr'
// Obsolete elements for which browsers expect no end tag.
const OLD_VOID_NAMES = 'basefont bgsound frame keygen param'
/** Elements without an end tag. */
export const VOID_ELEMENTS = new Set(`${VOID_NAMES} ${OLD_VOID_NAMES}`.split(' '))
/** Elements whose text ends at their end tag. */
export const RAW_TEXT_ELEMENTS = new Set(['script', 'style', 'textarea', 'title'])

const EXCLAMATION = 33
const SLASH = 47
const LESS = 60
const QUESTION = 63
const BYTE_ORDER_MARK = 0xfeff

/** Types ignore case. */
export function isStml(type: string): boolean {
  return type.toLowerCase() === 'stml'
}

/** Content of a page of type stml that was created without text. */
export const EMPTY_PAGE = `<div id="${ROOT_ID}"></div>`

/** The first fault of a page, or undefined if the page is valid. Linear time; never throws. */
export function checkStml(text: string): StmlFault | undefined {
  const fault = firstOf(
    findNul(text),
    findFault(text, undefined) && findFault(text, findEndings(text)),
  )
  if (fault === undefined) return undefined

  return { ...locate(text, fault.offset), detail: fault.detail }
}

function firstOf(one: Fault | undefined, other: Fault | undefined): Fault | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.offset < other.offset ? one : other
}

function findNul(text: string): Fault | undefined {
  const offset = text.indexOf('\0')
  return offset === -1 ? undefined : { offset, detail: 'A NUL character is not text. Remove it.' }
}

function findFault(text: string, endings: Endings | undefined): Fault | undefined {
  const page: Page = {
    text,
    endings,
    at: 0,
    fault: undefined,
    open: [],
    hasRoot: false,
    lastVoid: undefined,
    zones: new Map(),
  }

  while (page.at < text.length) {
    readText(page)
    if (page.at < text.length) readMarkup(page)
  }
  checkEnd(page)
  return page.fault
}

function readText(page: Page): void {
  const { text, open, endings } = page
  const less = text.indexOf('<', page.at)
  const end = less === -1 ? text.length : less
  // There is no text outside the root, so there are no pieces there.
  if (open.length > 0 && endings !== undefined) return readPieces(page)
  if (open.length === 0) {
    while (page.at < end && isBlankAround(text.charCodeAt(page.at))) page.at += 1
    if (page.at < end) return failOutside(page)
  }
  page.at = end
}

/** Moves to the next `<` outside pieces. */
function readPieces(page: Page): void {
  while (page.at < page.text.length)
    if (!skipPiece(page)) {
      if (page.text.charCodeAt(page.at) === LESS) return
      page.at += 1
    }
}

function isBlankAround(code: number): boolean {
  return isBlank(code) || code === BYTE_ORDER_MARK
}

function failOutside(page: Page): void {
  fail(page, page.at, 'There is text outside the root element. Move it into <div id="dd.0">.')
}

function readMarkup(page: Page): void {
  const { text, at } = page
  const next = text.charCodeAt(at + 1)
  if (isLetter(next)) return openElement(page)
  if (next === SLASH && isLetter(text.charCodeAt(at + 2))) return closeElement(page)
  if (next === QUESTION) return skipInstruction(page)
  if (next === EXCLAMATION) return skipDeclaration(page)
  if (page.open.length === 0) return failOutside(page)
  page.at += 1
}

function skipDeclaration(page: Page): void {
  const { text, at } = page
  // Starts at the dashes, because `<!-->` is a complete comment.
  if (text.startsWith('<!--', at)) return skipPast(page, '-->', { from: at + 2, what: 'comment' })
  if (text.startsWith('<![CDATA[', at)) {
    if (page.open.length === 0) return failOutside(page)
    return skipPast(page, ']]>', { from: at + 9, what: 'CDATA section' })
  }
  const word = text.slice(at, at + 9).toUpperCase()
  if (word === '<!DOCTYPE') return fail(page, at, 'A page has no DOCTYPE. Remove it.')
  if (word.startsWith('<!ENTITY')) return fail(page, at, 'A page declares no entities. Remove it.')
  skipPast(page, '>', { from: at + 2, what: 'declaration' })
}

function openElement(page: Page): void {
  page.lastVoid = undefined
  const tag = readStartTag(page)
  if (tag === undefined) return

  if (page.open.length === 0) checkRoot(page, tag)
  checkDepth(page, tag)
  checkZone(page, tag)
  if (page.fault !== undefined || tag.isSelfClosed) return

  if (VOID_ELEMENTS.has(tag.name)) {
    page.lastVoid = tag.name
    return
  }
  page.open.push(tag)
  if (RAW_TEXT_ELEMENTS.has(tag.name)) skipRawText(page, tag.name)
}

function checkRoot(page: Page, { name, id, offset }: Tag): void {
  if (page.hasRoot) {
    return fail(page, offset, 'There is a second root element. Move it into <div id="dd.0">.')
  }
  if (name !== 'div' || id !== ROOT_ID) {
    return fail(page, offset, 'The root is not <div id="dd.0">. Put all elements into such a div.')
  }
  page.hasRoot = true
}

function checkDepth(page: Page, { offset }: Tag): void {
  if (page.open.length < MAX_DEPTH) return
  fail(page, offset, `This element is nested deeper than ${MAX_DEPTH}. Make the tree flatter.`)
}

function checkZone(page: Page, { id, offset }: Tag): void {
  if (id === undefined || !id.startsWith(ZONE_PREFIX)) return
  const first = page.zones.get(id)
  if (first === undefined) {
    page.zones.set(id, offset)
    return
  }
  const { line } = locate(page.text, first)
  fail(
    page,
    offset,
    `The id "${shown(id)}" is already used on line ${line}. Give each zone its own id.`,
  )
}

function closeElement(page: Page): void {
  const { at: offset, lastVoid } = page
  page.lastVoid = undefined
  const name = readEndTag(page)
  if (name === lastVoid) return

  const last = page.open.at(-1)
  if (last?.name === name) page.open.pop()
  else failClosing(page, { name, offset, last })
}

function failClosing(page: Page, { name, offset, last }: Closing): void {
  const tag = `</${shown(name)}>`
  if (last === undefined) return fail(page, offset, `${tag} closes nothing. Remove it.`)

  const open = shown(last.name)
  const { line } = locate(page.text, last.offset)
  const wrong = `${tag} does not close <${open}> of line ${line}.`
  fail(page, offset, `${wrong} Add </${open}> before it, or remove it.`)
}

function checkEnd(page: Page): void {
  const last = page.open.at(-1)
  if (last !== undefined) {
    const name = shown(last.name)
    return fail(page, last.offset, `<${name}> is never closed. Add </${name}>.`)
  }
  if (page.hasRoot) return
  fail(page, page.at, 'The page has no root element. Put the content into <div id="dd.0">.')
}
