// Names of folders and files. Names are data, never paths: stored as given, compared in one form.

import { hiddenEnd, isBlank } from './visible.ts'

/** The dotless i is a separate letter: Unicode folds it to itself, but it has the same capital as i. */
const DOTLESS_I = 'ı'
/** ASCII names, which are nearly all names, are already composed and have simple capitals. */
const IS_ASCII = /^[\u0000-\u007f]*$/

/**
 * Two names are equal if their folded forms are equal: composed, ignoring case. Lower case, upper case and
 * lower case again is equivalent to Unicode's full case folding: ẞ, ß, SS and ss are equal. An invisible joiner
 * counts as a letter, because it distinguishes words in Persian.
 */
export function foldName(name: string): string {
  if (IS_ASCII.test(name)) return name.toLowerCase()
  const parts = name.normalize('NFC').toLowerCase().split(DOTLESS_I)
  return parts
    .map((part) => part.toUpperCase().toLowerCase())
    .join(DOTLESS_I)
    .normalize('NFC')
}

const CONTROL_OR_BIDI =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/

const FIRST = '[^. /\\x00-\\x1f\\x7f]'
const INNER = '[^/\\x00-\\x1f\\x7f]'
const LAST = '[^ /\\x00-\\x1f\\x7f]'

/**
 * The pattern in the documentation. It accepts every name that nameFault accepts, and no other name of ASCII characters.
 * Characters beyond ASCII are left to nameFault, because Perl, PCRE and RE2 have no \u escapes: a validator that uses them
 * would reject every name. The pattern has no look-around either. The alternatives stand for a visible start, a dot and one
 * character, and a dot and more.
 */
export const NAME_PATTERN = `^(?:${FIRST}(?:${INNER}*${LAST})?|\\.${FIRST}|\\.${INNER}+${LAST})$`

const MAX_NAME_BYTES = 255

/** Why a name is rejected, or undefined. The field checks its length in characters. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  if (isBlank(name)) return 'must contain a visible character'
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  if (name.includes('/')) return 'must not contain a "/"'
  if (CONTROL_OR_BIDI.test(name))
    return 'must not contain control characters or marks that change the direction of text'
  return endFault(name)
}

/** Names that differ at an end only by an invisible character look the same. */
function endFault(name: string): string | undefined {
  const hidden = hiddenEnd(name)
  if (hidden === undefined) return undefined
  const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `must not begin or end with a blank or an invisible character (U+${code}); remove it`
}

/** File systems count bytes, and a downloaded file must keep its name. */
export function fileNameFault(name: string): string | undefined {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    return `may have at most ${MAX_NAME_BYTES} bytes in UTF-8`
  return nameFault(name)
}

const IDENTIFIER = /^[1-9]\d{0,15}$/

/**
 * A whole number from 1, in digits; undefined for any other text and for numbers that are too large to be
 * exact.
 */
export function parseIdentifier(text: string): number | undefined {
  const value = Number(text)
  return IDENTIFIER.test(text) && Number.isSafeInteger(value) ? value : undefined
}
