// Maps positions in a source to positions in the compiled script by the source map.

import { readFileSync } from 'node:fs'

interface Segment {
  readonly source: number
  readonly script: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Returns a function that maps an offset in the source to the script: the nearest mapped offset
 * before or at it.
 */
export function openPositions(sourceText: string, scriptPath: string): (offset: number) => number {
  const { mappings } = JSON.parse(readFileSync(`${scriptPath}.map`, 'utf8')) as { mappings: string }
  const segments = parseMappings(mappings, {
    source: lineStartsOf(sourceText),
    script: lineStartsOf(readFileSync(scriptPath, 'utf8')),
  }).toSorted((left, right) => left.source - right.source)
  return (offset) => segments.findLast(({ source }) => source <= offset)?.script ?? 0
}

interface LineStarts {
  readonly source: readonly number[]
  readonly script: readonly number[]
}

/**
 * Source Map Revision 3: lines end with `;` and segments with `,`; each field is relative to the
 * previous segment.
 */
function parseMappings(mappings: string, starts: LineStarts): readonly Segment[] {
  const segments: Segment[] = []
  let sourceLine = 0
  let sourceColumn = 0
  for (const [scriptLine, line] of mappings.split(';').entries()) {
    let scriptColumn = 0
    for (const text of line.split(',')) {
      const [script = 0, , byLines, byColumns] = parseNumbers(text)
      scriptColumn += script
      if (byLines === undefined || byColumns === undefined) continue
      sourceLine += byLines
      sourceColumn += byColumns
      segments.push({
        source: (starts.source[sourceLine] ?? 0) + sourceColumn,
        script: (starts.script[scriptLine] ?? 0) + scriptColumn,
      })
    }
  }
  return segments
}

/** Base64 VLQ: five bits a digit, the lowest first, the sign in the last bit. */
function parseNumbers(text: string): readonly number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    value |= (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

function lineStartsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
}
