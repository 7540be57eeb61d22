// A second, slow and plain reader of multipart forms with the whole body in a string, where a
// character is a byte. RFC 2046, 5.1.1 defines the parts, RFC 7578 their headers, and WHATWG their
// names. The reader shares no code with lib/http. It decides which forms must be refused and what
// the others contain.

export interface ReferencePart {
  readonly name: string
  /** Undefined for a field; empty for a file without a name. */
  readonly fileName: string | undefined
  /** The bytes of a file, or the text of a field. */
  readonly content: string
}

export interface ReferenceLimits {
  readonly maxFieldBytes: number
  readonly maxFields: number
}

class Refused extends Error {}

/** Returns the parts, or undefined if the form must be refused. */
export function readReference(
  body: string,
  boundary: string,
  { maxFieldBytes, maxFields }: ReferenceLimits,
): readonly ReferencePart[] | undefined {
  try {
    const parts = divide(`\r\n${body}`, `\r\n--${boundary}`).map(readPart)
    const fits = parts.every(
      ({ fileName, bytes }) => fileName !== undefined || bytes.length <= maxFieldBytes,
    )
    if (parts.length > maxFields + 1 || !fits) return undefined
    return parts.map(({ name, fileName, content }) => ({ name, fileName, content }))
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/**
 * Returns the head and content of each part. The text begins with the CRLF that precedes every
 * boundary.
 */
function divide(text: string, delimiter: string): (readonly [string, string])[] {
  const lines = boundaryLines(text, delimiter)
  const closing = lines.findIndex(({ isClosing }) => isClosing)
  const [first, last] = [lines[0], lines[closing]]
  const dashes = delimiter.slice(2)
  if (first === undefined || last === undefined) throw new Refused('no closing boundary')
  if (text.slice(0, first.start).includes(dashes)) throw new Refused('boundary in the preamble')
  if (text.slice(last.end).includes(dashes)) throw new Refused('boundary in the epilogue')

  return lines.slice(0, closing).map(({ end }, at) => {
    const piece = text.slice(end, lines[at + 1]?.start)
    const empty = piece.indexOf('\r\n\r\n')
    if (empty === -1) throw new Refused('no end of the headers')
    if (empty > 16_386) throw new Refused('too many headers')
    if (piece.slice(0, empty).includes(delimiter)) throw new Refused('boundary in the headers')
    return [piece.slice(2, Math.max(2, empty)), piece.slice(empty + 4)]
  })
}

interface BoundaryLine {
  readonly start: number
  readonly end: number
  readonly isClosing: boolean
}

function boundaryLines(text: string, delimiter: string): BoundaryLine[] {
  const lines: BoundaryLine[] = []
  for (let start = 0; start < text.length; start += 1) {
    if (!text.startsWith(delimiter, start)) continue
    const after = start + delimiter.length
    const isClosing = text.startsWith('--', after)
    let end = isClosing ? after + 2 : after
    while (text[end] === ' ' || text[end] === '\t') end += 1
    if (end - after > 998) throw new Refused('too much padding')
    if (text.startsWith('\r\n', end) || (isClosing && end === text.length))
      lines.push({ start, end, isClosing })
  }
  return lines
}

interface Part extends ReferencePart {
  readonly bytes: string
}

function readPart([head, bytes]: readonly [string, string]): Part {
  const headers = readHeaders(head)
  for (const name of ['content-transfer-encoding', 'content-encoding'])
    if (!['7bit', '8bit', 'binary', 'identity'].includes((headers[name] ?? '7bit').toLowerCase()))
      throw new Refused('encoded')

  const disposition = headers['content-disposition'] ?? ''
  if (!/^form-data([\t ;]|$)/i.test(disposition)) throw new Refused('no form-data')
  const text = disposition.slice('form-data'.length)
  const found = walk(text, false) ?? walk(text, true)
  if (found === undefined) throw new Refused('malformed disposition')
  const name = nameIn(found['name'])
  if (!name) throw new Refused('no name')
  const fileName = fileNameIn(found)
  if (fileName === '') throw new Refused('empty file name')
  if (fileName !== undefined) return { name, fileName, bytes, content: bytes }
  return { name, bytes, ...readByType(headers['content-type'] ?? 'text/plain', bytes) }
}

function readByType(type: string, bytes: string): Pick<Part, 'fileName' | 'content'> {
  const media = readMediaType(type)
  if (media === undefined) throw new Refused('malformed type')
  if (media.type === 'application/octet-stream') return { fileName: '', content: bytes }
  const charset = (media.parameters['charset'] ?? 'utf-8').toLowerCase()
  const codes = Array.from(bytes, (byte) => byte.charCodeAt(0))
  const isAscii = codes.every((code) => code < 0x80)
  const isLatin1 = codes.every((code) => code < 0x80 || code >= 0xa0)
  if (charset === 'us-ascii' && isAscii) return { fileName: undefined, content: bytes }
  if (['latin1', 'iso-8859-1'].includes(charset) && isLatin1)
    return { fileName: undefined, content: bytes }
  if (charset !== 'utf-8' && charset !== 'utf8') throw new Refused('another charset')
  return { fileName: undefined, content: utf8(bytes) }
}

function readHeaders(head: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  if (head === '') return headers
  const lines: string[] = []
  for (const line of head.split('\r\n')) {
    const isFolded = lines.length > 0 && (line.startsWith(' ') || line.startsWith('\t'))
    if (isFolded) lines.push(`${lines.pop()}${line}`)
    else lines.push(line)
  }
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (name === '' || !Array.from(name).every(isTokenChar)) throw new Refused('header name')
    // oxlint-disable-next-line eslint/no-control-regex -- a header must not contain these characters
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line)) throw new Refused('control character')
    const known = name.toLowerCase()
    const isSingle = /^content-(type|disposition|encoding|transfer-encoding)$/.test(known)
    if (isSingle && headers[known] !== undefined) throw new Refused('header twice')
    headers[known] = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, '')
  }
  return headers
}

