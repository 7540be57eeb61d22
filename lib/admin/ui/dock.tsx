// Panels that stay at the edge of the window while the user moves between pages.
//
//   const dock = useDock()
//   dock.show('uploads', () => <UploadPanel queue={queue} onClose={() => dock.hide('uploads')} />)

import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'

type View = () => ComponentChildren

export interface Dock {
  /** Replaces the panel with the same name. */
  readonly show: (name: string, view: View) => void
  readonly hide: (name: string) => void
}

const DockContext = createContext<Dock>({ show: () => undefined, hide: () => undefined })

export function useDock(): Dock {
  return useContext(DockContext)
}

export function DockProvider({ children }: { readonly children: ComponentChildren }) {
  const [views, setViews] = useState<ReadonlyMap<string, View>>(new Map())
  const dock = useMemo<Dock>(
    () => ({
      show: (name, view) => setViews((before) => new Map(before).set(name, view)),
      hide: (name) => setViews((before) => new Map([...before].filter(([key]) => key !== name))),
    }),
    [],
  )

  return (
    <DockContext.Provider value={dock}>
      {children}
      <div class="dock">
        {[...views].map(([name, view]) => (
          <div key={name} class="dock-item">
            {view()}
          </div>
        ))}
      </div>
    </DockContext.Provider>
  )
}
