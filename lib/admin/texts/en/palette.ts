// Texts of the palette and the keyboard shortcuts.

export const palette = {
  help: '↑ ↓ select, Enter opens, Esc closes. Part of a name is enough.',
  nothing: 'Nothing found.',
  found: { one: '{count} found', other: '{count} found' },
  groups: {
    recent: 'Recently opened',
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
  title: 'Keyboard shortcuts',
  here: 'On this page',
  everywhere: 'Everywhere',
  palette: 'Search pages and actions',
  list: 'Show keyboard shortcuts',
  close: 'Close the open dialog',
  fold: 'Collapse or expand the sidebar',
  lists: 'In lists',
  move: 'Next or previous item',
  select: 'Select',
  range: 'Select a range',
  forms: 'In forms',
  send: 'Save',
  space: 'Space',
  shift: 'Shift',
  enter: 'Enter',
} as const
