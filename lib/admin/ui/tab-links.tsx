// Parts of a thing, each a page of its own: they look like tabs, and are links.
//
//   <TabLinks label={t.data.parts} links={[{ href: pathOf('/data/1'), text: t.data.entries, isCurrent: true }]} />

import { Link } from './link.tsx'

export interface TabLink {
  readonly href: string
  readonly text: string
  readonly isCurrent: boolean
}

export interface TabLinksProps {
  /** Of what they are parts. */
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
