// The note of a version: why somebody saved it.

import { string } from './field.ts'

/** Field of asset_file. */
export const VERSION_NOTE = {
  ...string('optional', {
    description:
      'Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it ' +
      'has none. Null for keys with only the view grant. Not searchable.',
    maxLength: 1_000,
    isIndexed: false,
  }),
  // A search would reveal notes to keys that may not read them.
  search: undefined,
}
