// Preferences that this browser stores. If storage is blocked, they last until the page is closed.

export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

const THEME = 'cms.theme'
const LANGUAGE = 'cms.language'

export function storedTheme(): Theme {
  const stored = read(THEME)
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

/** The theme `auto` follows the system, which the style sheets handle. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'auto') delete dataset['theme']
  else dataset['theme'] = theme
}

export function storeTheme(theme: Theme): void {
  write(THEME, theme)
}

export function storedLanguage(): string | undefined {
  return read(LANGUAGE)
}

export function storeLanguage(language: string): void {
  write(LANGUAGE, language)
}

function read(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage is blocked.
  }
}
