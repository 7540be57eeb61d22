// Focuses an element when it appears. The autofocus attribute works only while a document loads.

import { useEffect, useRef } from 'preact/hooks'

export function useFocus<E extends HTMLElement>(isWanted: boolean | undefined) {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (isWanted === true) ref.current?.focus()
  }, [])
  return ref
}
