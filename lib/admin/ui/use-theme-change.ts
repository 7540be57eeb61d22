// Calls back when the theme changes, by system or by choice, for drawing that style sheets cannot reach.

import { useEffect } from 'preact/hooks'

export function useThemeChange(onChange: () => void): void {
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(onChange)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    system.addEventListener('change', onChange)
    return () => {
      chosen.disconnect()
      system.removeEventListener('change', onChange)
    }
  }, [])
}

/** Whether the current theme is dark. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
