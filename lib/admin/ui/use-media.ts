// Returns whether a media query matches, such as (max-width: 48rem), and renders again when the answer changes.

import { useEffect, useState } from 'preact/hooks'

export function useMedia(query: string): boolean {
  const [isMatching, setIsMatching] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const read = (): void => setIsMatching(list.matches)
    read()
    list.addEventListener('change', read)
    return () => list.removeEventListener('change', read)
  }, [query])
  return isMatching
}
