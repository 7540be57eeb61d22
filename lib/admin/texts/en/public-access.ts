// Texts of the settings that make folders, datatables and calendars public.

export const publicAccess = {
  title: 'Public access',
  titleOf: 'Public access to {name}',
  inherited: 'Same as parent folder',
  no: 'Not public',
  hint: 'Also applies to subfolders without a setting of their own.',
  folder: {
    open: 'Anyone can read the published files of this folder and its subfolders without signing in.',
    closed: 'Only users and keys with access to this folder can read its files.',
  },
  make: 'Make this folder public',
  isPublic: '{name} is public.',
  view: 'View website',
  website: 'Website settings',
  websiteOf: 'Website settings of {name}',
  redirects: 'Redirects',
  redirectsHint:
    'One per line: the old path, a space, the new path or address. Paths are relative to this folder. Example: /old /new. For everything below a path: /old/* /new/*. Redirects have the status 308. For the status 301, add 301 at the end of the line. A published file at the old path takes precedence.',
  headers: 'Response headers',
  headersHint:
    'One per line, such as X-Robots-Tag: noindex. The headers also apply to subfolders. A name without a value removes a header of a parent folder.',
  former: 'Automatic redirects',
  formerAbout:
    'A former name in this folder redirects visitors to the current path of the file or folder, until the name is used again.',
  formerEnd: 'End the redirect from {name}',
  formerEndTitle: 'End this redirect?',
  formerEndText: 'Visitors to {name} will see “Not found”. This cannot be undone.',
  formerEndAction: 'End redirect',
  formerEnded: 'The redirect has ended.',
  formerMore: 'Show more',
  ownMade:
    'This folder has a published file {name}. Websites with this root folder show this file instead of the generated one.',
  parentUnknown: 'The parent folder decides, but you have no access to that folder.',
  since: 'Public since {time}.',
  sinceAbove: 'The folder {path} has been public since {time}.',
  noSite:
    'This folder is not public. The settings take effect once the folder is part of a public website.',
  missing: 'To change this, you need permission to publish in the folder.',
  datatableKey: 'This datatable is public. Its public entries can be read without a key.',
  calendarKey: 'This calendar is public. Without a key, an app shows its public events.',
  columns: 'Public columns',
  allColumns: 'All columns',
  allColumnsHint: 'Includes columns that are added later.',
  someColumns: 'Selected columns',
  filter: 'Filter',
  filterHint:
    'A query as JSON, such as {"approved": true}. Leave this field empty to show everything. The query may use columns that are not public.',
  noObject: 'Enter a JSON object, such as {"approved": true}.',
  datatable: {
    closed: 'Only users and keys with access can read the entries of this datatable.',
    every: 'Anyone can read the entries of this datatable without signing in: {columns}.',
    matching: 'Anyone can read entries that match {filter} without signing in: {columns}.',
    all: 'all columns',
    some: '{names}',
    none: 'no columns',
  },
  calendar: {
    closed: 'Only users and keys with access can read the events of this calendar.',
    every: 'Anyone can read the events of this calendar without signing in: {columns}.',
    matching: 'Anyone can read events that match {filter} without signing in: {columns}.',
    all: 'all columns',
    some: 'titles, times, {names}',
    none: 'titles and times',
  },
} as const
