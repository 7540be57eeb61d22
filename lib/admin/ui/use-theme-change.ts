// Calls back when light became dark or dark light, by the system or by choice: for what no style sheet reaches.

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

/** What is shown now. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
