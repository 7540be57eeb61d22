// Compresses text bodies that are in memory, from 1 KB, with brotli or gzip, if the client accepts the coding (RFC 9110,
// 8.4). Each form has its own ETag: the ETag of the text plus the name of the coding. conditional.ts treats these ETags as
// the same content, so a client can send back any of them. Forms of file versions and of cached responses are made only
// once. Files of a site have stored forms, which may also be large. docs/security.md explains the risk that the length reveals the content (BREACH).

import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import { acceptedCoding, acceptsCoding, type Coding } from '../../http/accept.ts'
import { codedTag, sentTag } from '../../http/conditional.ts'
import {
  type AskedForm,
  discard,
  inMemory,
  isText,
  type Reply,
  type StoredForms,
  VARIED_BYTES,
  withVary,
} from '../../http/reply.ts'
import { type Compress, compress, savesEnough } from '../../http/compress.ts'

export interface Compression {
  /** The reply as this client takes it. */
  apply(reply: Reply, message: IncomingMessage): Reply | Promise<Reply>
}

type Elsewhere = (input: Compress) => Promise<Uint8Array>

/** Larger texts are compressed in a worker. For smaller texts, the transfer takes as long as the compression. */
const ELSEWHERE_BYTES = 32 * 1024
/** Larger texts are not compressed, because they would occupy a worker for too long. */
const MAX_BYTES = 4 * 1024 * 1024
/** Size of the cache for compressed file versions. */
const MAX_FORMS_BYTES = 8 * 1024 * 1024
const MAX_FORM_BYTES = 1024 * 1024
/** Bytes counted per cached form in addition to its content. */
const OVERHEAD = 256
/** Longer Accept-Encoding headers are not cached, because real clients do not repeat them. */
const MAX_HEADER_LENGTH = 256

/** `bytes` is undefined if compression does not save enough. */
interface Form {
  readonly bytes: Uint8Array | undefined
}

const NONE: Form = { bytes: undefined }

export function openCompression(elsewhere: Elsewhere): Compression {
  const forms = openForms(elsewhere)
  /** The last compressed form of each cached reply. */
  const ofKept = new WeakMap<Reply, { readonly coding: Coding; readonly reply: Reply }>()
  const codingFor = openCodings()

  /** Undefined: the form is not stored yet. */
  function find(reply: Reply, asked: AskedForm): Promise<Form | undefined> {
    if (reply.stored !== undefined) return forms.ofStored(reply.stored, asked)
    const text = inMemory(reply.body) ?? ''
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return forms.ofText(bytes, asked.coding, reply.digest)
  }

  async function compressed(reply: Reply, asked: AskedForm): Promise<Reply> {
    const { coding } = asked
    const known = ofKept.get(reply)
    if (known?.coding === coding) return known.reply
    const form = await find(reply, asked).catch((error: unknown) => {
      discard(reply.body)
      throw error
    })
    const made = form?.bytes === undefined ? reply : coded(reply, coding, form.bytes)
    if (reply.onForm === undefined || form === undefined) return made
    ofKept.set(reply, { coding, reply: made })
    reply.onForm(form.bytes?.length ?? 0)
    return made
  }

  return {
    apply(reply, message) {
      if (reply.status === 304) return sameForm(reply, message)
      if (reply.stored === undefined && !isCompressible(reply)) return reply
      if (isFinal(reply)) return reply
      const varied = withVary(reply)
      const header = message.headers['accept-encoding']
      const coding = codingFor(header)
      if (coding === undefined) return varied
      const isAwaited = reply.stored !== undefined && !acceptsCoding(header, 'identity')
      return compressed(varied, { coding, isAwaited })
    },
  }
}

interface Forms {
  /** The form of a text; with the hash of a file version, the form is cached. */
  ofText(bytes: Uint8Array, coding: Coding, digest: string | undefined): Promise<Form>
  /** Undefined if the form is not stored yet. Throws HandOver in a reader process. */
  ofStored(stored: StoredForms, asked: AskedForm): Promise<Form | undefined>
}

function openForms(elsewhere: Elsewhere): Forms {
  const forms = new LRUCache<string, Form>({
    maxSize: MAX_FORMS_BYTES,
    maxEntrySize: MAX_FORM_BYTES,
    sizeCalculation: ({ bytes }) => (bytes?.length ?? 0) + OVERHEAD,
  })
  const underWay = new Map<string, Promise<Form>>()

  function keep(name: string, form: Form): Form {
    if (admits(forms, name)) forms.set(name, form)
    return form
  }

  async function make(bytes: Uint8Array, coding: Coding, use: Compress['use']): Promise<Form> {
    const input = { bytes, coding, use }
    const made = bytes.length > ELSEWHERE_BYTES ? await elsewhere(input) : compress(input)
    return savesEnough(made, bytes) ? { bytes: made } : NONE
  }

  /** Concurrent requests for the same form share one compression. */
  async function ofVersion(name: string, bytes: Uint8Array, coding: Coding): Promise<Form> {
    const known = forms.get(name)
    if (known !== undefined) return known
    const other = underWay.get(name)
    if (other !== undefined) return other
    const made = make(bytes, coding, 'cached').finally(() => underWay.delete(name))
    underWay.set(name, made)
    return keep(name, await made)
  }

  return {
    ofText(bytes, coding, digest) {
      const made =
        digest === undefined
          ? make(bytes, coding, 'once')
          : ofVersion(`${digest} ${coding}`, bytes, coding)
      // If the workers are overloaded, the text is sent uncompressed.
      return made.catch(() => NONE)
    },

    async ofStored(stored, asked) {
      const name = `${stored.name} ${asked.coding}`
      const known = forms.get(name)
      if (known !== undefined) return known
      const bytes = await stored.find(asked)
      return bytes && keep(name, bytes.length === 0 ? NONE : { bytes })
    },
  }
}

/** Caches the parsed Accept-Encoding headers, because clients send only a few different values. */
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

export function isCompressedSize(sizeBytes: number): boolean {
  return sizeBytes >= VARIED_BYTES && sizeBytes <= MAX_BYTES
}

/** Excludes partial responses, responses that are already encoded, and bodies that are not text. */
function isCompressible({ status, headers, body }: Reply): boolean {
  if (status !== 200 && status !== 201) return false
  const sizeBytes = inMemory(body)?.length ?? 0
  if (!isCompressedSize(sizeBytes)) return false
  return headers['content-encoding'] === undefined && isText(headers['content-type'])
}

function isFinal({ headers }: Reply): boolean {
  return /no-transform/.test(String(headers['cache-control']))
}

function coded(reply: Reply, coding: Coding, bytes: Uint8Array): Reply {
  const { body, headers } = reply
  discard(body)
  // Ranges refer to the uncompressed text.
  const { 'accept-ranges': _, etag, ...others } = headers
  const tag = etag === undefined ? {} : { etag: codedTag(String(etag), coding) }
  return {
    status: reply.status,
    headers: { 'content-encoding': coding, ...tag, ...others },
    body: bytes,
  }
}

/** A 304 must have the ETag of the form that the client has cached (RFC 9110, 15.4.5). */
function sameForm(reply: Reply, { headers }: IncomingMessage): Reply {
  const etag = sentTag(headers, String(reply.headers['etag']))
  return etag === undefined ? reply : { ...reply, headers: { ...reply.headers, etag } }
}
