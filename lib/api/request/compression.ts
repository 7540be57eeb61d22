// Texts are compressed for who asks for it (RFC 9110, 8.4): what is in memory, from 1 KB on, by brotli or gzip. Each
// form has an ETag of its own, that of the text with the name of its coding; conditional.ts takes it for the same
// content, so that a client can send back whatever ETag it has. A form is made once: for a version of a file and for
// an answer that is kept. Its length reveals something of its content (BREACH): docs/security.md explains the risk.

import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import { admits } from '../../base/cache-admission.ts'
import { acceptedCoding, type Coding } from '../../http/accept-encoding.ts'
import { codedTag, sentTag } from '../../http/conditional.ts'
import { inMemory, isText, type Reply, VARIED_BYTES, withVary } from '../../http/reply.ts'
import { type Compress, compress } from '../../http/compress.ts'

export interface Compression {
  /** The reply as this client takes it. */
  apply(reply: Reply, message: IncomingMessage): Reply | Promise<Reply>
}

type Elsewhere = (input: Compress) => Promise<Uint8Array>

/** From here on in a worker: of a shorter text the way there takes as long as the work. */
const ELSEWHERE_BYTES = 32 * 1024
/** A longer text goes as it is: in a worker it would take others their turn. */
const MAX_BYTES = 4 * 1024 * 1024
/** Forms of versions of files, together. */
const MAX_FORMS_BYTES = 8 * 1024 * 1024
const MAX_FORM_BYTES = 1024 * 1024
/** Counted for each of them besides its bytes. */
const OVERHEAD = 256
/** Longer ones nobody sends over and over. */
const MAX_HEADER_LENGTH = 256
/** What saves less is not worth the work of the client. */
const MOST = 0.9

/** Undefined where it saves nothing. */
interface Form {
  readonly bytes: Uint8Array | undefined
}

const NONE: Form = { bytes: undefined }

export function openCompression(elsewhere: Elsewhere): Compression {
  const forms = new LRUCache<string, Form>({
    maxSize: MAX_FORMS_BYTES,
    maxEntrySize: MAX_FORM_BYTES,
    sizeCalculation: ({ bytes }) => (bytes?.length ?? 0) + OVERHEAD,
  })
  const underWay = new Map<string, Promise<Form>>()
  /** Of a kept reply the one that was asked for last. */
  const ofKept = new WeakMap<Reply, { readonly coding: Coding; readonly reply: Reply }>()

  const codingFor = openCodings()

  async function make(bytes: Uint8Array, coding: Coding, isLasting: boolean): Promise<Form> {
    const input = { bytes, coding, isLasting }
    const made = bytes.length > ELSEWHERE_BYTES ? await elsewhere(input) : compress(input)
    return made.length <= bytes.length * MOST ? { bytes: made } : NONE
  }

  /** Who comes while it is made waits for it. */
  async function ofVersion(name: string, bytes: Uint8Array, coding: Coding): Promise<Form> {
    const known = forms.get(name)
    if (known !== undefined) return known
    const other = underWay.get(name)
    if (other !== undefined) return other
    const made = make(bytes, coding, true).finally(() => underWay.delete(name))
    underWay.set(name, made)
    const form = await made
    if (admits(forms, name)) forms.set(name, form)
    return form
  }

  async function find(reply: Reply, bytes: Uint8Array, coding: Coding): Promise<Form> {
    const { digest } = reply
    const made =
      digest === undefined
        ? make(bytes, coding, false)
        : ofVersion(`${digest} ${coding}`, bytes, coding)
    // Where the workers have too much to do, the text goes as it is.
    return made.catch(() => NONE)
  }

  async function compressed(reply: Reply, coding: Coding): Promise<Reply> {
    const known = ofKept.get(reply)
    if (known?.coding === coding) return known.reply
    const text = inMemory(reply.body) ?? ''
    const form = await find(reply, typeof text === 'string' ? Buffer.from(text) : text, coding)
    const made = form.bytes === undefined ? reply : coded(reply, coding, form.bytes)
    if (reply.onForm === undefined) return made
    ofKept.set(reply, { coding, reply: made })
    reply.onForm(form.bytes?.length ?? 0)
    return made
  }

  return {
    apply(reply, message) {
      if (reply.status === 304) return sameForm(reply, message)
      if (!isCompressible(reply)) return reply
      const varied = withVary(reply)
      const coding = codingFor(message.headers['accept-encoding'])
      return coding === undefined ? varied : compressed(varied, coding)
    },
  }
}

/** Clients send few different headers, over and over. */
function openCodings(): (header: string | undefined) => Coding | undefined {
  const codings = new LRUCache<string, { readonly coding: Coding | undefined }>({ max: 100 })
  return (header) => {
    if (header === undefined) return undefined
    const known = codings.get(header)
    if (known !== undefined) return known.coding
    const coding = acceptedCoding(header)
    if (header.length <= MAX_HEADER_LENGTH) codings.set(header, { coding })
    return coding
  }
}

/** Part of a file is part of the text; what is coded is coded; of what is no text nothing is gained. */
function isCompressible({ status, headers, body }: Reply): boolean {
  if (status !== 200 && status !== 201) return false
  const sizeBytes = inMemory(body)?.length ?? 0
  if (sizeBytes < VARIED_BYTES || sizeBytes > MAX_BYTES) return false
  if (headers['content-encoding'] !== undefined || !isText(headers['content-type'])) return false
  return !/no-transform/.test(String(headers['cache-control']))
}

function coded(reply: Reply, coding: Coding, bytes: Uint8Array): Reply {
  const { body, headers } = reply
  if (typeof body === 'object' && 'giveBack' in body) body.giveBack()
  // A range is one of the text.
  const { 'accept-ranges': _, etag, ...others } = headers
  const tag = etag === undefined ? {} : { etag: codedTag(String(etag), coding) }
  return {
    status: reply.status,
    headers: { 'content-encoding': coding, ...tag, ...others },
    body: bytes,
  }
}

/** A 304 has the ETag of the form that the client has (RFC 9110, 15.4.5). */
function sameForm(reply: Reply, { headers }: IncomingMessage): Reply {
  const etag = sentTag(headers, String(reply.headers['etag']))
  return etag === undefined ? reply : { ...reply, headers: { ...reply.headers, etag } }
}
