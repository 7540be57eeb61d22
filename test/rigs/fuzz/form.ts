// The upload form against two other readers: busboy without our checks, and the strict reader of Node's
// own Response. What we accept, they read as the same parts; and how the bytes arrive changes nothing.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import busboy from 'busboy'
import { readParts } from '../../../lib/http/form-parser.ts'
import { type Fuzzer, refusalOf } from './engine.ts'

const BOUNDARY = 'b'
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const LIMITS = { maxFieldBytes: 64, maxFields: 3, maxBodyBytes: 2_048 }

const MAX_SPLIT_BYTES = 256

/**
 * The line of a boundary that is cut after its first character, and the next boundary right behind it. No form has
 * that; busboy 1.6.0 does not see the second one where both come in one piece, and sees it where they do not.
 */
const HIDDEN_BOUNDARY = /--b[\r-]\r\n--b/

/** The parts, or the refusal. */
type Reading = readonly Part[] | string

type Part = readonly [name: string, fileName: string | undefined, bytes: string]

export const form: Fuzzer = {
  name: 'form',
  isBinary: true,
  dictionary: [
    ...['\r\n', '--b', '--b--', '--', '\r\n--b\r\n', '\r\n--b--\r\n', '\n', '\r', '\0', '\xff'],
    ...['Content-Disposition: form-data', '; name="a"', '; filename="f.txt"', 'name=a', '"', ';'],
    ...[
      "; filename*=UTF-8''%C3%A9",
      'Content-Type: text/plain',
      '; charset=latin1',
      'x'.repeat(65),
    ],
    ...['Content-Transfer-Encoding: base64', '; name="__proto__"', 'attachment', '\xc3\xa9', '\\'],
  ],
  async check(input) {
    if (HIDDEN_BOUNDARY.test(input)) return 'a boundary that busboy may not see'
    const body = Buffer.from(input, 'latin1')
    const whole = await readOurs([body])
    const strict = await readStrictly(body)
    const isMalformed = strict === undefined
    const middle = Math.floor(body.length / 2)
    compare(whole, await readOurs([body.subarray(0, middle), body.subarray(middle)]), isMalformed)
    if (body.length < MAX_SPLIT_BYTES)
      compare(whole, await readOurs(Array.from(body, (byte) => Uint8Array.of(byte))), isMalformed)
    if (typeof whole === 'string') return whole

    const loose = await readBusboy(body).catch(() => undefined)
    assert.ok(loose !== undefined || isMalformed, 'busboy refuses the form')
    if (loose !== undefined) assert.deepEqual(whole, loose, 'busboy reads other parts')
    // busboy passes over a part whose disposition it cannot read; no reader finds one more.
    const known = new Set(strict?.map(withoutFileName))
    if (strict !== undefined)
      assert.deepEqual(
        whole.filter((part) => !known.has(withoutFileName(part))),
        [],
        'Response does not read this part',
      )
    return `${whole.length} parts, ${strict === undefined ? 'not strict' : 'strict'}`
  },
}

/**
 * Two readings of the same bytes in other pieces. Where a form is malformed, another fault may be met
 * first, and busboy may pass over one; but what is accepted twice has the same parts.
 */
function compare(whole: Reading, split: Reading, isMalformed: boolean): void {
  if (typeof whole === 'string' && typeof split === 'string') return
  if (isMalformed && (typeof whole === 'string' || typeof split === 'string')) return
  assert.deepEqual(split, whole, 'the bytes came in other pieces')
}

async function readOurs(pieces: readonly Uint8Array[]): Promise<Reading> {
  const filled = pieces.filter(({ length }) => length > 0)
  const request = Object.assign(Readable.from(filled, { objectMode: false }), {
    headers: { 'content-type': CONTENT_TYPE },
  })
  const parts: Part[] = []
  const files: Promise<unknown>[] = []
  try {
    await readParts(request as unknown as IncomingMessage, LIMITS, {
      takeField: (name, value) => void parts.push([name, undefined, value]),
      takeFile(name, stream, fileName) {
        const taken = textOf(stream).then((text) => parts.push([name, fileName ?? '', text]))
        files.push(taken)
        return taken
      },
    })
    await Promise.all(files)
    return parts.sort(byName)
  } catch (error) {
    await Promise.allSettled(files)
    return refusalOf(error)
  } finally {
    request.destroy()
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function readBusboy(body: Buffer): Promise<readonly Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    const parser = busboy({ headers: { 'content-type': CONTENT_TYPE }, defParamCharset: 'utf8' })
    parser.on('field', (name, value) => parts.push([name, undefined, value]))
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => parts.push([name, filename, Buffer.concat(chunks).toString('latin1')]))
      stream.on('error', reject)
    })
    parser.on('error', reject)
    parser.on('close', () => resolve(parts.sort(byName)))
    // Byte by byte, because it reads on behind the closing boundary to the end of a chunk.
    for (const byte of body) parser.write(Uint8Array.of(byte))
    parser.end()
  })
}

/**
 * Undefined where Node refuses the form: it is stricter than busboy in what surrounds the parts. A file
 * without a name is a field to busboy, and to Node a file; Node decodes base64, which is kept as sent here;
 * of two dispositions of a part the first counts for busboy, the last for Node, and so it is with two names (Node 24).
 */
async function readStrictly(body: Buffer): Promise<readonly Part[] | undefined> {
  const text = body.toString('latin1')
  if (/content-transfer-encoding/i.test(text) || text.split('--b').some(isAmbiguous))
    return undefined
  const bytes = new Uint8Array(body)
  const response = new Response(bytes, { headers: { 'content-type': CONTENT_TYPE } })
  // oxlint-disable-next-line typescript/no-deprecated -- no reader for a server, but a second one to compare with
  const data = await response.formData().catch(() => undefined)
  if (data === undefined) return undefined
  if ([...data.values()].some((value) => typeof value !== 'string' && value.name === ''))
    return undefined
  const parts = [...data].map(async ([name, value]): Promise<Part> => {
    if (typeof value === 'string') return [name, undefined, value]
    const text = Buffer.from(await value.arrayBuffer()).toString('latin1')
    return [name, value.name, text]
  })
  return (await Promise.all(parts)).sort(byName)
}

const TWO_NAMES = /[\s;](name|filename)\s*=.*[\s;]\1\s*=/is

function isAmbiguous(part: string): boolean {
  const [head = ''] = part.split('\r\n\r\n', 1)
  return head.split(/content-disposition:/i).length > 2 || TWO_NAMES.test(head)
}

/** Node's reader keeps the folders of a name. */
function withoutFileName([name, fileName, bytes]: Part): string {
  return JSON.stringify([name, fileName !== undefined, bytes])
}

function byName(left: Part, right: Part): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}
