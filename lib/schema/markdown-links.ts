// The links of a Markdown text: [text](address), ![image](address), [label]: address and <https://…>. Code is skipped. HTML in
// Markdown is read by tag-reader.ts. Every text is read in linear time.

import type { Span } from './tag-reader.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/

/** Fenced blocks and spans in backticks. */
export function findMarkdownCode(text: string): readonly Span[] {
  const code: Span[] = []
  let fence: { readonly mark: string; readonly start: number } | undefined
  let start = 0
  for (const line of text.split('\n')) {
    const [, mark, rest = ''] = FENCE.exec(line.trimEnd()) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark) === true && rest === '') {
        code.push({ start: fence.start, end: start + line.length })
        fence = undefined
      }
    } else if (mark !== undefined) fence = { mark, start }
    else code.push(...spansOfLine(line, start))
    start += line.length + 1
  }
  if (fence !== undefined) code.push({ start: fence.start, end: text.length })
  return code
}

/** A run of backticks opens code that the next run of the same length in the line closes. */
function spansOfLine(line: string, offset: number): readonly Span[] {
  if (!line.includes('`')) return []
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ index, size: run.length }))
  const closing = new Map<number, number>()
  const next = runs.map(() => -1)
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const size = runs[at]?.size ?? 0
    next[at] = closing.get(size) ?? -1
    closing.set(size, at)
  }
  const spans: Span[] = []
  for (let at = 0; at < runs.length; at += 1) {
    const to = next[at] ?? -1
    const [open, close] = [runs[at], runs[to]]
    if (open === undefined || close === undefined) continue
    spans.push({ start: offset + open.index, end: offset + close.index + close.size })
    at = to
  }
  return spans
}

/** The beginning of an inline link, and of a definition of a label. */
const BEGINNINGS = /\]\([ \t\n]{0,9}|^ {0,3}\[[^[\]\n]{1,999}\]:[ \t]{0,9}/gm

/** `visit` returns false to end the search. */
export function findMarkdownLinks(
  text: string,
  visit: (address: string, span: Span) => boolean,
): void {
  // Each search continues behind the last address, so that no part of the text is read twice.
  const beginnings = new RegExp(BEGINNINGS)
  for (let found = beginnings.exec(text); found !== null; found = beginnings.exec(text)) {
    const at = beginnings.lastIndex
    const span =
      text[at] === '<' ? bracketed(text, at + 1) : { start: at, end: endOfAddress(text, at) }
    beginnings.lastIndex = Math.max(at, span.end)
    if (!visit(unescaped(text.slice(span.start, span.end)), span)) return
  }
}

/** No address of a site is as long. */
const MAX_ADDRESS = 4_000

function bracketed(text: string, start: number): Span {
  let end = start
  while (end < text.length && end - start < MAX_ADDRESS && !/[<>\n]/.test(text.charAt(end)))
    end += 1
  return { start, end }
}

/** The address ends before a blank, or before a parenthesis that it does not open. */
function endOfAddress(text: string, start: number): number {
  let depth = 0
  let at = start
  for (; at < text.length && at - start < MAX_ADDRESS; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth < 0 || /[\s<]/.test(char)) break
  }
  return Math.min(at, text.length)
}

function unescaped(address: string): string {
  return address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&')
}
