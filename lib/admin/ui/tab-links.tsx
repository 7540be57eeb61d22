// Sections of an object that are separate pages: links that look like tabs.
//
//   <TabLinks label={t.data.parts} links={[{ href: pathOf('/data/1'), text: t.data.entries, isCurrent: true }]} />

import { Link } from './link.tsx'

export interface TabLink {
  readonly href: string
  readonly text: string
  readonly isCurrent: boolean
}

export interface TabLinksProps {
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
