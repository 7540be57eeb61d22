// While a backup copies the contents of a snapshot, no content may be removed. Removals wait meanwhile. Their rows of
// pending work remain too, so that a stop of the server forgets none.

export interface Holds {
  /** Prevents removals until the returned function is called. */
  take(): () => void
  /** Resolves when contents may be removed; undefined if they may be removed now. */
  held(): Promise<void> | undefined
}

export function openHolds(): Holds {
  let count = 0
  let free = Promise.resolve()
  let setFree: () => void = () => undefined

  return {
    take() {
      if (count === 0) {
        free = new Promise((resolve) => {
          setFree = resolve
        })
      }
      count += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        count -= 1
        if (count === 0) setFree()
      }
    },
    held: () => (count === 0 ? undefined : free),
  }
}
