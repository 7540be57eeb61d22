// Preferences that this browser stores. If storage is blocked, they last until the page is closed.

import { readStored, writeStored } from './stored.ts'

export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

const THEME = 'cms.theme'
const LANGUAGE = 'cms.language'

export function storedTheme(): Theme {
  const stored = readStored(THEME)
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

/** The theme `auto` follows the system, which the style sheets handle. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'auto') delete dataset['theme']
  else dataset['theme'] = theme
}

export function storeTheme(theme: Theme): void {
  writeStored(THEME, theme)
}

export function storedLanguage(): string | undefined {
  return readStored(LANGUAGE)
}

export function storeLanguage(language: string): void {
  writeStored(LANGUAGE, language)
}
