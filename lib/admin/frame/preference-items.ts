// Menu items for language and appearance.

import { THEMES } from '../client/preferences.ts'
import { LANGUAGES } from '../texts/languages.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { useAllPreferences } from './preferences.ts'

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
