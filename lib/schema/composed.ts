// Texts are compared composed (NFC), so that é of one code point and é of two are one text: a Mac sends
// the names of files with the latter. They are stored, indexed and sorted as given.

const ASCII = /^[\x00-\x7f]*$/

export function composed(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC')
}

export interface Spellings {
  readonly texts: readonly string[]
  /** False: a text that is equal begins with one of `texts`. */
  readonly isWhole: boolean
}

/** More are looked for by their beginning. */
const MAX_SPELLINGS = 16

/** A character with the marks that belong to it. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu

/** How a composed text may be stored: each character composed, decomposed or in part. */
export function spellingsOf(text: string): Spellings {
  if (ASCII.test(text) || text.toWellFormed() !== text) return { texts: [text], isWhole: true }
  let texts: readonly string[] = ['']
  for (const [cluster] of text.matchAll(CLUSTER)) {
    const forms = formsOf(cluster)
    if (texts.length * forms.length > MAX_SPELLINGS) return { texts, isWhole: false }
    texts = texts.flatMap((start) => forms.map((form) => start + form))
  }
  return { texts, isWhole: true }
}

/** As `ế`: itself, `ê` and an acute, or three code points. */
function formsOf(cluster: string): readonly string[] {
  const points = [...cluster.normalize('NFD')]
  const forms = points.map((_, at) => {
    return (
      points
        .slice(0, at + 1)
        .join('')
        .normalize('NFC') + points.slice(at + 1).join('')
    )
  })
  return [...new Set([cluster, ...forms])]
}
