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

/** The type of a file that came without one. */
export function typeOfName(name: string, sniffedType?: string): string {
  const ending = /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase()
  return ending ?? (sniffedType === undefined ? undefined : mime.getExtension(sniffedType)) ?? 'bin'
}
