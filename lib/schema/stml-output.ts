// Collects a rendered page: the source with some parts replaced, and the places of the links to files.

import { createHash } from 'node:crypto'
import type { Span } from './stml-code.ts'

export interface StmlTemplate {
  /** The body of the page, without the paths of linked files. */
  readonly bytes: Uint8Array
  /** Hash of the bytes and of the links, in hexadecimal digits. */
  readonly sha256: string
  /** In the order of the page. */
  readonly links: readonly StmlLink[]
}

/** [get_asset_file_url id=N] */
export interface StmlLink {
  /** Offset in the bytes. */
  readonly at: number
  readonly fileId: number
}

/** A path has up to 12 KB, and a page may be requested by anybody. Further links are empty. */
const MAX_LINKS = 1_000

export interface Output {
  /** Replaces a part of the source. Parts come in the order of the source. */
  replace(start: number, end: number, by: string): void
  link(span: Span, fileId: number, quote: string): void
  end(): StmlTemplate
}

export function openOutput(source: string): Output {
  const done: Buffer[] = []
  const links: StmlLink[] = []
  let parts: string[] = []
  let last = 0
  let doneBytes = 0

  function flush(): void {
    const bytes = Buffer.from(parts.join(''))
    done.push(bytes)
    doneBytes += bytes.length
    parts = []
  }

  function replace(start: number, end: number, by: string): void {
    if (start > last) parts.push(source.slice(last, start))
    if (by !== '') parts.push(by)
    last = end
  }

  return {
    replace,
    link({ start, end }, fileId, quote) {
      replace(start, end, quote)
      if (links.length < MAX_LINKS) {
        flush()
        links.push({ at: doneBytes, fileId })
      }
      if (quote !== '') parts.push(quote)
    },
    end() {
      replace(source.length, source.length, '')
      flush()
      const bytes = Buffer.concat(done)
      const sha256 = createHash('sha256').update(bytes).update(JSON.stringify(links)).digest('hex')
      return { bytes, sha256, links }
    },
  }
}
