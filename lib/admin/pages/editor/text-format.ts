// The commands of a toolbar for Markdown and HTML: each replaces one range of a text, and gives the new selection. A
// command that finds its own marks removes them.

export type MarkupLanguage = 'markdown' | 'html'

export const FORMATS = [
  'heading1',
  'heading2',
  'heading3',
  'bold',
  'italic',
  'link',
  'list',
  'numbers',
  'quote',
  'code',
  'table',
] as const

export type Format = (typeof FORMATS)[number]

export interface MarkedText {
  readonly text: string
  /** The selected range. */
  readonly from: number
  readonly to: number
}

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: string
  /** The selection in the changed text. */
  readonly select: readonly [number, number]
}

/** Texts that a command inserts. */
export interface FormatWords {
  /** The heading of a column in a new table. */
  readonly column: string
}

interface Job {
  readonly marked: MarkedText
  readonly language: MarkupLanguage
  readonly words: FormatWords
}

export function formatText(format: Format, job: Job): TextEdit {
  const { marked, language } = job
  const isHtml = language === 'html'
  switch (format) {
    case 'heading1':
    case 'heading2':
    case 'heading3': {
      const level = Number(format.at(-1))
      return isHtml ? wrapTag(wholeLines(marked), `h${level}`) : headLines(marked, level)
    }
    case 'bold':
      return isHtml ? wrapTag(marked, 'strong') : wrapStars(marked, 2)
    case 'italic':
      return isHtml ? wrapTag(marked, 'em') : wrapStars(marked, 1)
    case 'link':
      return linkText(marked, language)
    case 'list':
    case 'numbers':
      return isHtml ? wrapList(marked, format) : listLines(marked, format)
    case 'quote':
      return isHtml ? wrapTag(wholeLines(marked), 'blockquote') : quoteLines(marked)
    case 'code':
      return codeText(marked, language)
    case 'table':
      return insertTable(job)
  }
}

/** Replaces the selection by a text, of which a part is selected. */
export function replaced(
  { from, to }: MarkedText,
  parts: readonly [string, string, string],
): TextEdit {
  const [before, inner, after] = parts
  const start = from + before.length
  return { from, to, insert: before + inner + after, select: [start, start + inner.length] }
}

export function selected({ text, from, to }: MarkedText): string {
  return text.slice(from, to)
}

/** Marks do not work around spaces, so the selection is made smaller. */
export function trimmed(marked: MarkedText): MarkedText {
  const inner = selected(marked)
  const from = marked.from + inner.length - inner.trimStart().length
  return { ...marked, from, to: Math.max(from, marked.from + inner.trimEnd().length) }
}

/** The selection from the beginning of its first line to the end of its last line. */
function wholeLines({ text, from, to }: MarkedText): MarkedText {
  const start = from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1
  // A line of which only the line break before is selected does not take part.
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last)
  return { text, from: start, to: end === -1 ? text.length : end }
}

/** Removes the marks inside or around the selection, or else adds them. */
function wrapText(marked: MarkedText, open: string, close: string): TextEdit {
  const inner = trimmed(marked)
  const { text, from, to } = inner
  const chosen = selected(inner)
  if (
    chosen.length >= open.length + close.length &&
    chosen.startsWith(open) &&
    chosen.endsWith(close)
  )
    return replaced(inner, ['', chosen.slice(open.length, chosen.length - close.length), ''])
  const around = { text, from: from - open.length, to: to + close.length }
  if (around.from >= 0 && selected(around) === open + chosen + close)
    return replaced(around, ['', chosen, ''])
  return replaced(inner, [open, chosen, close])
}

function wrapTag(marked: MarkedText, tag: string): TextEdit {
  return wrapText(marked, `<${tag}>`, `</${tag}>`)
}

/** Bold has two stars, italic one; a text with both has three. */
function wrapStars(marked: MarkedText, count: 1 | 2): TextEdit {
  const mark = '*'.repeat(count)
  const inner = trimmed(marked)
  const { text, from, to } = inner
  const before = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0
  const after = /^\**/.exec(text.slice(to))?.[0].length ?? 0
  const has = Math.min(before, after)
  const isMarked = count === 2 ? has >= 2 : has % 2 === 1
  if (!isMarked && !/^\*+[^*]/.test(selected(inner)))
    return replaced(inner, [mark, selected(inner), mark])
  return wrapText(inner, mark, mark)
}

type LineChange = (line: string, at: number) => string

/** Changes the selected lines; marks are removed if all lines that have a text have them. */
function changeLines(
  marked: MarkedText,
  {
    has,
    add,
    remove,
  }: { readonly has: RegExp; readonly add: LineChange; readonly remove: LineChange },
): TextEdit {
  const all = wholeLines(marked)
  const lines = selected(all).split('\n')
  const isMarked =
    lines.some((line) => has.test(line)) &&
    lines.every((line) => line.trim() === '' || has.test(line))
  let at = -1
  const next = lines.map((line) => {
    if (line.trim() === '' && lines.length > 1) return line
    at += 1
    return (isMarked ? remove : add)(line, at)
  })
  const insert = next.join('\n')
  const end = all.from + insert.length
  const isCursor = marked.from === marked.to
  return { from: all.from, to: all.to, insert, select: isCursor ? [end, end] : [all.from, end] }
}

