// The grouped navigation, with the signed-in user below. Groups without a visible page are hidden.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { pageOf, pathOf } from '../client/address.ts'
import { useMe } from '../client/client-context.ts'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Brand } from '../ui/brand.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { useSignOut } from '../ui/use-sign-out.ts'
import { type Group, GROUPS, type PageDefinition } from './page-definition.ts'
import { usePreferenceItems } from './preferences.ts'

interface Entry {
  readonly href: string
  readonly text: string
  readonly icon: IconName
  readonly isCurrent: boolean
}

interface SideBarProps {
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

/** The menu of the signed-in user: profile, language, appearance and sign-out. */
function ProfileMenu() {
  const { t } = useTexts()
  const { route } = useLocation()
  const signOut = useSignOut()
  const items = usePreferenceItems()
  const name = useMe()?.user.name ?? ''

  const own: readonly MenuItem[] = [
    {
      text: t.titles.profile,
      icon: 'user',
      onChoose: () => route(pathOf('/profile')),
      group: name,
    },
    { text: t.titles.tokens, icon: 'key', onChoose: () => route(pathOf('/profile/tokens')) },
    { text: t.frame.signOut, icon: 'signOut', onChoose: () => void signOut() },
  ]
  return (
    <Menu
      button={{
        class: 'profile',
        label: fill(t.frame.profile, { name }),
        content: (
          <>
            <span class="profile-sign" data-letter={name.slice(0, 1).toUpperCase()} />
            <span class="profile-name">{name}</span>
            <Icon name="chevronDown" />
          </>
        ),
      }}
      items={[...items, ...own]}
    />
  )
}
