// Palette items that need no request: recent items, actions of the current page, all other pages, and actions that
// are available everywhere.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../client/address.ts'
import { useMe } from '../client/client-context.ts'
import { GRANTS } from '../../shared/grants.ts'
import { type Me, mayEverywhere, maySomewhere } from '../client/me.ts'
import { THEMES } from '../client/preferences.ts'
import { LANGUAGES } from '../texts/languages.ts'
import { type Speech, useTexts } from '../texts/use-texts.ts'
import { type Action, useAllActions } from '../ui/actions.tsx'
import type { IconName } from '../ui/icon.tsx'
import type { PageDefinition } from './page-definition.ts'
import { useAllPreferences } from './preferences.ts'
import { useSignOut } from '../ui/use-sign-out.ts'

export type PaletteGroup =
  | 'recent'
  | 'here'
  | 'pages'
  | 'actions'
  | 'asset_category'
  | 'asset_file'
  | 'datatable'
  | 'calendar'
  | 'event'
  | 'user'
  | 'api_key'

export interface PaletteItem {
  readonly id: string
  readonly group: PaletteGroup
  readonly text: string
  readonly icon: IconName
  /** The location of the item. */
  readonly hint?: string | undefined
  readonly keys?: string | undefined
  /** The item is a link, and is stored as recent. */
  readonly href?: string
  readonly run: () => void
}

export function usePaletteItems(
  pages: readonly PageDefinition[],
  onKeys: () => void,
): readonly PaletteItem[] {
  const { t } = useTexts()
  const { route } = useLocation()
  const me = useMe()
  const actions = useAllActions()
  const here = actions.all()
  const general = useGeneralActions()
  const goTo = (page: string) => ({ href: page, run: () => route(pathOf(page)) })
  const known = new Set(here.map(({ id }) => id))
  return [
    ...here.map((action) => itemOf(action, 'here')),
    ...pagesOf(pages, t).map(({ path, text, icon }) => ({
      id: `page ${path}`,
      group: 'pages' as const,
      text,
      icon,
      ...goTo(path),
    })),
    ...beginnings(me, t)
      .filter(({ id }) => !known.has(id))
      .map(({ id, text, icon, page }) => ({
        id,
        group: 'actions' as const,
        text,
        icon,
        // If the page behind the palette appeared after this list was built, it runs the action itself.
        run: () => {
          const own = actions.all().find((each) => each.id === id)
          if (own === undefined) route(pathOf(page))
          else own.run()
        },
      })),
    ...general.map((action) => itemOf(action, 'actions')),
    {
      id: 'keys',
      group: 'actions',
      text: t.shortcuts.list,
      icon: 'info',
      keys: '?',
      run: onKeys,
    },
  ]
}

function itemOf({ id, text, icon, keys, run }: Action, group: PaletteGroup): PaletteItem {
  return { id, group, text, icon, keys, run }
}

function pagesOf(pages: readonly PageDefinition[], t: Speech['t']) {
  const shown = pages.flatMap(({ path, title, shown: place }) =>
    place === undefined ? [] : [{ path, text: title(t), icon: place.icon }],
  )
  const own: typeof shown = [
    { path: '/profile', text: t.titles.profile, icon: 'user' },
    { path: '/profile/tokens', text: t.titles.tokens, icon: 'key' },
  ]
  return [...shown, ...own]
}

/** Actions that open on another page. */
function beginnings(me: Me | undefined, t: Speech['t']) {
  if (me === undefined) return []
  const isAdmin = mayEverywhere(me, 'admin')
  const mayCreate = maySomewhere(me, 'create')
  return [
    ...(mayCreate
      ? ([
          { id: 'new-file', text: t.acts.newFile, icon: 'plus', page: '/content?new=file' },
          { id: 'upload', text: t.acts.upload, icon: 'upload', page: '/content' },
          {
            id: 'new-folder',
            text: t.acts.newFolder,
            icon: 'folder',
            page: '/content?new=folder',
          },
          { id: 'new-table', text: t.acts.newTable, icon: 'table', page: '/data?new=datatable' },
        ] as const)
      : []),
    {
      id: 'new-key',
      text: t.acts.newKey,
      icon: 'key',
      page: isAdmin ? '/keys?new=' : '/profile/tokens?new=',
    } as const,
    {
      id: 'why-denied',
      text: t.forbidden.why,
      icon: 'info',
      page: isAdmin ? '/keys?why=' : '/profile/tokens?why=',
    } as const,
    ...(GRANTS.every((grant) => mayEverywhere(me, grant))
      ? ([
          { id: 'new-webhook', text: t.acts.newWebhook, icon: 'send', page: '/webhooks?new=' },
        ] as const)
      : []),
    ...(isAdmin
      ? ([{ id: 'new-user', text: t.acts.newUser, icon: 'user', page: '/users?new=user' }] as const)
      : []),
  ]
}

function useGeneralActions(): readonly Action[] {
  const { t } = useTexts()
  const { language, setLanguage, theme, setTheme } = useAllPreferences()
  const signOut = useSignOut()
  return [
    ...THEMES.filter((each) => each !== theme).map((each) => ({
      id: `theme ${each}`,
      text: `${t.frame.theme}: ${t.frame.themes[each]}`,
      icon: 'eye' as const,
      run: () => setTheme(each),
    })),
    ...Object.entries(LANGUAGES)
      .filter(([code]) => code !== language)
      .map(([code, { name }]) => ({
        id: `language ${code}`,
        text: `${t.frame.language}: ${name}`,
        icon: 'globe' as const,
        run: () => setLanguage(code),
      })),
    { id: 'sign-out', text: t.frame.signOut, icon: 'signOut', run: () => void signOut() },
  ]
}
