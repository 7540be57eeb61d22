// Visibility of characters: names must show something, and control and invisible characters are escaped where
// untrusted texts are printed.

/** Arabic and other number signs are format characters in Unicode, but visible. */
const SIGN = '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]'

/**
 * Control and format characters (direction marks, joiners), and characters that fonts omit, such as variation
 * selectors.
 */
const UNSEEN = `(?!${SIGN})[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`

/** Also includes all spaces, the empty Braille pattern and the null note head. */
const BLANK = new RegExp(`^(?:${UNSEEN}|[\\p{White_Space}\\u2800\\u{1d159}])*$`, 'u')

export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

/**
 * An invisible character at an end of a text. The parts of an emoji, and the variation of a Chinese character,
 * belong to the visible character before them.
 */
const HIDDEN = `(?:${UNSEEN}|[\\p{White_Space}\\u2800])`
const EMOJI_PART = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\u{e0020}-\\u{e007f}]+'
const HIDDEN_START = new RegExp(`^${HIDDEN}`, 'u')
const HIDDEN_END = new RegExp(`${HIDDEN}$`, 'u')
const VISIBLE_END = new RegExp(`(?:${EMOJI_PART}|\\p{sc=Han}[\\u{e0100}-\\u{e01ef}])$`, 'u')

/** The blank or invisible character with which a text begins or ends, undefined if there is none. */
export function hiddenEnd(text: string): string | undefined {
  const [start] = HIDDEN_START.exec(text) ?? []
  return start ?? (VISIBLE_END.test(text) ? undefined : HIDDEN_END.exec(text)?.[0])
}

const UNSAFE = new RegExp(`${UNSEEN}|[\\u2028\\u2029\\p{Cs}]`, 'gu')
const PRINTABLE = /^[\x20-\x7e]*$/

/** A text that is safe to print on one line of a terminal; idempotent. */
export function shown(text: string): string {
  if (PRINTABLE.test(text) || text.search(UNSAFE) < 0) return text
  // Escaped as well, because otherwise a name could imitate an escaped name.
  return text.replaceAll('\\', '\\\\').replace(UNSAFE, escape)
}

/** The same for text of several lines. */
export function shownLines(text: string): string {
  return text.split('\n').map(shown).join('\n')
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return JSON.stringify(character).slice(1, -1)
  const digits = code.toString(16)
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
}
