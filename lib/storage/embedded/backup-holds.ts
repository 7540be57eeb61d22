// While a backup copies the contents of one moment, none of them may be removed. Removals that come
// meanwhile wait, their rows of pending work with them, so that a stop forgets none.

export interface Holds {
  /** From now on bytes stay, until the returned function is called. */
  take(): () => void
  /** Resolves when bytes may be removed; undefined: they may be now. */
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
