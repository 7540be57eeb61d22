// Gives an element the focus when it appears: the attribute works only for what is there when a page is loaded.

import { useEffect, useRef } from 'preact/hooks'

export function useFocus<E extends HTMLElement>(isWanted: boolean | undefined) {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (isWanted === true) ref.current?.focus()
  }, [])
  return ref
}
