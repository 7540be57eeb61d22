// Texts are compared in composed form (NFC), so that é of one code point equals é of two; a Mac sends file
// names with the latter. Texts are stored, indexed and sorted as given.

const ASCII = /^[\x00-\x7f]*$/

/**
 * Composition replaces these by K, ; and `. They are kept here, because an index would otherwise need two
 * lookups for each K.
 */
const ASCII_STAND_INS = /([\u212a\u037e\u1fef])/

export function composed(text: string): string {
  if (ASCII.test(text)) return text
  if (!ASCII_STAND_INS.test(text)) return text.normalize('NFC')
  const parts = text.split(ASCII_STAND_INS)
  return parts.map((part, at) => (at % 2 === 0 ? part.normalize('NFC') : part)).join('')
}

export interface Spellings {
  readonly texts: readonly string[]
  /** False: equal texts begin with one of `texts`. */
  readonly isWhole: boolean
}

/** With more spellings, a text is looked up by its beginning. */
const MAX_SPELLINGS = 16

/** A character with its combining marks. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu

/**
 * The number of marks of one character whose orders are tried; with more marks, a text is looked up by the part before them.
 */
const MAX_MARKS = 3

/**
 * Stored spellings of a composed text: each character composed, decomposed, partly decomposed, or as a
 * compatibility character.
 */
export function spellingsOf(text: string): Spellings {
  if (ASCII.test(text) || text.toWellFormed() !== text) return { texts: [text], isWhole: true }
  let texts: readonly string[] = ['']
  for (const [cluster] of text.matchAll(CLUSTER)) {
    const forms = formsOf(cluster)
    if (forms === undefined || texts.length * forms.length > MAX_SPELLINGS)
      return { texts, isWhole: false }
    texts = texts.flatMap((start) => forms.map((form) => start + form))
  }
  return { texts, isWhole: true }
}

/** For `ế`: itself, `ê` and an acute, or three code points, with its marks in any equivalent order. */
function formsOf(cluster: string): readonly string[] | undefined {
  if (ASCII.test(cluster)) return [cluster]
  const decomposed = cluster.normalize('NFD')
  const [first = '', ...marks] = decomposed
  if (marks.length > MAX_MARKS) return undefined
  const forms = ordersOf(marks).flatMap((order) => {
    const points = [first, ...order]
    return points.flatMap((_, at) => {
      const [start, rest] = [points.slice(0, at + 1).join(''), points.slice(at + 1).join('')]
      const others = standIns().get(start.normalize('NFD')) ?? []
      return [start, start.normalize('NFC'), ...others].map((each) => each + rest)
    })
  })
  return [...new Set([cluster, ...forms])].filter((form) => form.normalize('NFD') === decomposed)
}

function ordersOf(marks: readonly string[]): readonly (readonly string[])[] {
  if (marks.length < 2) return [marks]
  return marks.flatMap((mark, at) =>
    ordersOf(marks.toSpliced(at, 1)).map((others) => [mark, ...others]),
  )
}

/** Blocks with characters that composition replaces: the Kelvin sign, Ohm, compatibility ideographs. */
const REPLACED = [
  [0x340, 0x387],
  [0x958, 0xfb9],
  [0x1f71, 0x2329],
  [0x232a, 0x2adc],
  [0xf900, 0xfb4e],
  [0x1d15e, 0x1d1c0],
  [0x2f800, 0x2fa1d],
] as const

let known: ReadonlyMap<string, readonly string[]> | undefined

/** Characters that are never in composed form, by their decomposition. Built on first use. */
function standIns(): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known
  const found = new Map<string, string[]>()
  for (const [from, to] of REPLACED)
    for (let code = from; code <= to; code += 1) {
      const character = String.fromCodePoint(code)
      if (character.normalize('NFC') === character) continue
      const decomposed = character.normalize('NFD')
      found.set(decomposed, [...(found.get(decomposed) ?? []), character])
    }
  known = found
  return known
}
