// What the headers of a part say of it (RFC 7578, 4): its name, the name of its file, how its text is encoded.
// All of it is taken exactly, or refused with the reason:
//
// - In quotes %22, %0D and %0A stand for a quote, CR and LF, no other percent sign for anything, and a backslash
//   for itself. So WHATWG has it, and so send browsers, fetch, curl, requests and form-data; of a file `a%22b`
//   they send the same as of `a"b`, which nobody can tell apart. RFC 2616 has \" and \\ for a quote and a
//   backslash, as `curl --form-escape` and Go send them: a header that WHATWG could not have written is read so.
// - filename* (RFC 8187) must not be sent (RFC 7578, 4.2), but many clients send it. It wins over a filename, which
//   is then a fallback in ASCII (RFC 6266, 4.3).
// - A filename that is an encoded word (RFC 2047), as PowerShell, RestSharp and Spring send it, is decoded.
// - Headers other than these, and parameters other than name and filename, are to be ignored (RFC 7578, 4.8;
//   RFC 2183, 2.8); but a part that is encoded would have to be decoded first.

import { isAscii, isUtf8 } from 'node:buffer'
import { badForm, quote } from './form-error.ts'
import {
  parseMediaType,
  parseParameters,
  type Parameter,
  type Parameters,
  WITH_ESCAPES,
  WITHOUT_ESCAPES,
} from './parameters.ts'

export interface PartHead {
  readonly name: string
  /** Undefined in a field, and in a file that has none. */
  readonly fileName: string | undefined
  readonly isFile: boolean
  /** Of a field. */
  readonly charset: string
}

/** Characters stand for bytes here: names are decoded when they are found. */
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
// ISO 8859-1 has control characters where many who name it mean the quotes of Windows.
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

/** The text of a field, from its bytes. */
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

/** Not trim(), which takes the byte A0 for one; nor an expression, whose time would grow with the square. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** Bytes are kept as they were sent: what is encoded would be stored encoded, and nobody told. */
function requireNoEncoding(headers: Headers): void {
  for (const name of ['content-transfer-encoding', 'content-encoding']) {
    const encoding = headers.get(name)
    if (encoding === undefined || PLAIN_ENCODINGS.has(encoding.toLowerCase())) continue
    throw badForm(`A part has the ${name} ${quote(encoding)}: send its bytes as they are`)
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
    `A part has a Content-Disposition that is malformed or says something twice: ${quote(header)}`,
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
    throw badForm(`The part ${quote(name)} has no file name: it is empty, no file was chosen`)
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

/** Of a name in encoded words the text; every other name unchanged. A character may be split between two words. */
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
