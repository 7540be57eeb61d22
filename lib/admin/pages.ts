// Every page there is. A new one is a folder in pages/ and an entry here.

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
