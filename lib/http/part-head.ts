// Reads the headers of a part (RFC 7578, 4): its name, its file name, and its charset. Each value is read exactly, or the
// part is rejected with the reason:
//
// - In quotes, %22, %0D and %0A are a quote, CR and LF; any other percent sign and a backslash are literal. This is the
//   WHATWG form, which browsers, fetch, curl, requests and form-data send. They send the file names `a%22b` and `a"b` in the
//   same way, so the two cannot be distinguished. RFC 2616 has \" and \\ for a quote and a backslash, as
//   `curl --form-escape` and Go send them. A header that is not valid in the WHATWG form is read in this form.
// - filename* (RFC 8187) must not be sent (RFC 7578, 4.2), but many clients send it. It takes precedence over filename,
//   which is then an ASCII fallback (RFC 6266, 4.3).
// - A filename that is an encoded word (RFC 2047), as PowerShell, RestSharp and Spring send it, is decoded.
// - Other headers, and parameters other than name and filename, are ignored (RFC 7578, 4.8; RFC 2183, 2.8). A part with a
//   content encoding is rejected, because its bytes are stored as sent.

import { isAscii, isUtf8 } from 'node:buffer'
import { badForm, quote } from './form-error.ts'
import {
  parseMediaType,
  parseParameters,
  type Parameter,
  type Parameters,
  WITH_ESCAPES,
  WITHOUT_ESCAPES,
} from './header-values.ts'

export interface PartHead {
  readonly name: string
  /** Undefined for a field, and for a file without a name. */
  readonly fileName: string | undefined
  readonly isFile: boolean
  /** The charset of a field. */
  readonly charset: string
}

/** Values are Latin-1 strings, one character per byte. Names are decoded later. */
type Headers = ReadonlyMap<string, string>

