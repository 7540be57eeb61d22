// The way to all pages, in groups; a group without a page is not there. Below it who has signed in.

import { useLocation } from 'preact-iso/router'
import { pageOf, pathOf, SERVER } from '../client/address.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { type AllPages, GROUPS, type Group } from './page-definition.ts'
import { ProfileMenu } from './profile-menu.tsx'

interface Entry {
  readonly href: string
  readonly text: string
  readonly icon: Parameters<typeof Icon>[0]['name']
  readonly isCurrent: boolean
  readonly isOutside: boolean
}

export function SideBar(props: AllPages) {
  const { t } = useTexts()
  const { path } = useLocation()
  return (
    <div class="side-bar">
      <Link class="side-bar-home" href={pathOf('/')}>
        <Brand />
      </Link>
      <nav class="side-bar-nav" aria-label={t.frame.navigation}>
        {GROUPS.map((group) => (
          <Entries
            key={group}
            group={group}
            entries={[...inside(props, group, pageOf(path), t), ...outsideOf(props, group, t)]}
          />
        ))}
      </nav>
      <ProfileMenu />
    </div>
  )
}

type Texts = ReturnType<typeof useTexts>['t']

function inside({ pages }: AllPages, group: Group, current: string, t: Texts): readonly Entry[] {
  return pages.flatMap(({ path, title, shown }) =>
    shown?.group !== group
      ? []
      : [
          {
            href: pathOf(path),
            text: title(t),
            icon: shown.icon,
            isCurrent: current === path || (path !== '/' && current.startsWith(`${path}/`)),
            isOutside: false,
          },
        ],
  )
}

function outsideOf({ outside }: AllPages, group: Group, t: Texts): readonly Entry[] {
  return outside
    .filter(({ shown }) => shown.group === group)
    .map(({ path, title, shown }) => ({
      href: `${SERVER}${path}`,
      text: title(t),
      icon: shown.icon,
      isCurrent: false,
      isOutside: true,
    }))
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
        {entries.map(({ href, text, icon, isCurrent, isOutside }) => (
          <li key={href}>
            <Link class="side-bar-link" href={href} isCurrent={isCurrent}>
              <Icon name={icon} />
              <span>{text}</span>
              {isOutside && (
                <>
                  <Icon name="external" />
                  <span class="unseen">({t.frame.outside})</span>
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
