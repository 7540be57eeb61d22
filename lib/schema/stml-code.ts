// Code of the template language in a page: its name, and whether a bracket begins code or is text.

import { isBlank } from './stml-pieces.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Code extends Span {
  readonly place: 'text' | 'quoted' | 'tag'
}

const GREATER = 62
const LESS = 60
const EQUALS = 61
const OPEN_BRACKET = 91
const OPEN_BRACE = 123
/** Different names of closing tags that are remembered. */
const MAX_CLOSED = 10_000

/** Names of shortcodes that have a closing tag. */
export function findClosed(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(/\[\/([A-Za-z_][\w-]{0,63})\s{0,9}\]/g)) {
    names.add(name)
    if (names.size >= MAX_CLOSED) break
  }
  return names
}

/** Holds neither two dashes nor ">", which would end the comment. */
export function nameOf(source: string): string {
  if (source.startsWith('<?')) return /^<\?xml/i.test(source) ? 'xml' : 'php'
  if (source.startsWith('<%')) return 'template'
  const [, mark = '', word = ''] =
    /^(\{{2,3}|\[\/?)[\s#/^&>!]{0,8}([A-Za-z_]\w{0,63})?/.exec(source) ?? []
  const kind = mark.startsWith('{') ? 'field' : mark === '[' ? 'shortcode' : 'end of shortcode'
  return word === '' ? kind : `${kind} ${word}`
}

/** Brackets in running text, such as [1] or [sic], and an index in a value, such as name="user[first_name]", are text. */
export function isShortcode(
  text: string,
  { start, end, place }: Code,
  closed: ReadonlySet<string>,
): boolean {
  const source = text.slice(start, end)
  if (source.startsWith('[/') || source.includes('=')) return true
  if (place !== 'text' && /[\w\])]/.test(text.charAt(start - 1))) return false
  const [, name = ''] = /^\[([\w-]{1,64})/.exec(source) ?? []
  return name.includes('_') || closed.has(name)
}

/** Whether the code is a whole value without quotes: without it, the next attribute would be the value. */
export function isBareValue(text: string, { start, end }: Span): boolean {
  let before = start - 1
  while (isBlank(text.charCodeAt(before))) before -= 1
  if (text.charCodeAt(before) !== EQUALS) return false
  const next = text.charCodeAt(end)
  return isBlank(next) || [GREATER, LESS, OPEN_BRACKET, OPEN_BRACE].includes(next)
}
