// What the palette and the list of keys say.

export const palette = {
  help: '↑ ↓ choose, Enter opens, Esc closes. A part of a name is enough.',
  nothing: 'Nothing is called that.',
  found: { one: '{count} found', other: '{count} found' },
  groups: {
    recent: 'Opened lately',
    here: 'On this page',
    pages: 'Pages',
    actions: 'Pages and actions',
    asset_category: 'Folders',
    asset_file: 'Files',
    datatable: 'Datatables',
    calendar: 'Calendars',
    event: 'Events',
    user: 'Users',
    api_key: 'API keys',
  },
} as const

export const shortcuts = {
  title: 'Keys',
  here: 'On this page',
  everywhere: 'Everywhere',
  palette: 'Find and do anything',
  list: 'Show all keys',
  close: 'Close what is open',
  lists: 'In lists',
  move: 'To the next or previous one',
  select: 'Select',
  range: 'Select all up to here',
  forms: 'In forms',
  send: 'Save',
  space: 'Space',
  shift: 'Shift',
} as const
