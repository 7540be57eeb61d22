// What the pages of datatables and calendars say, but for entries.

export const data = {
  title: 'Data',
  one: 'Datatable',
  toAll: 'To all data',
  parts: 'Parts of this datatable',
  partNames: { entries: 'Entries', schema: 'Schema', api: 'API' },
} as const
