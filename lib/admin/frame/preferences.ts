// Language and appearance: the stored choice of this browser, or else the system preference.

import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import {
  applyTheme,
  storedLanguage,
  storedTheme,
  storeLanguage,
  storeTheme,
  type Theme,
  THEMES,
} from '../client/preferences.ts'
import { openFormats } from '../texts/formats.ts'
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts'
import { type OpenTexts, openTexts } from '../texts/open-texts.ts'
import { type Speech, useTexts } from '../texts/use-texts.ts'
import type { MenuItem } from '../ui/menu.tsx'

interface Preferences {
  /** Undefined until the texts are loaded. */
  readonly speech: Speech | undefined
  readonly addTexts: OpenTexts['add']
  readonly language: string
  readonly setLanguage: (language: string) => void
  readonly theme: Theme
  readonly setTheme: (theme: Theme) => void
}

const PreferencesContext = createContext<Preferences | undefined>(undefined)

export const PreferencesProvider = PreferencesContext.Provider

export function useAllPreferences(): Preferences {
  const preferences = useContext(PreferencesContext)
  if (preferences === undefined) throw new Error('There are no preferences around this component.')
  return preferences
}

export function usePreferences(): Preferences {
  const [language, setLanguage] = useState(() =>
    chooseLanguage([storedLanguage(), ...navigator.languages]),
  )
  const texts = useMemo(openTexts, [])
  const [speech, setSpeech] = useState<Speech>()
  const [theme, setTheme] = useState(storedTheme)

  useEffect(() => {
    let isWanted = true
    void texts.of(language).then((t) => {
      if (!isWanted) return
      document.documentElement.lang = language
      const locale = localeFor(language)
      setSpeech({ language, locale, t, formats: openFormats(locale, t.general.justNow) })
    })
    return () => {
      isWanted = false
    }
  }, [language])

  return {
    speech,
    addTexts: texts.add,
    language,
    setLanguage(next) {
      storeLanguage(next)
      setLanguage(next)
    },
    theme,
    setTheme(next) {
      storeTheme(next)
      applyTheme(next)
      setTheme(next)
    },
  }
}

function localeFor(language: string): string {
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language
}

/** Menu items for language and appearance. */
export function usePreferenceItems(): readonly MenuItem[] {
  const { t } = useTexts()
  const { language, setLanguage, theme, setTheme } = useAllPreferences()
  return [
    ...Object.entries(LANGUAGES).map(([code, { name }], at) => ({
      text: name,
      isChosen: code === language,
      onChoose: () => setLanguage(code),
      ...(at === 0 && { group: t.frame.language }),
    })),
    ...THEMES.map((each, at) => ({
      text: t.frame.themes[each],
      isChosen: each === theme,
      onChoose: () => setTheme(each),
      ...(at === 0 && { group: t.frame.theme }),
    })),
  ]
}
