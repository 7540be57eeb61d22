// Words that do not occur by chance; some begin with the same letters.

import type { Random } from '../random.ts'

const SYLLABLES = ['la', 'yo', 'mi', 'ste', 'ra', 'qui', 'no', 'zu', 'be', 'xa', 'ter', 'vo', 'ka']

/** Returns a word like `Layomi`. */
export function newWord(random: Random): string {
  const count = 3 + random.below(2)
  const word = Array.from({ length: count }, () => random.pick(SYLLABLES)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/**
 * Returns words of {@link newWord} without repetition, because duplicate names in a folder are
 * refused.
 */
export function openWords(random: Random): () => string {
  const given = new Set<string>()
  return () => {
    let word = newWord(random)
    while (given.has(word)) word = newWord(random)
    given.add(word)
    return word
  }
}
