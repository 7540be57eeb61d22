// The grouped navigation, with the signed-in user below. Groups without a visible page are hidden.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { pageOf, pathOf } from '../client/address.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Brand } from '../ui/brand.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { GROUPS, type Group, type PageDefinition } from './page-definition.ts'
import { ProfileMenu } from './profile-menu.tsx'

interface Entry {
  readonly href: string
  readonly text: string
  readonly icon: IconName
  readonly isCurrent: boolean
}

export interface SideBarProps {
  readonly pages: readonly PageDefinition[]
  /** Shown above the pages. */
  readonly children?: ComponentChildren
}

export function SideBar({ pages, children }: SideBarProps) {
  const { t } = useTexts()
  const { path } = useLocation()
  return (
    <div class="side-bar">
      <Link class="side-bar-home" href={pathOf('/')}>
        <Brand />
      </Link>
      {children}
      <nav class="side-bar-nav" aria-label={t.frame.navigation}>
        {GROUPS.map((group) => (
          <Entries key={group} group={group} entries={entriesIn(pages, group)(pageOf(path), t)} />
        ))}
      </nav>
      <ProfileMenu />
    </div>
  )
}

type Texts = ReturnType<typeof useTexts>['t']

function entriesIn(pages: readonly PageDefinition[], group: Group) {
  return (current: string, t: Texts): readonly Entry[] =>
    pages.flatMap(({ path, title, shown }) =>
      shown?.group !== group
        ? []
        : [
            {
              href: pathOf(path),
              text: title(t),
              icon: shown.icon,
              isCurrent: isWithin(current, path) || isWithin(current, shown.also),
            },
          ],
    )
}

function isWithin(current: string, path: string | undefined): boolean {
  return current === path || (path !== '/' && current.startsWith(`${path}/`))
}

function Entries({
  group,
  entries,
}: {
  readonly group: Group
  readonly entries: readonly Entry[]
}) {
  const { t } = useTexts()
  const name = t.frame.groups[group]
  if (entries.length === 0) return null
  return (
    <div class="side-bar-group">
      {group !== 'start' && (
        <p class="side-bar-title" aria-hidden="true">
          {name}
        </p>
      )}
      <ul aria-label={name}>
        {entries.map(({ href, text, icon, isCurrent }) => (
          <li key={href}>
            <Link class="side-bar-link" href={href} isCurrent={isCurrent}>
              <Icon name={icon} />
              <span>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
