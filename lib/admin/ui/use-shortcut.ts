// A key that does something as long as the component is there. Keys without Ctrl are for the page alone: in a field
// they are letters.
//
//   useShortcut('n', openNew)
//   useShortcut('mod+k', openPalette)      Ctrl, on a Mac Command

import { useLayoutEffect, useRef } from 'preact/hooks'

const MOD = 'mod+'

export function useShortcut(keys: string, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  // With what is shown: an effect comes after it, and a key that is pressed in between would do nothing.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!isShortcut(event, keys)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [keys])
}

/** Whether these are the keys, and nobody is typing or in a dialog where they mean something else. */
export function isShortcut(event: KeyboardEvent, keys: string): boolean {
  const isWithMod = keys.startsWith(MOD)
  const key = isWithMod ? keys.slice(MOD.length) : keys
  const isMod = event.ctrlKey || event.metaKey
  if (event.key.toLowerCase() !== key || isMod !== isWithMod || event.altKey) return false
  if (event.defaultPrevented) return false
  // What lies behind a dialog waits.
  return isWithMod || (!isTyping(event.target) && document.querySelector('dialog[open]') === null)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
