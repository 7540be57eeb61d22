// A shortcut as on the reader's keyboard: `mod+k` is Ctrl K, in German Strg K, or ⌘ K on a Mac.
//
//   <Keys keys="mod+k" />

import { useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'

/** Folds the side bar. */
export const FOLD_KEYS = 'mod+j'

const MAC = /mac|iphone|ipad/i

export function Keys({ keys }: { readonly keys: string }) {
  const { t } = useTexts()
  const nameOf = (key: string): string => {
    if (key !== 'mod') return key.length === 1 ? key.toUpperCase() : key
    return isMac() ? '⌘' : t.frame.ctrl
  }
  return (
    <span class="keys">
      {keys.split('+').map((key) => (
        <kbd key={key}>{nameOf(key)}</kbd>
      ))}
    </span>
  )
}

export function isMac(): boolean {
  return MAC.test(navigator.userAgent)
}

/**
 * Runs a function on a key press while the component is mounted. Shortcuts without Ctrl do not apply in fields, where
 * they are letters.
 *
 *   useShortcut('n', openNew)
 *   useShortcut('mod+k', openPalette)      Ctrl, on a Mac Command
 */
const MOD = 'mod+'

export function useShortcut(keys: string, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  // An effect would run after the paint, and a key pressed in between would be lost.
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

/** Whether the event matches, and no field or dialog has precedence. */
export function isShortcut(event: KeyboardEvent, keys: string): boolean {
  const isWithMod = keys.startsWith(MOD)
  const key = isWithMod ? keys.slice(MOD.length) : keys
  const isMod = event.ctrlKey || event.metaKey
  if (event.key.toLowerCase() !== key || isMod !== isWithMod || event.altKey) return false
  if (event.defaultPrevented) return false
  // Shortcuts do not reach behind a dialog.
  return isWithMod || (!isTyping(event.target) && document.querySelector('dialog[open]') === null)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
