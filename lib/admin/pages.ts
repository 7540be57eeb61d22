// Every page there is. A new one is a folder in pages/ and an entry here.

import { type Me, mayEverywhere } from './client/me.ts'
import type { OutsidePage, PageDefinition } from './frame/page-definition.ts'

export const PAGES: readonly PageDefinition[] = [
  {
    path: '/',
    title: (t) => t.start.title,
    shown: { group: 'start', icon: 'home' },
    load: () => import('./pages/start/start-page.tsx').then(({ StartPage }) => StartPage),
  },
  {
    path: '/welcome',
    title: (t) => t.welcome.title,
    isOpen: true,
    load: () => import('./pages/welcome/welcome-page.tsx').then(({ WelcomePage }) => WelcomePage),
  },
  {
    path: '/users',
    title: (t) => t.users.title,
    shown: { group: 'site', icon: 'users' },
    isFor: isAdministrator,
    load: () => import('./pages/users/users-page.tsx').then(({ UsersPage }) => UsersPage),
  },
  {
    path: '/users/:id',
    title: (t) => t.users.one,
    isFor: isAdministrator,
    load: () => import('./pages/users/user-page.tsx').then(({ UserPage }) => UserPage),
  },
  {
    path: '/keys',
    title: (t) => t.keys.title,
    shown: { group: 'site', icon: 'key' },
    isFor: isAdministrator,
    load: () => import('./pages/keys/keys-page.tsx').then(({ KeysPage }) => KeysPage),
  },
  {
    path: '/keys/:id',
    title: (t) => t.keys.one,
    isFor: isAdministrator,
    load: () => import('./pages/keys/key-page.tsx').then(({ KeyPage }) => KeyPage),
  },
  {
    path: '/profile',
    title: (t) => t.profile.title,
    load: () => import('./pages/profile/profile-page.tsx').then(({ ProfilePage }) => ProfilePage),
  },
  {
    path: '/profile/tokens',
    title: (t) => t.keys.tokens,
    load: () => import('./pages/keys/tokens-page.tsx').then(({ TokensPage }) => TokensPage),
  },
  {
    path: '/profile/tokens/:id',
    title: (t) => t.keys.one,
    load: () => import('./pages/keys/key-page.tsx').then(({ TokenPage }) => TokenPage),
  },
]

/** Until they are shown inside. */
export const OUTSIDE: readonly OutsidePage[] = [
  {
    path: '/public/api/system',
    title: (t) => t.frame.systemApi,
    shown: { group: 'documents', icon: 'book' },
  },
  {
    path: '/public/api/module',
    title: (t) => t.frame.moduleApi,
    shown: { group: 'documents', icon: 'table' },
  },
]

function isAdministrator(me: Me): boolean {
  return mayEverywhere(me, 'admin')
}
