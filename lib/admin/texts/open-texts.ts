// The texts that are loaded: the first of a language with the language, and the parts that pages say when such a page
// is opened. A part that is there in one language is there in each that was opened, so that a page outlives a change.

import { LANGUAGES, type PartName } from './languages.ts'
import type { Texts } from './translation.ts'

export interface OpenTexts {
  /** The same object each time; what is added later comes into it. */
  readonly of: (language: string) => Promise<Texts>
  /** Resolves when they are there. */
  readonly add: (parts: readonly PartName[]) => Promise<unknown>
}

export function openTexts(): OpenTexts {
  const wanted = new Set<PartName>()
  const opened = new Map<string, object>()

  async function complete(language: string): Promise<Texts> {
    const own = LANGUAGES[language]
    if (own === undefined) throw new Error(`There is no language ${language}.`)
    const texts = opened.get(language) ?? {}
    opened.set(language, texts)
    Object.assign(texts, (await own.first()).first)
    // More may be wanted while these come. What was loaded before is there at once.
    for (let loaded = -1; loaded < wanted.size; ) {
      loaded = wanted.size
      Object.assign(texts, ...(await Promise.all([...wanted].map((part) => own.parts[part]()))))
    }
    // The types of English tell the places, which are the same in all.
    return texts as Texts
  }

  return {
    of: complete,
    add(parts) {
      for (const part of parts) wanted.add(part)
      return Promise.all([...opened.keys()].map(complete))
    },
  }
}
