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
  parentUnknown: 'The parent folder decides. You have no access to the parent folder.',
  since: 'Public since {time}.',
  sinceAbove: 'The folder {path} has been public since {time}.',
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
