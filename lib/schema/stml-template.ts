// Renders STML as HTML, as far as its meaning is certain: the tree of elements is the body of the page, and code is never run
// and never shown. In text, a comment with the name stands for the code; in values, in comments and in raw text elements,
// nothing does. Links, includes and menus are slots, because their contents change without the page (page-composition.ts).
//
// The tokenizer is that of the check (stml-scan.ts). Rendering takes linear time and never fails: a page of an earlier version
// of the server may have a tag that is never closed, and is shown up to this tag.

import { RAW_TEXT_ELEMENTS, VOID_ELEMENTS } from './stml.ts'
import { type SlotContent, slotOf } from './page-slot.ts'
import { type Code, findClosed, isBareValue, isShortcode, nameOf, type Span } from './stml-code.ts'
import { openOutput, type Output, type PageTemplate } from './stml-output.ts'
import { type Endings, endOfPiece, findEndings, isLetter, NO_PIECE } from './stml-pieces.ts'
import {
  readEndTag,
  readStartTag,
  type Scan,
  skipInstruction,
  skipRawText,
  type TagCode,
} from './stml-scan.ts'

/** A comment may be longer than its code. Further code leaves no comment. */
const MAX_COMMENTS = 10_000

const BYTE_ORDER_MARK = 0xfeff
const SLASH = 47
const LESS = 60
const QUESTION = 63
const EXCLAMATION = 33
const OPEN_BRACKET = 91
const OPEN_BRACE = 123

/** PHP in the forms that run, also if it is never closed. */
const PHP = /<\?(?:php|=|\s)[^]*?(?:\?>|$)/gi
/** Stands for PHP in the source, and is an instruction for the tokenizer. */
const NO_PHP = '<?php?>'
const MARKS = /<\?php\?>/g

export function renderStml(stored: string): PageTemplate {
  // PHP comes before all other markup: a comment, a script or a value that holds its end inside PHP does not end there.
  const source = stored.replaceAll(PHP, NO_PHP)
  const endings = findEndings(source)
  const first = openRendering(source, endings)
  // A quote in a shortcode may pair with one far behind it; the check then accepts the page with tags read literally.
  const isLiteral = !renderAll(first, endings) && endings.template === NO_PIECE
  if (!isLiteral) return first.output.end()
  const second = openRendering(source, undefined)
  return renderAll(second, endings) ? second.output.end() : first.output.end()
}

interface Rendering {
  readonly scan: Scan
  readonly output: Output
  /** Code in the tag that is being read. */
  readonly inTag: TagCode[]
  readonly closed: ReadonlySet<string>
  comments: number
  hasRoot: boolean
}

function openRendering(text: string, endings: Endings | undefined): Rendering {
  const inTag: TagCode[] = []
  return {
    scan: { text, endings, at: 0, fault: undefined, onCode: (code) => void inTag.push(code) },
    output: openOutput(text),
    inTag,
    closed: findClosed(text),
    comments: 0,
    hasRoot: false,
  }
}

/** False if markup is left open, which ends the page. */
function renderAll(rendering: Rendering, endings: Endings): boolean {
  const { scan, output } = rendering
  const { text } = scan
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) output.replace(0, 1, '')
  while (scan.at < text.length) {
    const { at } = scan
    const code = text.charCodeAt(at)
    if (code !== LESS && code !== OPEN_BRACKET && code !== OPEN_BRACE) {
      scan.at += 1
      continue
    }
    const end = endOfPiece(text, at, endings)
    if (end !== NO_PIECE) {
      // Text in brackets may hold code.
      const isReplaced = replaceCode(rendering, { start: at, end, place: 'text' })
      scan.at = isReplaced ? end : at + 1
    } else if (code === LESS) renderMarkup(rendering)
    else scan.at += 1
    if (scan.fault !== undefined) {
      output.replace(at, text.length, '')
      return false
    }
  }
  return true
}

function renderMarkup(rendering: Rendering): void {
  const { scan } = rendering
  const { text, at } = scan
  const next = text.charCodeAt(at + 1)
  if (isLetter(next)) renderStartTag(rendering)
  else if (next === SLASH && isLetter(text.charCodeAt(at + 2))) renderEndTag(rendering)
  else if (next === QUESTION) renderInstruction(rendering)
  else if (next === EXCLAMATION) renderDeclaration(rendering)
  else scan.at += 1
}

