// Every page there is. A new one is a folder in pages/ and an entry here.

import { GRANTS, type Me, mayEverywhere, maySomewhere } from './client/me.ts'
import type { PageDefinition } from './frame/page-definition.ts'

/** The same for a folder as for all: it stays when another folder is opened. */
const content = () =>
  import('./pages/content/content-page.tsx').then(({ ContentPage }) => ContentPage)

const mayView = (me: Me): boolean => maySomewhere(me, 'view')

export const PAGES: readonly PageDefinition[] = [
  {
    path: '/',
    title: (t) => t.start.title,
    shown: { group: 'start', icon: 'home' },
    load: () => import('./pages/start/start-page.tsx').then(({ StartPage }) => StartPage),
  },
  {
    path: '/content',
    title: (t) => t.content.title,
    shown: { group: 'content', icon: 'folder' },
    isFor: mayView,
    load: content,
  },
  { path: '/content/:id', title: (t) => t.content.title, isFor: mayView, load: content },
  {
    path: '/content/file/:id',
    title: (t) => t.content.title,
    isFor: mayView,
    load: () => import('./pages/file/file-page.tsx').then(({ FilePage }) => FilePage),
  },
  {
    path: '/calendars/:id',
    title: (t) => t.calendar.title,
    isFor: mayView,
    load: () =>
      import('./pages/calendar/calendar-page.tsx').then(({ CalendarPage }) => CalendarPage),
  },
  {
    path: '/content/file/:id/edit',
    title: (t) => t.content.title,
    isFor: (me) => maySomewhere(me, 'modify'),
    load: () => import('./pages/editor/editor-page.tsx').then(({ EditorPage }) => EditorPage),
  },
  {
    path: '/data',
    title: (t) => t.data.title,
    shown: { group: 'content', icon: 'table' },
    isFor: mayView,
    load: () => import('./pages/data/data-page.tsx').then(({ DataPage }) => DataPage),
  },
  {
    path: '/data/:id/schema',
    title: (t) => t.data.one,
    isFor: mayView,
    load: () => import('./pages/data/schema-page.tsx').then(({ SchemaPage }) => SchemaPage),
  },
  {
    path: '/data/:id/api',
    title: (t) => t.data.one,
    isFor: mayView,
    load: () => import('./pages/data/api-page.tsx').then(({ ApiPage }) => ApiPage),
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
  {
    path: '/dashboard',
    title: (t) => t.dashboard.title,
    shown: { group: 'site', icon: 'chart' },
    isFor: isAdministrator,
    load: () =>
      import('./pages/dashboard/dashboard-page.tsx').then(({ DashboardPage }) => DashboardPage),
  },
  {
    path: '/audit',
    title: (t) => t.audit.title,
    shown: { group: 'site', icon: 'history' },
    isFor: isAdministrator,
    load: () => import('./pages/audit/audit-page.tsx').then(({ AuditPage }) => AuditPage),
  },
  {
    path: '/backup',
    title: (t) => t.backup.title,
    shown: { group: 'site', icon: 'archive' },
    isFor: (me) => GRANTS.every((grant) => mayEverywhere(me, grant)),
    load: () => import('./pages/backup/backup-page.tsx').then(({ BackupPage }) => BackupPage),
  },
  {
    path: '/documents/system',
    title: (t) => t.frame.systemApi,
    shown: { group: 'documents', icon: 'book' },
    load: () => import('./pages/documents/system-page.tsx').then(({ SystemPage }) => SystemPage),
  },
  {
    path: '/documents/module',
    title: (t) => t.frame.moduleApi,
    shown: { group: 'documents', icon: 'table' },
    load: () => import('./pages/documents/module-page.tsx').then(({ ModulePage }) => ModulePage),
  },
  {
    path: '/data/:id',
    title: (t) => t.data.partNames.entries,
    isFor: mayView,
    load: () => import('./pages/entries/entries-page.tsx').then(({ EntriesPage }) => EntriesPage),
  },
  // Behind the other parts of a datatable, which are words in the place of a number.
  {
    path: '/data/:id/:entry',
    title: (t) => t.entries.one,
    isFor: mayView,
    load: () => import('./pages/entries/entry-page.tsx').then(({ EntryPage }) => EntryPage),
  },
]

function isAdministrator(me: Me): boolean {
  return mayEverywhere(me, 'admin')
}
