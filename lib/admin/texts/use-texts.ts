// Returns the texts and formats of the current language.
//
//   const { t, formats } = useTexts()
//   <h1>{t.titles.keys}</h1>
//   <p>{fill(t.keys.made, { name })}</p>
//   <p>{formats.count(t.keys.count, keys.length)}</p>

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Formats } from './formats.ts'
import type { Texts } from './translation.ts'

export interface Speech {
  readonly language: string
  /** The reader's regional variant of the language: en-GB writes days before months. */
  readonly locale: string
  readonly t: Texts
  readonly formats: Formats
}

const SpeechContext = createContext<Speech | undefined>(undefined)

export const SpeechProvider = SpeechContext.Provider

export function useTexts(): Speech {
  const speech = useContext(SpeechContext)
  if (speech === undefined) throw new Error('There are no texts around this component.')
  return speech
}
