// The languages there are. A new one is a file beside en.ts, and a line here; what it lacks does not compile.

import type { Texts, Translation } from './translation.ts'

interface Language {
  /** In the language itself. */
  readonly name: string
  readonly load: () => Promise<Translation>
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: 'English', load: () => import('./en.ts').then(({ en }) => en) },
  de: { name: 'Deutsch', load: () => import('./de.ts').then(({ de }) => de) },
}

/** The first that there is, of those that a reader has chosen or the system prefers. */
export function chooseLanguage(wanted: readonly (string | undefined)[]): string {
  const codes = wanted.map((tag) => tag?.split('-', 1)[0]?.toLowerCase() ?? '')
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en'
}

export async function loadTexts(language: string): Promise<Texts> {
  const texts = await LANGUAGES[language]?.load()
  if (texts === undefined) throw new Error(`There is no language ${language}.`)
  // The types of English tell the places, which are the same in all.
  return texts as Texts
}
