// Mentions of users in a text: @ada, or @"Ada Lovelace". An @ inside of a word, as in an email address, is no mention.

const MENTION = /(?<![\p{L}\p{N}._-])@(?:"([^"\n]{1,255})"|([^\s"@][^\s"]{0,254}))/gu

/** Marks that end a sentence or a bracket after the name. */
const PUNCTUATION = /[.,;:!?)\]}'’”»…]+$/u

/** For each mention, the names that it may stand for: with the punctuation behind it, and without. */
export function mentionsIn(text: string): readonly (readonly string[])[] {
  return Array.from(text.matchAll(MENTION), ([, quoted, word = '']) => {
    if (quoted !== undefined) return [quoted]
    const bare = word.replace(PUNCTUATION, '')
    return bare === word || bare === '' ? [word] : [word, bare]
  })
}