const FOLD = /\r\n(?=[\t ])/g
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/
const DISPOSITION = /^form-data(?=[\t ;]|$)/i
const SINGLE = new Set([
  'content-disposition',
  'content-type',
  'content-transfer-encoding',
  'content-encoding',
])
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary', 'identity'])
const NO_NAMES = /^(?:name|filename)\*/
const EXTENDED = /^utf-8'[\w-]*'((?:[!#$&+.^_`|~\w-]|%[0-9a-f]{2})*)$/i
const UTF8 = /^utf-?8$/
const ENCODED_WORD = /=\?([^\s?*]+)(?:\*[^\s?]*)?\?([bq])\?([^\s?]*)\?=/gi
const ENCODED_WORDS = new RegExp(`^(?:${ENCODED_WORD.source}\\s*)+$`, 'i')
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const Q_WORD = /^(?:[!-<>-~]|=[0-9a-f]{2})*$/i
// Many clients declare ISO 8859-1 but send Windows-1252, which has quotes where ISO 8859-1 has control characters.
const LATIN1 = /^(?:iso-8859-1|latin1)$/
const NOT_LATIN1 = /[\x80-\x9f]/

export function readPartHead(block: Buffer): PartHead {
  const headers = readHeaders(block)
  requireNoEncoding(headers)
  const parameters = readDisposition(headers.get('content-disposition'))
  const name = textOf(parameters.get('name'))
  if (name === undefined || name === '') throw badForm('A part has no name')

  const fileName = readFileName(name, parameters)
  const type = headers.get('content-type')
  if (fileName !== undefined) return { name, fileName, isFile: true, charset: 'utf-8' }
  const mediaType = parseMediaType(type ?? 'text/plain')
  if (mediaType === undefined)
    throw badForm(`The Content-Type of the part ${quote(name)} is malformed: ${quote(type ?? '')}`)
  const charset = mediaType.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  return { name, fileName, isFile: mediaType.type === 'application/octet-stream', charset }
}

/** Decodes the bytes of a field. */
export function decodeField(bytes: Buffer, { name, charset }: PartHead): string {
  const text = bytes.toString('latin1')
  const isLatin1 = LATIN1.test(charset) && !NOT_LATIN1.test(text)
  if (isLatin1 || (charset === 'us-ascii' && isAscii(bytes))) return text
  if (!UTF8.test(charset) || !isUtf8(bytes)) throw badForm(`The part ${quote(name)} is not UTF-8`)
  return bytes.toString()
}

function readHeaders(block: Buffer): Headers {
  const headers = new Map<string, string>()
  if (block.length === 0) return headers
  for (const line of block.toString('latin1').replace(FOLD, '').split('\r\n')) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name === '') throw badForm(`A header of a part is malformed: ${quote(line)}`)
    const known = name.toLowerCase()
    if (SINGLE.has(known) && headers.has(known)) throw badForm(`A part has two headers ${known}`)
    headers.set(known, withoutBlanks(value))
  }
  return headers
}

/** trim() would also remove the byte A0, and a regular expression would take quadratic time. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** Rejects encoded parts, because their bytes would silently be stored in encoded form. */
function requireNoEncoding(headers: Headers): void {
  for (const name of ['content-transfer-encoding', 'content-encoding']) {
    const encoding = headers.get(name)
    if (encoding === undefined || PLAIN_ENCODINGS.has(encoding.toLowerCase())) continue
    throw badForm(`A part has the ${name} ${quote(encoding)}: send its bytes without an encoding`)
  }
}

function readDisposition(header: string | undefined): Parameters {
  if (header === undefined)
    throw badForm('A part has no Content-Disposition: form-data with its name')
  const [type] = DISPOSITION.exec(header) ?? []
  if (type === undefined)
    throw badForm(`A part has the Content-Disposition ${quote(header)}, which must be form-data`)
  const text = header.slice(type.length)
  const parameters = parseNames(text)
  if (parameters !== undefined) return parameters
  throw badForm(
    `A part has a Content-Disposition that is malformed or repeats a parameter: ${quote(header)}`,
  )
}

function parseNames(text: string): Parameters | undefined {
  const plain = parseParameters(text, WITHOUT_ESCAPES)
  if (plain !== undefined) return plain
  const escaped = parseParameters(text, WITH_ESCAPES)
  return escaped && new Map([...escaped].map(([name, value]) => [name, unescaped(value)]))
}

function unescaped({ text, isQuoted }: Parameter): Parameter {
  return { text: isQuoted ? text.replace(/\\(["\\])/g, '$1') : text, isQuoted }
}

const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

function textOf(parameter: Parameter | undefined): string | undefined {
  if (parameter === undefined) return undefined
  const { text, isQuoted } = parameter
  const bytes = Buffer.from(text, 'latin1')
  if (!isUtf8(bytes)) throw badForm(`The name ${quote(text)} of a part or its file is not UTF-8`)
  const decoded = bytes.toString()
  return isQuoted ? decoded.replace(/%(?:22|0D|0A)/g, (escape) => ESCAPES[escape] ?? '') : decoded
}

function readFileName(name: string, parameters: Parameters): string | undefined {
  for (const parameter of parameters.keys()) {
    if (NO_NAMES.test(parameter) && parameter !== 'filename*')
      throw badForm(`The part ${quote(name)} has the parameter ${quote(parameter)}: send filename`)
  }
  const extended = decodeExtended(name, parameters.get('filename*'))
  const fileName = extended ?? decodeWords(name, textOf(parameters.get('filename')))
  if (fileName === '')
    throw badForm(`The part ${quote(name)} has an empty file name, as if no file was chosen`)
  return fileName
}

function decodeExtended(name: string, parameter: Parameter | undefined): string | undefined {
  if (parameter === undefined) return undefined
  const { text, isQuoted } = parameter
  const [, escaped] = EXTENDED.exec(text) ?? []
  const bytes = escaped === undefined || isQuoted ? undefined : percentDecoded(escaped)
  if (bytes === undefined || !isUtf8(bytes))
    throw badForm(`The part ${quote(name)} has a filename* that is not UTF-8''… with %-escapes`)
  return bytes.toString()
}

function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1')
}

/** Decodes a name in encoded words and returns any other name unchanged. A character may be split between two words. */
function decodeWords(name: string, text: string | undefined): string | undefined {
  if (text === undefined || !ENCODED_WORDS.test(text)) return text
  const words = [...text.matchAll(ENCODED_WORD)].map(([, charset = '', form = '', word = '']) =>
    UTF8.test(charset.toLowerCase()) ? wordBytes(form, word) : undefined,
  )
  const bytes = words.every((word) => word !== undefined) ? Buffer.concat(words) : undefined
  if (bytes !== undefined && isUtf8(bytes)) return bytes.toString()
  throw badForm(
    `The part ${quote(name)} has a file name in encoded words (RFC 2047) that are not UTF-8: ` +
      'send the name itself, in UTF-8, as in filename="Preise für März.pdf"',
  )
}

function wordBytes(form: string, word: string): Buffer | undefined {
  if (form.toLowerCase() === 'b') return BASE64.test(word) ? Buffer.from(word, 'base64') : undefined
  if (!Q_WORD.test(word)) return undefined
  return percentDecoded(word.replaceAll('_', ' ').replaceAll('%', '=25').replaceAll('=', '%'))
}
