// Media types of files: by their declared type, by their name, and by their bytes.

import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'

const mime = new Mime(standardTypes, otherTypes)
mime.define({ 'application/stml+xml': ['stml'] }, true)

const BINARY = 'application/octet-stream'
const PLAIN = 'text/plain'

/** What may open in a browser without a program in it. */
const INLINE = /^(?:image\/(?!svg)|audio\/|video\/|application\/pdf$|text\/plain$)/

export interface Described {
  readonly type: string
  readonly name: string
  readonly isText: boolean
  readonly sniffedType: string | undefined
}

/** The declared type decides, then the ending of the name, then the bytes. */
export function mediaTypeOf({ type, name, isText, sniffedType }: Described): string {
  return (
    mime.getType(`.${type.toLowerCase()}`) ??
    mime.getType(name) ??
    sniffedType ??
    (isText ? PLAIN : BINARY)
  )
}

/**
 * True when a browser may show the bytes in place: when both what they are and what they are sent as
 * allow it. Bytes can begin like an image and go on as a page, and the browser believes the header.
 */
export function mayShowInline(described: Described): boolean {
  const sentType = mediaTypeOf(described)
  if (described.sniffedType !== undefined)
    return INLINE.test(described.sniffedType) && INLINE.test(sentType)
  return described.isText && sentType === PLAIN
}

/** For the header Content-Type: text is always stored as UTF-8. */
export function withCharset(mediaType: string, isText: boolean): string {
  return isText && !mediaType.includes('charset') ? `${mediaType}; charset=utf-8` : mediaType
}

/** Two short types of one media type are the same: jpg and jpeg. */
export function isSameType(left: string, right: string): boolean {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  if (one === other) return true
  const media = mime.getType(`.${one}`)
  return media !== null && media === mime.getType(`.${other}`)
}

/** What no text in UTF-8 is. Of `ts` the table only knows films. */
const BYTES =
  /^(?:image\/(?!svg)|audio\/|video\/(?!mp2t)|font\/|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxmlformats|oasis\.opendocument)))/

const TEXT = /^text\/|[/+](?:json|xml|javascript|yaml|toml)$/

/** Whether files of a short type hold text; undefined: the type does not say it. */
export function isTextType(type: string): boolean | undefined {
  const media = mime.getType(`.${type.toLowerCase()}`) ?? ''
  if (BYTES.test(media)) return false
  return TEXT.test(media) ? true : undefined
}

/** `pdf` of `a.PDF`. */
export function endingOf(name: string): string | undefined {
  return /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase()
}

/** The type of a file that came without one. */
export function typeOfName(name: string, sniffedType?: string): string {
  return (
    endingOf(name) ??
    (sniffedType === undefined ? undefined : mime.getExtension(sniffedType)) ??
    'bin'
  )
}
