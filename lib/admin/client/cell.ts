// Observable values. The state that the whole page shares is held in a few cells.

import { useEffect, useReducer, useState } from 'preact/hooks'

export interface Cell<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls the listener on every change, and returns a function that stops this. */
  readonly watch: (listener: (value: T) => void) => () => void
}

export function openCell<T>(initial: T): Cell<T> {
  const listeners = new Set<(value: T) => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener(value)
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the value of a cell, and renders the component again when the value changes. */
export function useCell<T>(cell: Cell<T>): T {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const shown = cell.get()
  useEffect(() => {
    // The value may have changed before this effect ran.
    if (!Object.is(cell.get(), shown)) redraw(0)
    return cell.watch(() => redraw(0))
  }, [cell])
  return shown
}

/** Like useCell(), for cells that change often: renders at once, then at most once per interval. */
export function useCalmCell<T>(cell: Cell<T>, restMs: number): T {
  const [shown, show] = useState(() => cell.get())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let drawnMs = Number.NEGATIVE_INFINITY
    const look = (): void => {
      timer = undefined
      drawnMs = performance.now()
      show(() => cell.get())
    }
    const end = cell.watch(() => {
      timer ??= setTimeout(look, Math.max(0, drawnMs + restMs - performance.now()))
    })
    look()
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [cell, restMs])
  return shown
}

/** Resolves when the value satisfies the condition; rejects with the reason of the signal. */
export function untilCell<T, W extends T>(
  cell: Cell<T>,
  isWanted: (value: T) => value is W,
  signal?: AbortSignal,
): Promise<W> {
  return new Promise((resolve, reject) => {
    const now = cell.get()
    if (isWanted(now)) return resolve(now)
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const abort = (): void => {
      end()
      reject(signal?.reason as Error)
    }
    const end = cell.watch((value) => {
      if (!isWanted(value)) return
      end()
      signal?.removeEventListener('abort', abort)
      resolve(value)
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}