const LIST = /^(\s*)(?:[-*+]|\d+[.)])\s+/
const HEADING = /^#{1,6}\s+/

function headLines(marked: MarkedText, level: number): TextEdit {
  const mark = `${'#'.repeat(level)} `
  const remove: LineChange = (line) => line.replace(HEADING, '')
  const has = new RegExp(`^#{${level}}\\s`)
  return changeLines(marked, { has, remove, add: (line) => mark + remove(line, 0) })
}

function listLines(marked: MarkedText, kind: 'list' | 'numbers'): TextEdit {
  const remove: LineChange = (line) => line.replace(LIST, '$1')
  return changeLines(marked, {
    has: kind === 'list' ? /^\s*[-*+]\s/ : /^\s*\d+[.)]\s/,
    remove,
    add: (line, at) => {
      const [, space = '', rest = ''] = /^(\s*)([^]*)$/.exec(remove(line, at)) ?? []
      return `${space}${kind === 'list' ? '-' : `${at + 1}.`} ${rest}`
    },
  })
}

function quoteLines(marked: MarkedText): TextEdit {
  const remove: LineChange = (line) => line.replace(/^>\s?/, '')
  return changeLines(marked, { has: /^>/, remove, add: (line) => `> ${line}` })
}

function wrapList(marked: MarkedText, kind: 'list' | 'numbers'): TextEdit {
  const all = wholeLines(marked)
  const tag = kind === 'list' ? 'ul' : 'ol'
  const items = selected(all)
    .split('\n')
    .map((line) => `  <li>${line.trim()}</li>`)
  const insert = [`<${tag}>`, ...items, `</${tag}>`].join('\n')
  // In front of the last </li>.
  const end = all.from + insert.length - `</li>\n</${tag}>`.length
  return { from: all.from, to: all.to, insert, select: [end, end] }
}

const ADDRESS = /^(?:https?:\/\/|mailto:|\/)\S+$/i

/** The part that is still missing is selected: the text of an address, or the address of a text. */
function linkText(marked: MarkedText, language: MarkupLanguage): TextEdit {
  const inner = trimmed(marked)
  const chosen = selected(inner)
  const isAddress = ADDRESS.test(chosen)
  const address = isAddress ? chosen : 'https://'
  if (language === 'html') {
    const href = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    if (isAddress) return replaced(inner, [`<a href="${href}">`, '', '</a>'])
    return replaced(inner, ['<a href="', href, `">${chosen}</a>`])
  }
  // A closing bracket would end the address.
  const target = /[()<>]/.test(address)
    ? `<${address.replaceAll(/[<>]/g, encodeURIComponent)}>`
    : address
  if (isAddress) return replaced(inner, ['[', '', `](${target})`])
  return replaced(inner, [`[${chosen}](`, target, ')'])
}

/** One line becomes a part of its line, several lines become a block. */
function codeText(marked: MarkedText, language: MarkupLanguage): TextEdit {
  const isBlock = selected(marked).includes('\n')
  if (language === 'html')
    return isBlock
      ? wrapText(wholeLines(marked), '<pre><code>', '</code></pre>')
      : wrapTag(marked, 'code')
  const runs = selected(marked).match(/`+/g) ?? []
  const longest = Math.max(0, ...runs.map(({ length }) => length))
  if (isBlock) {
    const fence = '`'.repeat(Math.max(3, longest + 1))
    const all = wholeLines(marked)
    return replaced(all, [`${fence}\n`, selected(all), `\n${fence}`])
  }
  if (longest === 0 || /^`[^`]*`$/.test(selected(marked))) return wrapText(marked, '`', '`')
  const mark = '`'.repeat(longest + 1)
  return replaced(marked, [`${mark} `, selected(marked), ` ${mark}`])
}

/** A table of two columns and two rows, in lines of its own after the selection. */
function insertTable({ marked: { text, to }, language, words }: Job): TextEdit {
  const heads = [1, 2].map((number) => `${words.column} ${number}`)
  const [first = ''] = heads
  const rows =
    language === 'html'
      ? [
          '<table>',
          `  <tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>`,
          '  <tr><td></td><td></td></tr>',
          '  <tr><td></td><td></td></tr>',
          '</table>',
        ]
      : [`| ${heads.join(' | ')} |`, '| --- | --- |', '|  |  |', '|  |  |']
  const table = rows.join('\n')
  const before = to === 0 ? '' : text[to - 1] === '\n' ? '\n' : '\n\n'
  const after = to === text.length || text[to] === '\n' ? '\n' : '\n\n'
  const place = table.indexOf(first)
  const whole = { text, from: to, to }
  const end = place + first.length
  return replaced(whole, [before + table.slice(0, place), first, table.slice(end) + after])
}
