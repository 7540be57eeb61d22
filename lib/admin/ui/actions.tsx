// What can be done on the page that is open: the palette offers it, and what has a key is done by that key, too. Keys
// without Ctrl are for the page alone: in a field they are letters.
//
//   useActions([{ id: 'new-key', text: t.acts.newKey, icon: 'plus', keys: 'n', run: openNew }])

import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { IconName } from './icon.tsx'
import { isShortcut } from './use-shortcut.ts'

export interface Action {
  /** In place of what the palette has under the same name. */
  readonly id: string
  readonly text: string
  readonly icon: IconName
  /** As of useShortcut. */
  readonly keys?: string
  readonly run: () => void
}

export interface Actions {
  /** Gives what takes them away again. */
  readonly add: (read: () => readonly Action[]) => () => void
  /** Those of now. */
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

/** For who shows them. */
export function useAllActions(): Actions {
  return useContext(ActionsContext)
}

export function useActions(actions: readonly Action[]): void {
  const all = useAllActions()
  const latest = useRef(actions)
  latest.current = actions
  // With what is shown: an effect comes after it, and a key that is pressed in between would do nothing.
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
