// Content lines of iCalendar (RFC 5545 sections 3.1 and 3.3.11): at most 75 bytes of UTF-8, folded with a line break
// and a space, never within a character.

const MAX_BYTES = 75

/** One property as one folded line with its line end. The value is not escaped. */
export function contentLine(name: string, value: string): string {
  return `${fold(`${name}:${value}`)}\r\n`
}

/** A property with free text: separators and line ends are escaped, control characters removed. */
export function textLine(name: string, value: string): string {
  return contentLine(name, escapeText(value))
}

function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

function fold(line: string): string {
  const bytes = Buffer.from(line)
  if (bytes.length <= MAX_BYTES) return line

  const pieces: string[] = []
  let from = 0
  while (from < bytes.length) {
    // The space at the beginning of a continuation counts too.
    const to = endOfCharacter(bytes, from + MAX_BYTES - (from === 0 ? 0 : 1))
    pieces.push(bytes.toString('utf8', from, to))
    from = to
  }
  return pieces.join('\r\n ')
}

/** The last character boundary at or before this place, at most the end. */
function endOfCharacter(bytes: Buffer, place: number): number {
  let to = Math.min(place, bytes.length)
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
  return to
}
