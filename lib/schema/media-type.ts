// Media types of files: by declared type, by name, and by content.

import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'

const mime = new Mime(standardTypes, otherTypes)
/** Pages that a site shows as HTML: stml-template.ts. */
export const STML = 'application/stml+xml'
export const HTML = 'text/html'
/** The sent type of a page that the site puts together. */
export const RENDERED_TYPE = 'text/html; charset=utf-8'
mime.define({ [STML]: ['stml'] }, true)

const BINARY = 'application/octet-stream'
const PLAIN = 'text/plain'

/** Types that a browser may open because they cannot contain scripts. */
const INLINE = /^(?:image\/(?!svg)|audio\/|video\/|application\/pdf$|text\/plain$)/

export interface Described {
  readonly type: string
  readonly name: string
  readonly isText: boolean
  readonly sniffedType: string | undefined
}

/** The declared type takes precedence, then the file extension, then the bytes. */
export function mediaTypeOf({ type, name, isText, sniffedType }: Described): string {
  return (
    mime.getType(`.${type.toLowerCase()}`) ??
    mime.getType(name) ??
    sniffedType ??
    (isText ? PLAIN : BINARY)
  )
}

/**
 * Whether a browser may show the bytes inline: both the detected and the sent type must allow it. Bytes can
 * begin like an image and continue as a page, and browsers trust the header.
 */
export function mayShowInline(described: Described): boolean {
  const sentType = mediaTypeOf(described)
  if (described.sniffedType !== undefined)
    return INLINE.test(described.sniffedType) && INLINE.test(sentType)
  return described.isText && sentType === PLAIN
}

/** For the Content-Type header: text is always stored as UTF-8. */
export function withCharset(mediaType: string, isText: boolean): string {
  return isText && !mediaType.includes('charset') ? `${mediaType}; charset=utf-8` : mediaType
}

/** Whether two short types have the same media type, such as jpg and jpeg. */
export function isSameType(left: string, right: string): boolean {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  if (one === other) return true
  const media = mime.getType(`.${one}`)
  return media !== null && media === mime.getType(`.${other}`)
}

/** Types that are never UTF-8 text. The table knows `ts` only as video. */
const BYTES =
  /^(?:image\/(?!svg)|audio\/|video\/(?!mp2t)|font\/|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxmlformats|oasis\.opendocument)))/

const TEXT = /^text\/|[/+](?:json|xml|javascript|yaml|toml)$/

/** Whether files of a short type contain text; undefined: unknown. */
export function isTextType(type: string): boolean | undefined {
  const media = mime.getType(`.${type.toLowerCase()}`) ?? ''
  if (BYTES.test(media)) return false
  return TEXT.test(media) ? true : undefined
}

/** `pdf` for `a.PDF`. */
export function endingOf(name: string): string | undefined {
  return /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase()
}

/** The type of a file that was uploaded without a type. */
export function typeOfName(name: string, sniffedType?: string): string {
  return (
    endingOf(name) ??
    (sniffedType === undefined ? undefined : mime.getExtension(sniffedType)) ??
    'bin'
  )
}
