// Collects a template of a page: the source with some parts replaced, and the places that depend on other records.

import { createHash } from 'node:crypto'
import type { SlotContent } from './page-slot.ts'
import type { Span } from './stml-code.ts'

export interface PageTemplate {
  /** The page without the contents of its slots. */
  readonly bytes: Uint8Array
  /** Hash of the bytes and of the slots, in hexadecimal digits. */
  readonly sha256: string
  /** In the order of the page. */
  readonly slots: readonly Slot[]
}

export type Slot = SlotContent & {
  /** Offset in the bytes. */
  readonly at: number
}

/** A path has up to 12 KB, and a page may be requested by anybody. Further slots are empty. */
const MAX_SLOTS = 1_000

export interface Output {
  /** Replaces a part of the source. Parts come in the order of the source. */
  replace(start: number, end: number, by: string): void
  /** `quote` encloses the content of the slot. */
  slot(span: Span, content: SlotContent, quote?: string): void
  end(): PageTemplate
}

export function openOutput(source: string): Output {
  const done: Buffer[] = []
  const slots: Slot[] = []
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
    slot({ start, end }, content, quote = '') {
      replace(start, end, quote)
      if (slots.length < MAX_SLOTS) {
        flush()
        slots.push({ at: doneBytes, ...content })
      }
      if (quote !== '') parts.push(quote)
    },
    end() {
      replace(source.length, source.length, '')
      flush()
      const bytes = Buffer.concat(done)
      const sha256 = createHash('sha256').update(bytes).update(JSON.stringify(slots)).digest('hex')
      return { bytes, sha256, slots }
    },
  }
}
