// Decides whether a page is valid STML: a second implementation of the rules with patterns instead
// of a scanner, without regard to speed. It gives only the verdict; tests with exact positions
// cover the reported places.

const BLANK = '[ \\t\\n\\f\\r]'
/**
 * A complete instruction extends to its first end, and the atomic group prevents backtracking to a
 * later end.
 */
const INSTRUCTION = '(?=(?<i#><\\?[^]*?\\?>))\\k<i#>'
const TEMPLATE = '(?=(?<t#><%[^]*?%>))\\k<t#>'
const INSIDE = `(?:${INSTRUCTION}|${TEMPLATE})`
const NO_INSIDE = '(?!<\\?|<%[^]*?%>)'
const value = (quote: string): string =>
  `${quote}(?:${INSIDE}|${NO_INSIDE}[^${quote}])*${quote}(?=[\\]/,]|${BLANK})`
const SHORTCODE = `\\[/?(?=[A-Za-z_])(?:(?<==|${BLANK})(?:${value('"')}|${value("'")})|${INSIDE}|[^\\[\\]"'<])*\\]`
const FIELD = '\\{\\{\\{(?:(?!\\}\\})[^{\\n])*\\}\\}\\}?|\\{\\{(?!\\{)(?:(?!\\}\\})[^{\\n])*\\}\\}'

let groups = 0

/** Matches the pattern at a single position; group names get a number to be unique. */
function at(source: string): RegExp {
  const named = source.split(/(?=\(\?=\(\?<[it]#>)/).map((part) => {
    groups += 1
    return part.replaceAll('#>', `${groups}>`)
  })
  return new RegExp(named.join(''), 'y')
}

interface Patterns {
  readonly text: RegExp
  readonly word: RegExp
  readonly bare: RegExp
  readonly quoted: Readonly<Record<string, RegExp>>
  readonly piece: RegExp
}

function patternsOf(piece: string): Patterns {
  const unit = `${INSTRUCTION}|${piece}`
  const quoted = (quote: string): RegExp =>
    at(`${quote}(?:${unit}|(?!<\\?)(?!${piece})[^${quote}])*${quote}`)
  return {
    text: at(`(?:${piece}|(?!${piece})[^<])+`),
    word: at(`(?:(?![>=/]|${BLANK})(?:${unit}|(?!${piece})[^<]))*`),
    bare: at(`(?:(?!>|${BLANK})(?:${unit}|(?!${piece})[^<]))*`),
    quoted: { '"': quoted('"'), "'": quoted("'") },
    piece: at(piece),
  }
}

const PLAIN = patternsOf('(?!)')
const PIECES = patternsOf(`(?:${SHORTCODE}|${FIELD}|${TEMPLATE})`)
const SKIPPED = [
  at(INSTRUCTION),
  at('<!(?=--)[^]*?-->'),
  at('<!\\[CDATA\\[[^]*?\\]\\]>'),
  at('<!(?!--|\\[CDATA\\[|doctype|DOCTYPE|entity|ENTITY)[^>]*>'),
]
const BLANKS = at(`${BLANK}*`)
const AROUND = at(`(?:${BLANK}|\\ufeff)+`)
const VOID = new Set(
  'area base br col embed hr img input link meta source track wbr basefont bgsound frame keygen param'.split(
    ' ',
  ),
)
const RAW = new Set(['script', 'style', 'textarea', 'title'])

export function isPage(text: string): boolean {
  return !text.includes('\0') && (isPageBy(text, PLAIN) || isPageBy(text, PIECES))
}

interface State {
  readonly text: string
  readonly patterns: Patterns
  at: number
  readonly open: string[]
  readonly zones: Set<string>
  hasRoot: boolean
  lastVoid: string | undefined
}

function take(state: State, pattern: RegExp): string | undefined {
  pattern.lastIndex = state.at
  const found = pattern.exec(state.text)?.[0]
  if (found !== undefined) state.at += found.length
  return found
}

function isPageBy(text: string, patterns: Patterns): boolean {
  const state: State = {
    text,
    patterns,
    at: 0,
    open: [],
    zones: new Set(),
    hasRoot: false,
    lastVoid: undefined,
  }
  while (state.at < text.length) if (!readNext(state)) return false
  return state.hasRoot && state.open.length === 0
}

function readNext(state: State): boolean {
  const rest = state.text.slice(state.at, state.at + 9)
  const isOutside = state.open.length === 0
  if (isOutside && take(state, AROUND) !== undefined) return true
  if (!isOutside && take(state, state.patterns.text)) return true
  if (/^<[a-z]/i.test(rest)) return readStart(state)
  if (/^<\/[a-z]/i.test(rest)) return readEnd(state)
  if (/^<!(?:doctype|entity)/i.test(rest) || (isOutside && rest === '<![CDATA[')) return false
  if (/^<[!?]/.test(rest)) return SKIPPED.some((pattern) => take(state, pattern) !== undefined)
  state.at += 1
  return !isOutside
}

function readStart(state: State): boolean {
  state.lastVoid = undefined
  state.at += 1
  const name = nameOf(state)
  const tag = readAttributes(state)
  if (tag === undefined) return false
  if (state.open.length === 0 && (state.hasRoot || name !== 'div' || tag.id !== 'dd.0'))
    return false
  if (state.open.length >= 128 || !isNewZone(state, tag.id)) return false
  state.hasRoot = true
  if (tag.isClosed) return true
  if (VOID.has(name)) {
    state.lastVoid = name
    return true
  }
  state.open.push(name)
  if (RAW.has(name)) skipRaw(state, name)
  return true
}

function nameOf(state: State): string {
  return (take(state, state.patterns.word) ?? '').toLowerCase()
}

interface Attributes {
  readonly id: string | undefined
  readonly isClosed: boolean
}

function readAttributes(state: State): Attributes | undefined {
  let id: string | undefined
  let isClosed = false
  while (state.at < state.text.length) {
    const sign = state.text[state.at] ?? ''
    const isBlank = /[ \t\n\f\r]/.test(sign)
    if (sign === '>' || sign === '/' || isBlank) state.at += 1
    if (sign === '>') return { id, isClosed }
    isClosed = sign === '/'
    if (isClosed || isBlank || take(state, state.patterns.piece) !== undefined) continue

    const before = state.at
    const isId = nameOf(state) === 'id'
    const value = readValue(state)
    if (value === undefined || state.at === before) return undefined
    if (isId) id ??= value
  }
  return undefined
}

function readValue(state: State): string | undefined {
  take(state, BLANKS)
  if (state.text[state.at] !== '=') return ''
  state.at += 1
  take(state, BLANKS)
  const quoted = state.patterns.quoted[state.text[state.at] ?? '']
  return quoted === undefined ? take(state, state.patterns.bare) : take(state, quoted)?.slice(1, -1)
}

function readEnd(state: State): boolean {
  const { lastVoid } = state
  state.lastVoid = undefined
  state.at += 2
  const name = nameOf(state)
  take(state, BLANKS)
  if (state.text[state.at] !== '>') return false
  state.at += 1
  return name === lastVoid || state.open.pop() === name
}

function isNewZone({ zones }: State, id: string | undefined): boolean {
  if (id?.startsWith('dd.') !== true) return true
  return !zones.has(id) && zones.add(id) !== undefined
}

function skipRaw(state: State, name: string): void {
  const end = new RegExp(`</${name}(?=[>=/]|${BLANK})`, 'gi')
  end.lastIndex = state.at
  state.at = end.exec(state.text)?.index ?? state.text.length
}