function renderStartTag(rendering: Rendering): void {
  const { scan, output, inTag } = rendering
  inTag.length = 0
  const { at } = scan
  const tag = readStartTag(scan)
  if (tag === undefined) return
  if (!rendering.hasRoot && inTag.length === 0) replaceRootId(rendering, at)
  rendering.hasRoot = true
  for (const { start, end, isQuoted } of inTag) {
    const place = isQuoted ? 'quoted' : 'tag'
    if (!replaceCode(rendering, { start, end, place })) remove(INSIDE, { start, end }, rendering)
  }
  const isVoid = VOID_ELEMENTS.has(tag.name)
  if (tag.isSelfClosed) {
    // HTML would ignore the slash and leave the element open.
    if (!isVoid && /^[a-z][\w:.-]*$/.test(tag.name))
      output.replace(scan.at - 2, scan.at, `></${tag.name}>`)
  } else if (RAW_TEXT_ELEMENTS.has(tag.name)) {
    const start = scan.at
    skipRawText(scan, tag.name)
    remove(MARKS, { start, end: scan.at }, rendering)
  }
}

const ROOT_ID = /\sid\s*=\s*(?:"dd\.0"|'dd\.0'|dd\.0(?=[\s/>]))/i

function replaceRootId({ scan, output }: Rendering, at: number): void {
  const { 0: text, index } = ROOT_ID.exec(scan.text.slice(at, scan.at)) ?? { 0: '', index: 0 }
  const start = at + index
  if (text !== '') output.slot({ start, end: start + text.length }, { kind: 'root', text })
}

function renderEndTag({ scan, output, inTag }: Rendering): void {
  const { at } = scan
  inTag.length = 0
  const name = readEndTag(scan)
  if (scan.fault !== undefined) return
  // Browsers show </br> as another line break.
  if (VOID_ELEMENTS.has(name)) output.replace(at, scan.at, '')
  else for (const { start, end } of inTag) output.replace(start, end, '')
}

function renderInstruction(rendering: Rendering): void {
  const { scan } = rendering
  const start = scan.at
  skipInstruction(scan)
  // PHP also runs code that is never closed, up to the end.
  if (scan.fault === undefined) replaceCode(rendering, { start, end: scan.at, place: 'text' })
}

function renderDeclaration(rendering: Rendering): void {
  const { scan, output } = rendering
  const { text, at } = scan
  const isData = text.startsWith('<![CDATA[', at)
  const ending = text.startsWith('<!--', at) ? '-->' : isData ? ']]>' : '>'
  // Starts at the dashes, because `<!-->` is a complete comment.
  const found = text.indexOf(ending, at + (isData ? 9 : 2))
  const end = found === -1 ? text.length : found + ending.length
  scan.at = end
  if (!isData) return remove(MARKS, { start: at, end }, rendering)
  // In HTML, a CDATA section would be a comment.
  const data = text.slice(at + 9, found === -1 ? end : found).replaceAll(NO_PHP, '')
  output.replace(at, end, data.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
}

/** Slots whose content is a text without markup. */
const IN_VALUES: ReadonlySet<SlotContent['kind']> = new Set(['link', 'title'])

/** False if the brackets are text. */
function replaceCode(rendering: Rendering, code: Code): boolean {
  const { scan, output, closed } = rendering
  const { start, end, place } = code
  const source = scan.text.slice(start, end)
  if (source.startsWith('[') && !isShortcode(scan.text, code, closed)) return false
  const quote = place === 'tag' && isBareValue(scan.text, code) ? '"' : ''
  const slot = slotOf(source)
  if (slot !== undefined && (place === 'text' || IN_VALUES.has(slot.kind))) {
    output.slot(code, slot, quote)
    return true
  }
  const isShown = place === 'text' && rendering.comments < MAX_COMMENTS
  if (isShown) rendering.comments += 1
  output.replace(start, end, isShown ? `<!-- ${nameOf(source)} -->` : quote + quote)
  return true
}

/** Code in brackets that are text, such as an index. */
const INSIDE = /<\?[^]*?(?:\?>|$)|<%[^]*?(?:%>|$)|\{{2,3}[^{}\n]*\}{2,3}/g

function remove(code: RegExp, { start, end }: Span, { scan, output }: Rendering): void {
  for (const { 0: found, index } of scan.text.slice(start, end).matchAll(code))
    output.replace(start + index, start + index + found.length, '')
}
