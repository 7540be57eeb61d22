// The list of all pages. A new page is a folder in pages/ and an entry here.

import { GRANTS } from '../shared/grants.ts'
import { type Me, mayEverywhere, maySomewhere } from './client/me.ts'
import type { PageDefinition } from './frame/page-definition.ts'

/** Both paths share this loader, so that the page stays mounted when another folder is opened. */
const content = () =>
  import('./pages/content/content-page.tsx').then(({ ContentPage }) => ContentPage)

/** Each of these shows drafts and schedules. */
const DRAFT_GRANTS = ['modify', 'stage', 'publish'] as const

const mayView = (me: Me): boolean => maySomewhere(me, 'view')

export const PAGES: readonly PageDefinition[] = [
  {
    path: '/',
    title: (t) => t.titles.start,
    shown: { group: 'start', icon: 'home' },
    texts: ['start', 'audit'],
    load: () => import('./pages/start/start-page.tsx').then(({ StartPage }) => StartPage),
  },
  {
    path: '/content',
    title: (t) => t.titles.content,
    shown: { group: 'content', icon: 'folder' },
    isFor: mayView,
    texts: [
      'content',
      'schedule',
      'upload',
      'access',
      'audit',
      'users',
      'keys',
      'publicAccess',
      'views',
    ],
    load: content,
  },
  {
    path: '/content/:id',
    title: (t) => t.titles.content,
    isFor: mayView,
    texts: [
      'content',
      'schedule',
      'upload',
      'access',
      'audit',
      'users',
      'keys',
      'publicAccess',
      'views',
    ],
    load: content,
  },
  {
    path: '/content/file/:id',
    title: (t) => t.titles.content,
    isFor: mayView,
    texts: ['file', 'comments', 'content', 'schedule', 'editor', 'entries', 'upload'],
    load: () => import('./pages/file/file-page.tsx').then(({ FilePage }) => FilePage),
  },
  {
    path: '/menus',
    title: (t) => t.titles.menus,
    shown: { group: 'content', icon: 'list' },
    isFor: mayView,
    texts: ['menus', 'content'],
    load: () => import('./pages/menus/menus-page.tsx').then(({ MenusPage }) => MenusPage),
  },
  {
    path: '/menus/:id',
    title: (t) => t.titles.menus,
    isFor: mayView,
    texts: ['menus', 'content', 'picking', 'entries'],
    load: () => import('./pages/menus/menu-page.tsx').then(({ MenuPage }) => MenuPage),
  },
  {
    path: '/scheduled',
    title: (t) => t.titles.scheduled,
    shown: { group: 'content', icon: 'clock' },
    isFor: (me) => DRAFT_GRANTS.some((grant) => maySomewhere(me, grant)),
    texts: ['content', 'schedule', 'calendar'],
    load: () =>
      import('./pages/scheduled/scheduled-page.tsx').then(({ ScheduledPage }) => ScheduledPage),
  },
  {
    path: '/calendars/:id',
    title: (t) => t.titles.calendar,
    isFor: mayView,
    texts: [
      'calendar',
      'comments',
      'data',
      'entries',
      'editor',
      'publicAccess',
      'content',
      'picking',
    ],
    load: () =>
      import('./pages/calendar/calendar-page.tsx').then(({ CalendarPage }) => CalendarPage),
  },
  {
    path: '/content/file/:id/edit',
    title: (t) => t.titles.content,
    isFor: (me) => maySomewhere(me, 'modify'),
    texts: ['editor', 'content', 'file', 'picking'],
    load: () => import('./pages/editor/editor-page.tsx').then(({ EditorPage }) => EditorPage),
  },
  {
    path: '/content/file/:id/preview',
    title: (t) => t.titles.content,
    isFor: mayView,
    texts: ['editor', 'content', 'entries', 'file'],
    load: () =>
      import('./pages/site-preview/site-preview-page.tsx').then(
        ({ SitePreviewPage }) => SitePreviewPage,
      ),
  },
  {
    path: '/data',
    title: (t) => t.titles.data,
    shown: { group: 'content', icon: 'table', also: '/calendars' },
    isFor: mayView,
    texts: ['data', 'keys', 'entries'],
    load: () => import('./pages/data/data-page.tsx').then(({ DataPage }) => DataPage),
  },
  {
    path: '/data/:id/schema',
    title: (t) => t.titles.table,
    isFor: mayView,
    texts: ['data', 'publicAccess'],
    load: () => import('./pages/data/schema-page.tsx').then(({ SchemaPage }) => SchemaPage),
  },
  {
    path: '/data/:id/api',
    title: (t) => t.titles.table,
    isFor: mayView,
    texts: ['data', 'publicAccess'],
    load: () => import('./pages/data/api-page.tsx').then(({ ApiPage }) => ApiPage),
  },
  {
    path: '/trash',
    title: (t) => t.titles.trash,
    shown: { group: 'content', icon: 'trash' },
    isFor: (me) => maySomewhere(me, 'delete'),
    texts: ['trash'],
    load: () => import('./pages/trash/trash-page.tsx').then(({ TrashPage }) => TrashPage),
  },
  {
    path: '/welcome',
    title: (t) => t.titles.welcome,
    isOpen: true,
    texts: ['welcome'],
    load: () => import('./pages/welcome/welcome-page.tsx').then(({ WelcomePage }) => WelcomePage),
  },
  {
    path: '/users',
    title: (t) => t.titles.users,
    shown: { group: 'site', icon: 'users' },
    isFor: isAdministrator,
    texts: ['users', 'keys', 'access'],
    load: () => import('./pages/users/users-page.tsx').then(({ UsersPage }) => UsersPage),
  },
  {
    path: '/users/roles',
    title: (t) => t.titles.users,
    isFor: isAdministrator,
    texts: ['users', 'keys'],
    load: () => import('./pages/users/roles-page.tsx').then(({ RolesPage }) => RolesPage),
  },
  {
    path: '/users/:id',
    title: (t) => t.titles.user,
    isFor: isAdministrator,
    texts: ['users', 'keys', 'access', 'secondFactor', 'profile', 'file'],
    load: () => import('./pages/users/user-page.tsx').then(({ UserPage }) => UserPage),
  },
  {
    path: '/keys',
    title: (t) => t.titles.keys,
    shown: { group: 'site', icon: 'key' },
    isFor: isAdministrator,
    texts: ['keys', 'access'],
    load: () => import('./pages/keys/keys-page.tsx').then(({ KeysPage }) => KeysPage),
  },
  {
    path: '/keys/:id',
    title: (t) => t.titles.key,
    isFor: isAdministrator,
    texts: ['keys', 'access'],
    load: () => import('./pages/keys/key-page.tsx').then(({ KeyPage }) => KeyPage),
  },
  {
    path: '/webhooks',
    title: (t) => t.titles.webhooks,
    shown: { group: 'site', icon: 'send' },
    isFor: isAdministrator,
    texts: ['webhooks', 'keys'],
    load: () =>
      import('./pages/webhooks/webhooks-page.tsx').then(({ WebhooksPage }) => WebhooksPage),
  },
  {
    path: '/webhooks/:id',
    title: (t) => t.titles.webhook,
    isFor: isAdministrator,
    texts: ['webhooks', 'keys'],
    load: () => import('./pages/webhooks/webhook-page.tsx').then(({ WebhookPage }) => WebhookPage),
  },
  {
    path: '/profile',
    title: (t) => t.titles.profile,
    texts: ['profile', 'secondFactor', 'keys', 'users', 'start', 'file'],
    load: () => import('./pages/profile/profile-page.tsx').then(({ ProfilePage }) => ProfilePage),
  },
  {
    path: '/profile/tokens',
    title: (t) => t.titles.tokens,
    texts: ['keys', 'access'],
    load: () => import('./pages/keys/keys-page.tsx').then(({ TokensPage }) => TokensPage),
  },
  {
    path: '/profile/tokens/:id',
    title: (t) => t.titles.key,
    texts: ['keys', 'access'],
    load: () => import('./pages/keys/key-page.tsx').then(({ TokenPage }) => TokenPage),
  },
  {
    path: '/dashboard',
    title: (t) => t.titles.dashboard,
    shown: { group: 'site', icon: 'chart' },
    isFor: isAdministrator,
    texts: ['dashboard'],
    load: () =>
      import('./pages/dashboard/dashboard-page.tsx').then(({ DashboardPage }) => DashboardPage),
  },
  {
    path: '/audit',
    title: (t) => t.titles.audit,
    shown: { group: 'site', icon: 'history' },
    isFor: isAdministrator,
    texts: ['audit'],
    load: () => import('./pages/audit/audit-page.tsx').then(({ AuditPage }) => AuditPage),
  },
  {
    path: '/backup',
    title: (t) => t.titles.backup,
    shown: { group: 'site', icon: 'archive' },
    isFor: (me) => GRANTS.every((grant) => mayEverywhere(me, grant)),
    texts: ['backup'],
    load: () => import('./pages/backup/backup-page.tsx').then(({ BackupPage }) => BackupPage),
  },
  {
    path: '/documents/system',
    title: (t) => t.frame.systemApi,
    shown: { group: 'documents', icon: 'book' },
    load: () => import('./pages/documents/document-page.tsx').then(({ SystemPage }) => SystemPage),
  },
  {
    path: '/documents/module',
    title: (t) => t.frame.moduleApi,
    shown: { group: 'documents', icon: 'table' },
    load: () => import('./pages/documents/document-page.tsx').then(({ ModulePage }) => ModulePage),
  },
  {
    path: '/data/:id',
    title: (t) => t.titles.entries,
    isFor: mayView,
    texts: ['entries', 'data', 'editor', 'publicAccess', 'views', 'content', 'picking'],
    load: () => import('./pages/entries/entries-page.tsx').then(({ EntriesPage }) => EntriesPage),
  },
  // Must follow the other datatable pages, whose paths have a word in place of the number.
  {
    path: '/data/:id/:entry',
    title: (t) => t.titles.entry,
    isFor: mayView,
    texts: ['entries', 'comments', 'data', 'editor', 'keys', 'content', 'picking'],
    load: () => import('./pages/entries/entry-page.tsx').then(({ EntryPage }) => EntryPage),
  },
]

function isAdministrator(me: Me): boolean {
  return mayEverywhere(me, 'admin')
}
