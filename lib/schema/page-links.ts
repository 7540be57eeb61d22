// Finds the addresses in a page that can lead to files of the site: attributes and styles of HTML and STML, links of Markdown,
// url(…) and @import of style sheets, and the shortcodes that name a file or a menu. Pure; linear in the length of the text.

import { LINK_ATTRIBUTES, moveRefresh, moveStyle, type MoveValue } from './link-values.ts'
import { findMarkdownCode, findMarkdownLinks } from './markdown-links.ts'
import { isRefresh, openTagReader, type Span, type Tag, valueIn } from './tag-reader.ts'

export type LinkSyntax = 'html' | 'markdown' | 'css'

export interface LinkedText {
  readonly text: string
  readonly syntax: LinkSyntax
}

/** Positions are UTF-16 code units of the text. */
export interface PageLink extends Span {
  /** An address as a browser reads it, or `asset_file:N` or `file_group:N` for a shortcode. */
  readonly address: string
}

export interface PageLinks {
  /** In the order of the text. */
  readonly links: readonly PageLink[]
  /** There are more. */
  readonly isCut: boolean
}

const SYNTAX: ReadonlyMap<string, LinkSyntax> = new Map([
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['stml', 'html'],
  ['svg', 'html'],
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['css', 'css'],
])

/** Undefined: the links of files of this type are not read. */
export function linkSyntaxOf(type: string): LinkSyntax | undefined {
  return SYNTAX.get(type.toLowerCase())
}

/** Longer addresses are skipped. No path of a site is as long. */
const MAX_ADDRESS = 4_000

/** Schemes of addresses in PageLink that shortcodes name. No address of a browser has them. */
const OF_FILE = 'asset_file:'
const OF_GROUP = 'file_group:'

/** The file that a shortcode names. */
export function fileOfAddress(address: string): number | undefined {
  return numberAfter(OF_FILE, address)
}

/** The file group that a shortcode names. */
export function groupOfAddress(address: string): number | undefined {
  return numberAfter(OF_GROUP, address)
}

function numberAfter(scheme: string, address: string): number | undefined {
  return address.startsWith(scheme) ? Number(address.slice(scheme.length)) : undefined
}

/** [get_asset_file_url id=N], [include id=N] and [menu group=N] */
const SHORTCODES =
  /\[(?:(?:get_asset_file_url|include)\s{1,9}id|(menu)\s{1,9}group)\s{0,9}=\s{0,9}(?:["']|&quot;|&#39;|)([1-9]\d{0,14})(?=\D)/g

const CHUNK = 64 * 1024

/** At most `most` links. */
export function findPageLinks({ text, syntax }: LinkedText, most: number): PageLinks {
  const links: PageLink[] = []
  let isCut = false
  const add = (address: string, { start, end }: Span): boolean => {
    const plain = plainAddress(address)
    if (plain === undefined) return true
    if (links.length >= most) isCut = true
    else links.push({ address: plain, start, end })
    return !isCut
  }

  if (syntax === 'css') readStyle(text, { start: 0, end: text.length }, add)
  else readTags(text, add, () => isCut)
  const code = syntax === 'markdown' ? findMarkdownCode(text) : []
  if (syntax === 'markdown') findMarkdownLinks(text, add)
  for (const { address, ...span } of findNumbers(text)) if (!add(address, span)) break
  const ordered = links.toSorted((left, right) => left.start - right.start)
  return { links: outside(ordered, code), isCut }
}

/** The shortcodes that name a file or a file group. Each ends with the number. */
export function* findNumbers(text: string): Generator<PageLink> {
  for (const { 0: found, 1: menu, 2: id, index } of text.matchAll(SHORTCODES)) {
    const scheme = menu === undefined ? OF_FILE : OF_GROUP
    yield { address: scheme + id, start: index, end: index + found.length }
  }
}

type Add = (address: string, span: Span) => boolean

function readTags(text: string, add: Add, isDone: () => boolean): void {
  const reader = openTagReader(text, {
    onTag: (tag) => readTag(text, tag, add),
    onStyle: (span) => readStyle(text, span, add),
  })
  for (let at = 0; at < text.length && !isDone(); at += CHUNK)
    reader.write(text.slice(at, at + CHUNK))
  reader.end()
}

function readTag(text: string, tag: Tag, add: Add): void {
  const isMoving = isRefresh(tag)
  for (const attribute of tag.attributes) {
    const { name, value } = attribute
    const read = isMoving && name === 'content' ? moveRefresh : LINK_ATTRIBUTES.get(name)
    if (read !== undefined && value !== '')
      readValue(read, { text, value, span: valueIn(text, attribute) }, add)
  }
}

interface ReadValue {
  readonly text: string
  /** Decoded. */
  readonly value: string
  /** The value in the source. */
  readonly span: Span
}

/** Each link of the value; its place is that of the whole value if the source is encoded. */
function readValue(read: MoveValue, { text, value, span }: ReadValue, add: Add): void {
  const isPlain = text.slice(span.start, span.end) === value
  let from = 0
  read(value, {
    move(link) {
      const at = value.indexOf(link, from)
      from = at + link.length
      const address = read === moveStyle ? link.replace(/["']$/, '') : link.replace(/,+$/, '')
      const start = span.start + at
      add(address, isPlain ? { start, end: start + address.length } : span)
      return undefined
    },
  })
}

function readStyle(text: string, span: Span, add: Add): void {
  readValue(moveStyle, { text, value: text.slice(span.start, span.end), span }, add)
}

/** Template code, which only the renderer of the site can complete. */
const CODE = /[[\]{}]|<[?%]/
/** Not an address of the web. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:/i

/** The address without query and fragment; undefined if it cannot lead to a file of the site. */
function plainAddress(address: string): string | undefined {
  if (address.startsWith(OF_FILE) || address.startsWith(OF_GROUP)) return address
  if (address.length > MAX_ADDRESS || CODE.test(address)) return undefined
  // Browsers remove these characters, and read a backslash as a slash (URL Standard, 4.4).
  // oxlint-disable-next-line eslint/no-control-regex -- the characters of the standard
  const trimmed = address.replaceAll(/^[\0-\u0020]+|[\0-\u0020]+$|[\t\n\r]/g, '')
  const [path = ''] = trimmed.split(/[?#]/, 1)
  if (path === '' || OTHER_SCHEME.test(path)) return undefined
  return path.replaceAll('\\', '/')
}

/** The links outside of these spans; both lists are in order. */
function outside(links: readonly PageLink[], spans: readonly Span[]): readonly PageLink[] {
  let at = 0
  return links.filter(({ start }) => {
    while ((spans[at]?.end ?? Infinity) <= start) at += 1
    return start < (spans[at]?.start ?? Infinity)
  })
}
