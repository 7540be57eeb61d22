// asset_file_link: a signed link to one file, which anybody who knows the address can use until it expires. The address
// is not stored: see the token in auth/site-tokens.ts.

import { choice, dateTime, integer, reference, string } from './field.ts'
import { defineObject, EXAMPLE_DATE, type RecordOf } from './object.ts'

export const fileLink = defineObject({
  name: 'asset_file_link',
  label: 'link',
  description:
    'A link to the live version, the staged version or one numbered version of a file, or to the preview of its site. It needs no key, and stops working when it expires, ' +
    'is revoked, or its creator may no longer read that version.',
  example: {
    create: { state: 'stage', note: 'for the print shop' },
    record: {
      asset_file_link_id: 1,
      asset_file_id: 12,
      version: null,
      site: null,
      url: `/link/${'dGhpcyBpcyBub3QgYSBsaW5r'.padEnd(38, 'A')}/leaflet.pdf`,
      date_expires: '2026-02-01T12:00:00.000Z',
      user_id: 1,
      api_key_id: null,
      date_added: EXAMPLE_DATE,
      owner: 'ada',
    },
  },
  fields: {
    asset_file_id: reference('assigned', {
      description: 'The file.',
      isIndexed: false,
      isNullable: false,
    }),
    state: choice('optional', ['live', 'stage', 'preview'], {
      description:
        'live: the link returns the version that is live when the link is used. stage: the staged version. preview: the link shows the whole ' +
        'site, beginning at the file, as if everything staged were published. Null if the link is for one numbered version. Default: live.',
      isIndexed: false,
    }),
    version: reference('optional', {
      description: 'Number of the version; not allowed together with state.',
      isIndexed: false,
    }),
    site: string('optional', {
      description:
        'The origin of the site that a link of the state preview shows; default: the site that shows the file. Null for other links.',
      isIndexed: false,
    }),
    note: string('optional', {
      description: 'Purpose of the link, for the people who manage the links of the file.',
      isIndexed: false,
    }),
    url: string('assigned', {
      description:
        'The address, which works without a key. Null if the link does not work now, or the key of the request may not read that version.',
      isStored: false,
    }),
    date_expires: dateTime('assigned', {
      description: 'The link stops working at this time.',
      isNullable: false,
    }),
    user_id: integer('assigned', {
      description: 'The user who created the link.',
      isIndexed: false,
      isNullable: false,
    }),
    api_key_id: reference('assigned', {
      description: 'The key that created the link; null if a signed-in user created it.',
      isIndexed: false,
    }),
  },
  // A link never changes.
  baseFields: {
    date_added: dateTime('assigned', {
      description: 'When the link was created.',
      isIndexed: false,
      isNullable: false,
    }),
    owner: string('assigned', {
      description: 'Name of the user who created the link.',
      isIndexed: false,
      isNullable: false,
    }),
  },
  indexes: [
    {
      name: 'file',
      rows: ({ asset_file_id: fileId, user_id: userId }) => [[Number(fileId), Number(userId)]],
    },
    {
      // 0 for links that the user made in person, 1 for links of the user's keys.
      name: 'maker',
      rows: ({ user_id: userId, api_key_id: keyId }) => [[Number(userId), keyId === null ? 0 : 1]],
    },
  ],
})

export type FileLink = RecordOf<typeof fileLink>

/** Address of a link, without the base path. The name is for people and programs that save the file. */
export function linkUrlOf(token: string, name: string): string {
  return `/link/${token}/${encodeURIComponent(name)}`
}
