// A key that does something as long as the component is there. Keys without Ctrl are for the page alone: in a field
// they are letters.
//
//   useShortcut('n', openNew)
//   useShortcut('mod+k', openPalette)      Ctrl, on a Mac Command

import { useEffect, useRef } from 'preact/hooks'

const MOD = 'mod+'

export function useShortcut(keys: string, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const isWithMod = keys.startsWith(MOD)
    const key = isWithMod ? keys.slice(MOD.length) : keys
    const listen = (event: KeyboardEvent): void => {
      const isMod = event.ctrlKey || event.metaKey
      if (event.key.toLowerCase() !== key || isMod !== isWithMod || event.altKey) return
      if (event.defaultPrevented || (!isWithMod && isTyping(event.target))) return
      // What lies behind a dialog waits.
      if (!isWithMod && document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [keys])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
