// What a reader has chosen for this browser. Where storing is forbidden, a choice lasts as long as the page.

export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

const THEME = 'cms.theme'
const LANGUAGE = 'cms.language'

export function storedTheme(): Theme {
  const stored = read(THEME)
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

/** auto: as the system has it, which style sheets know by themselves. */
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
    // It is not kept.
  }
}
