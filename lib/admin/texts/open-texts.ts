// Loads texts: the first texts with the language, other parts when a page needs them. Every loaded part is loaded in
// each opened language, so that a page survives a change of language.

import { LANGUAGES, type PartName } from './languages.ts'
import type { Texts } from './translation.ts'

export interface OpenTexts {
  /** Returns the same object each time; parts that load later are added to this object. */
  readonly of: (language: string) => Promise<Texts>
  /** Resolves when the parts are loaded. */
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
    // More parts may be requested while these load. Loaded parts resolve at once.
    for (let loaded = -1; loaded < wanted.size; ) {
      loaded = wanted.size
      Object.assign(texts, ...(await Promise.all([...wanted].map((part) => own.parts[part]()))))
    }
    // All languages have the placeholders of the English texts.
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