interface Walked {
  readonly text: string
  readonly isQuoted: boolean
}

/** Parses parameters character by character; undefined if they are malformed or repeated. */
function walk(text: string, hasEscapes: boolean): Record<string, Walked> | undefined {
  const found: Record<string, Walked> = Object.create(null)
  let at = 0
  const blanks = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at += 1
  }
  const token = (): string => {
    const start = at
    while (at < text.length && isTokenChar(text[at] ?? '')) at += 1
    return text.slice(start, at)
  }
  const quoted = (): string | undefined => {
    let between = ''
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (hasEscapes && text[at] === '\\') between += text[at++]
      between += text[at] ?? ''
    }
    // The position moves past the closing quote, which must exist.
    return text[at++] === '"' ? between : undefined
  }

  for (blanks(); at < text.length; blanks()) {
    if (text[at++] !== ';') return undefined
    blanks()
    if (at === text.length || text[at] === ';') continue
    const name = token().toLowerCase()
    if (name === '' || text[at++] !== '=') return undefined
    const isQuoted = text[at] === '"'
    const value = isQuoted ? quoted() : token()
    if (value === undefined || (!isQuoted && value === '') || name in found) return undefined
    if (at < text.length && !' \t;'.includes(text[at] ?? '')) return undefined
    const plain =
      hasEscapes && isQuoted ? value.split('\\\\').map(unescapeQuotes).join('\\') : value
    found[name] = { text: plain, isQuoted }
  }
  return found
}

function unescapeQuotes(text: string): string {
  return text.split('\\"').join('"')
}

function nameIn(found: Walked | undefined): string | undefined {
  if (found === undefined) return undefined
  const text = utf8(found.text)
  if (!found.isQuoted) return text
  return text.split('%22').join('"').split('%0D').join('\r').split('%0A').join('\n')
}

function fileNameIn(found: Record<string, Walked>): string | undefined {
  for (const name of Object.keys(found))
    if (name !== 'filename*' && (name.startsWith('name*') || name.startsWith('filename*')))
      throw new Refused('a parameter that nobody defines')
  const extended = found['filename*']
  if (extended === undefined) return readWords(nameIn(found['filename']))
  const [charset = '', language, text, ...more] = extended.text.split("'")
  const isWhole = text !== undefined && more.length === 0 && /^[\w-]*$/.test(language ?? '')
  if (extended.isQuoted || charset.toLowerCase() !== 'utf-8' || !isWhole)
    throw new Refused('filename*')
  if (!/^([\w!#$&+.^`|~-]|%[0-9a-f][0-9a-f])*$/i.test(text)) throw new Refused('filename*')
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refused('filename* is not UTF-8')
  }
}

/**
 * Decodes a name that consists of encoded words only (RFC 2047, 2), with optional blanks between
 * the words.
 */
function readWords(text: string | undefined): string | undefined {
  let [rest, bytes, isRead] = [text ?? '', '', true]
  while (rest !== '') {
    const [word = '', start = '', form = '', content = ''] =
      /^=\?([^\s?]+)\?([bq])\?([^\s?]*)\?=\s*/i.exec(rest) ?? []
    const [charset = '', ...languages] = start.split('*')
    if (word === '' || charset === '' || languages.length > 1) return text
    rest = rest.slice(word.length)
    const isBase64 = form.toLowerCase() === 'b'
    const isWhole = (isBase64 ? /^[a-z0-9+/]*={0,2}$/i : /^([!-<>-~]|=[0-9a-f]{2})*$/i).test(
      content,
    )
    isRead &&= isWhole && /^utf-?8$/i.test(charset)
    bytes += isBase64 ? Buffer.from(content, 'base64').toString('latin1') : unquote(content)
  }
  if (!isRead) throw new Refused('encoded words of another charset')
  return text === undefined ? undefined : utf8(bytes)
}

function unquote(content: string): string {
  const text = content.split('_').join(' ')
  return text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

export interface ReferenceType {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Parses Content-Type (RFC 9110, 8.3.1). */
export function readMediaType(text: string): ReferenceType | undefined {
  const end = /[\t ;]/.exec(text)?.index ?? text.length
  const [type = '', subtype = '', ...more] = text.slice(0, end).split('/')
  const isType = [type, subtype].every((part) => part !== '' && [...part].every(isTokenChar))
  const parameters = walkEscaped(text.slice(end))
  if (!isType || more.length > 0 || parameters === undefined) return undefined
  return { type: `${type}/${subtype}`.toLowerCase(), parameters }
}

/** RFC 9110 has a single kind of quoted string, in which a backslash escapes any character. */
function walkEscaped(text: string): Record<string, string> | undefined {
  const marked = text.replace(/\\(.)/gs, (_, character: string) =>
    String.fromCharCode(0xe000 + character.charCodeAt(0)),
  )
  const found = walk(marked, false)
  if (found === undefined) return undefined
  const values = Object.entries(found).map(([name, value]) => [
    name,
    Array.from(value.text, (character) => {
      const code = character.charCodeAt(0)
      return code >= 0xe000 ? String.fromCharCode(code - 0xe000) : character
    }).join(''),
  ])
  return Object.fromEntries(values) as Record<string, string>
}

function isTokenChar(character: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]$/.test(character)
}

function utf8(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  if (Buffer.from(text, 'utf8').toString('latin1') !== bytes) throw new Refused('not UTF-8')
  return text
}
