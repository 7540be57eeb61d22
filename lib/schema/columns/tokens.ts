// Tokens of table_schema in messages.

import type { Token } from '../../shared/schema-tokens.ts'

/** Receives a fault and its correction; parsing continues. */
export type Report = (detail: string) => undefined

const BARE = /^[A-Za-z0-9_.-]$/
const MAX_SHOWN_CHARS = 40

/** Blanks except the plain one, byte order and direction marks, characters without width, unassigned characters. */
const UNSEEN = /(?! )[\p{Z}\p{C}]|\u034f|\u115f|\u1160|\u3164|[\ufe00-\ufe0f]/gu

export function isBare({ quote, text }: Token): boolean {
  return quote === '' && BARE.test(text.charAt(0))
}

/** Bounded, so that a message does not grow with the text. */
export function showToken({ text, quote }: Token): string {
  return show(quote === '(' ? `(${text})` : text)
}

/** Invisible characters are shown by their number: a no-break space as \u00a0. */
export function show(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARS
  const shown = JSON.stringify(isLong ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
  return shown.replace(UNSEEN, escapeUnits)
}

/** Explanation for a message about an invisible character; otherwise empty. */
export function unseenHint(text: string): string {
  if (text.search(UNSEEN) === -1) return ''
  return ', an invisible character; replace it with a plain blank, or remove it'
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
