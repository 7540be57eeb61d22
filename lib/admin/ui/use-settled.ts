// Debounces a value.
//
//   const wanted = useSettled(text)

import { useEffect, useState } from 'preact/hooks'

const PAUSE_MS = 150

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
