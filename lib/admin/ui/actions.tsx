// Actions of the current page: the palette lists them, and shortcuts run them. Shortcuts without Ctrl do not apply in
// fields, where they are letters.
//
//   useActions([{ id: 'new-key', text: t.acts.newKey, icon: 'plus', keys: 'n', run: openNew }])

import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { IconName } from './icon.tsx'
import { isShortcut } from './shortcut.tsx'

export interface Action {
  /** Replaces a palette item with the same id. */
  readonly id: string
  readonly text: string
  readonly icon: IconName
  /** In the syntax of useShortcut(). */
  readonly keys?: string
  readonly run: () => void
}

export interface Actions {
  /** Returns a function that removes the actions. */
  readonly add: (read: () => readonly Action[]) => () => void
  /** Current actions. */
  readonly all: () => readonly Action[]
}

const ActionsContext = createContext<Actions>({ add: () => () => undefined, all: () => [] })

export function ActionsProvider({ children }: { readonly children: ComponentChildren }) {
  const actions = useMemo<Actions>(() => {
    const sources = new Set<() => readonly Action[]>()
    return {
      add(read) {
        sources.add(read)
        return () => sources.delete(read)
      },
      all: () => [...sources].flatMap((read) => read()),
    }
  }, [])
  return <ActionsContext.Provider value={actions}>{children}</ActionsContext.Provider>
}

/** For components that list the actions. */
export function useAllActions(): Actions {
  return useContext(ActionsContext)
}

export function useActions(actions: readonly Action[]): void {
  const all = useAllActions()
  const latest = useRef(actions)
  latest.current = actions
  // An effect would run after the paint, and a key pressed in between would be lost.
  useLayoutEffect(() => all.add(() => latest.current), [all])
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const action = latest.current.find(
        ({ keys }) => keys !== undefined && isShortcut(event, keys),
      )
      if (action === undefined) return
      event.preventDefault()
      action.run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
