// Asks for confirmation when the tab is closed.

import { useEffect } from 'preact/hooks'

export function useLeaveWarning(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isWanted])
}
