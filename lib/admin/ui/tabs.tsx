// Tabs of which one is shown. Arrow keys move between tabs, Home and End go to the first and last.
//
//   <Tabs label={t.file.parts} shown={part} onShow={setPart} tabs={[
//     { id: 'preview', text: t.file.preview, content: () => <Preview /> },
//   ]} />

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Link } from './link.tsx'

interface Tab {
  readonly id: string
  readonly text: string
  readonly content: () => ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The id of the shown tab. */
  readonly shown: string
  readonly onShow: (id: string) => void
}

export function Tabs({ label, tabs, shown, onShow }: TabsProps) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    tabs.findIndex(({ id }) => id === shown),
    0,
  )

  function go(key: string): boolean {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const to = steps[key]
    if (to === undefined) return false
    const place = (to + tabs.length) % tabs.length
    const next = tabs[place]
    if (next !== undefined) onShow(next.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[place]?.focus()
    return true
  }

  return (
    <div class="tabs">
      <div ref={list} class="tabs-list" role="tablist" aria-label={label}>
        {tabs.map(({ id, text }, place) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            class="tabs-tab"
            role="tab"
            aria-selected={place === at}
            aria-controls={`${base}-panel`}
            tabIndex={place === at ? 0 : -1}
            onClick={() => onShow(id)}
            onKeyDown={(event) => {
              if (go(event.key)) event.preventDefault()
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        id={`${base}-panel`}
        class="tabs-panel"
        role="tabpanel"
        aria-labelledby={`${base}-${tabs[at]?.id ?? ''}`}
        tabIndex={0}
      >
        {tabs[at]?.content()}
      </div>
    </div>
  )
}

/**
 * Sections of an object that are separate pages: links that look like tabs.
 *
 *   <TabLinks label={t.data.parts} links={[{ href: pathOf('/data/1'), text: t.data.entries, isCurrent: true }]} />
 */
interface TabLink {
  readonly href: string
  readonly text: string
  readonly isCurrent: boolean
}

interface TabLinksProps {
  /** Names the object. */
  readonly label: string
  readonly links: readonly TabLink[]
}

export function TabLinks({ label, links }: TabLinksProps) {
  return (
    <nav class="tabs-list tab-links" aria-label={label}>
      {links.map(({ href, text, isCurrent }) => (
        <Link key={href} class="tabs-tab" href={href} isCurrent={isCurrent}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
