// Texts of the settings that make folders, datatables and calendars public.

export const publicAccess = {
  title: 'Public access',
  titleOf: 'Public access to {name}',
  inherited: 'As in the parent folder',
  no: 'Not public',
  hint: 'Also applies to subfolders without a setting of their own.',
  folder: {
    open: 'Everybody can read the published files of this folder and of its subfolders, without signing in.',
    closed: 'Only users and keys with access to this folder can read its files.',
  },
  website: 'Website settings',
  websiteOf: 'Website settings of {name}',
  redirects: 'Redirects',
  redirectsHint:
    'One per line: the old path, a space, the new path or address. Paths start in this folder. Example: /old /new. For everything below a path: /old/* /new/*. Add 301 to a line for a 301 redirect; otherwise it is 308. A published file at the old path comes first.',
  headers: 'Response headers',
  headersHint:
    'One per line, such as X-Robots-Tag: noindex. They also apply to subfolders. A name without a value omits a header of a folder above.',
  parentUnknown: 'The parent folder decides. You have no access to the parent folder.',
  since: 'Public since {time}.',
  sinceAbove: 'The folder {path} has been public since {time}.',
  noSite: 'These settings take effect on a website of the server. This folder is not public.',
  missing: 'To change this, you need the permission to publish in the folder.',
  datatableKey: 'This datatable is public. Its public entries can be read without a key.',
  calendarKey: 'This calendar is public. Without a key, an app shows its public events.',
  columns: 'Public columns',
  allColumns: 'All columns',
  allColumnsHint: 'Includes columns that are added later.',
  someColumns: 'Selected columns',
  filter: 'Filter',
  filterHint:
    'A search as JSON, such as {"approved": true}. Leave this field empty to show everything. The search may use columns that are not public.',
  noObject: 'Enter a JSON object, such as {"approved": true}.',
  datatable: {
    closed: 'Only users and keys with access can read the entries of this datatable.',
    every: 'Everybody can read the entries of this datatable without signing in: {columns}.',
    matching:
      'Everybody can read the entries of this datatable without signing in: {columns}, only entries that match {filter}.',
    all: 'all columns',
    some: '{names}',
    none: 'no columns',
  },
  calendar: {
    closed: 'Only users and keys with access can read the events of this calendar.',
    every: 'Everybody can read the events of this calendar without signing in: {columns}.',
    matching:
      'Everybody can read the events of this calendar without signing in: {columns}, only events that match {filter}.',
    all: 'all columns',
    some: 'titles, times, {names}',
    none: 'titles and times',
  },
} as const
