// The content lines of an iCalendar file (RFC 5545 section 3.1) as nested components. Components and properties keep the
// number of their first line, so that an error can name the line. The work is linear in the length of the text. No
// library is used: ical.js 2.2.1 forgets line numbers, and one malformed line makes it refuse the whole file.

import { CmsError } from '../base/errors.ts'

export interface Property {
  /** In upper case, like the names of parameters. */
  readonly name: string
  readonly line: number
  readonly parameters: ReadonlyMap<string, string>
  /** As written; see file-values.ts. */
  readonly value: string
}

export interface Component {
  readonly name: string
  readonly line: number
  readonly properties: readonly Property[]
  readonly components: readonly Component[]
  /** The first line that is not a property. */
  readonly malformedLine: number | undefined
}

/** Lines of a file: 20,000 events with 25 lines each. */
const MAX_LINES = 500_000
/** VCALENDAR, VEVENT, VALARM and one more. */
const MAX_DEPTH = 8

interface Open {
  readonly name: string
  readonly line: number
  readonly properties: Property[]
  readonly components: Component[]
  malformedLine: number | undefined
}

/** The outermost components. Throws invalid-content, and too-large for a file with too many lines. */
export function readComponents(text: string): readonly Component[] {
  const root: Open = openComponent('', 0)
  const open: Open[] = [root]
  for (const { line, text: content } of contentLines(text)) {
    const property = readProperty(content, line)
    const inner = open.at(-1) ?? root
    if (property === undefined) inner.malformedLine ??= line
    else if (property.name === 'BEGIN') {
      if (open.length > MAX_DEPTH)
        throw lineFault(line, `nests components more than ${MAX_DEPTH} deep`)
      open.push(openComponent(componentName(property), line))
    } else if (property.name !== 'END') inner.properties.push(property)
    else {
      const name = componentName(property)
      if (inner === root || inner.name !== name)
        throw lineFault(line, `has END:${shortened(name)}, and ${openText(inner)}`)
      open.pop()
      open.at(-1)?.components.push(inner)
    }
  }
  const [, unclosed] = open
  if (unclosed !== undefined) {
    const inner = open.at(-1) ?? unclosed
    throw lineFault(
      inner.line,
      `begins ${shortened(inner.name)}, which has no END. Is the file complete?`,
    )
  }
  if (root.malformedLine !== undefined) throw lineFault(root.malformedLine, NO_PROPERTY)
  return root.components
}

const NO_PROPERTY = 'is not a property of an iCalendar file, which begins with BEGIN:VCALENDAR'

export function lineFault(line: number, what: string, cause?: unknown): CmsError {
  const detail = `The file is not valid iCalendar: line ${line} ${what}.`
  return new CmsError('invalid-content', detail, { cause })
}

function openComponent(name: string, line: number): Open {
  return { name, line, properties: [], components: [], malformedLine: undefined }
}

function componentName({ value }: Property): string {
  return value.trim().toUpperCase()
}

function openText({ name, line }: Open): string {
  return name === '' ? 'no component is open' : `${shortened(name)} of line ${line} is open`
}

function shortened(text: string): string {
  return text.slice(0, 40)
}

interface ContentLine {
  readonly line: number
  readonly text: string
}

/** Joins folded lines: a line that begins with a space or a tab continues the line before. Empty lines are skipped. */
function* contentLines(text: string): Generator<ContentLine> {
  let pieces: string[] = []
  let first = 1
  let number = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    const line = text.slice(from, text[to - 1] === '\r' && to > from ? to - 1 : to)
    from = to + 1
    number += 1
    if (number > MAX_LINES) throw tooManyLines()
    const isContinued = (line.startsWith(' ') || line.startsWith('\t')) && pieces.length > 0
    if (isContinued) {
      pieces.push(line.slice(1))
      continue
    }
    if (pieces.length > 0) yield { line: first, text: pieces.join('') }
    pieces = line.trim() === '' ? [] : [line]
    first = number
  }
  if (pieces.length > 0) yield { line: first, text: pieces.join('') }
}

function tooManyLines(): CmsError {
  return new CmsError(
    'too-large',
    `The file has more than ${MAX_LINES.toLocaleString('en')} lines. Send its events in several files.`,
  )
}

const NAME = /^[A-Za-z0-9-]+$/

/** Undefined if the line is not a property. */
function readProperty(text: string, line: number): Property | undefined {
  let at = text.search(/[;:]/)
  const name = at === -1 ? '' : text.slice(0, at).trim().toUpperCase()
  if (!NAME.test(name)) return undefined
  const parameters = new Map<string, string>()
  while (text[at] === ';') {
    const found = readParameter(text, at + 1)
    if (found === undefined) return undefined
    parameters.set(found.name, found.value)
    at = found.end
  }
  if (text[at] !== ':') return undefined
  return { name, line, parameters, value: text.slice(at + 1) }
}

const END_OF_VALUE = /[;:,]/g

interface Parameter {
  readonly name: string
  /** Without quotes; several values are separated by commas. */
  readonly value: string
  readonly end: number
}

function readParameter(text: string, from: number): Parameter | undefined {
  const equals = text.indexOf('=', from)
  const name = text.slice(from, equals).trim().toUpperCase()
  if (equals === -1 || !NAME.test(name)) return undefined
  const values: string[] = []
  let at = equals
  do {
    const isQuoted = text[at + 1] === '"'
    const start = isQuoted ? at + 2 : at + 1
    END_OF_VALUE.lastIndex = start
    const end = isQuoted ? text.indexOf('"', start) : (END_OF_VALUE.exec(text)?.index ?? -1)
    if (end === -1) return undefined
    values.push(text.slice(start, end))
    at = isQuoted ? end + 1 : end
  } while (text[at] === ',')
  return { name, value: values.join(','), end: at }
}
