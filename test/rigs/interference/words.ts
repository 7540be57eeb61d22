// Words that nobody would come upon by chance, some of which begin alike.

import type { Random } from '../random.ts'

const SYLLABLES = ['la', 'yo', 'mi', 'ste', 'ra', 'qui', 'no', 'zu', 'be', 'xa', 'ter', 'vo', 'ka']

/** Like `Layomi`. */
export function newWord(random: Random): string {
  const count = 3 + random.below(2)
  const word = Array.from({ length: count }, () => random.pick(SYLLABLES)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Words as of {@link newWord}, of which none comes twice: names that meet in one folder are refused. */
export function openWords(random: Random): () => string {
  const given = new Set<string>()
  return () => {
    let word = newWord(random)
    while (given.has(word)) word = newWord(random)
    given.add(word)
    return word
  }
}
