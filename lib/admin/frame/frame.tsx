// The frame of every page: the side bar with the navigation, which is a drawer on narrow screens.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pageOf, pathOf } from '../client/address.ts'
import { useMe } from '../client/client-context.ts'
import { readStored, writeStored } from '../client/stored.ts'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { FOLD_KEYS, useShortcut } from '../ui/shortcut.tsx'
import { useFocus } from '../ui/use-focus.ts'
import { useSignOut } from '../ui/use-sign-out.ts'
import { type Group, GROUPS, type PageDefinition } from './page-definition.ts'
import { type Over, OverPage, PaletteButton } from './palette.tsx'
import { usePreferenceItems } from './preferences.ts'

interface FrameProps {
  /** The pages that the user may see. */
  readonly pages: readonly PageDefinition[]
  /** Whether the content takes the focus, because the sign-in form that had it is gone. */
  readonly takesFocus: boolean
  readonly children: ComponentChildren
}

export function Frame({ pages, takesFocus, children }: FrameProps) {
  const { t } = useTexts()
  const { path } = useLocation()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [over, setOver] = useState<Over>()
  useEffect(() => setIsMenuOpen(false), [path])
  const openPalette = (): void => setOver('palette')
  const main = useFocus<HTMLElement>(takesFocus)
  const [isFolded, setIsFolded] = useState(() => readStored(FOLDED) !== undefined)
  const fold = (): void => {
    writeStored(FOLDED, isFolded ? undefined : 'yes')
    setIsFolded(!isFolded)
  }
  useShortcut(FOLD_KEYS, fold)

  return (
    <div class={isFolded ? 'frame frame-folded' : 'frame'}>
      <a class="skip" href="#content">
        {t.frame.skip}
      </a>
      <header class="top-bar">
        <Button kind="quiet" icon="menu" label={t.frame.open} onPress={() => setIsMenuOpen(true)} />
        <Brand />
        <div class="top-bar-search">
          <Button kind="quiet" icon="search" label={t.frame.find} onPress={openPalette} />
        </div>
      </header>
      <header class="side">
        <SideBar
          pages={pages}
          isFolded={isFolded}
          fold={
            <Button
              kind="quiet"
              icon="sideBar"
              label={isFolded ? t.frame.unfold : t.frame.fold}
              onPress={fold}
            />
          }
        >
          <PaletteButton onPress={openPalette} />
        </SideBar>
      </header>
      {isMenuOpen && (
        <Drawer label={t.frame.menu} close={t.frame.closeMenu} onClose={() => setIsMenuOpen(false)}>
          <SideBar pages={pages} />
        </Drawer>
      )}
      <main ref={main} id="content" class="content" tabIndex={-1}>
        {children}
      </main>
      <OverPage pages={pages} shown={over} onShow={setOver} />
    </div>
  )
}

const FOLDED = 'cms.side-folded'

/** The frame of pages without a sign-in: product name, language and appearance. */
export function BareFrame({ children }: { readonly children: ComponentChildren }) {
  const { t } = useTexts()
  const items = usePreferenceItems()
  return (
    <div class="bare-frame">
      <header class="bare-frame-head">
        <Brand />
        <Menu button={{ icon: 'globe', label: t.frame.preferences }} items={items} />
      </header>
      <main id="content" class="bare-frame-content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

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
  /** Shows only icons; their names are tooltips. */
  readonly isFolded?: boolean
  /** The button that folds the side bar. */
  readonly fold?: ComponentChildren
}

/**
 * The grouped navigation, with the signed-in user below. Groups without a visible page are hidden.
 */
function SideBar({ pages, children, isFolded, fold }: SideBarProps) {
  const { t } = useTexts()
  const { path } = useLocation()
  return (
    <div class="side-bar">
      <div class="side-bar-head">
        <Link class="side-bar-home" href={pathOf('/')}>
          <Brand />
        </Link>
        {fold}
      </div>
      {children}
      <nav class="side-bar-nav" aria-label={t.frame.navigation}>
        {GROUPS.map((group) => (
          <Entries
            key={group}
            group={group}
            entries={entriesIn(pages, group)(pageOf(path), t)}
            isFolded={isFolded === true}
          />
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

interface EntriesProps {
  readonly group: Group
  readonly entries: readonly Entry[]
  readonly isFolded: boolean
}

function Entries({ group, entries, isFolded }: EntriesProps) {
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
          <li key={href} title={isFolded ? text : undefined}>
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
  const user = useMe()?.user
  const name = user?.display_name ?? user?.name ?? ''

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

/**
 * The product name with its logo, which is also the favicon.
 *
 *   <Brand />
 */
function Brand() {
  const { t } = useTexts()
  return (
    <span class="brand">
      <svg class="brand-sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" />
        <path d="M9 10h14M9 16h14M9 22h8" />
      </svg>
      <span>{t.general.product}</span>
    </span>
  )
}
