// asset_file: any file or page. The record is the head; each save adds an immutable version.

import type { JsonObject, RecordType } from './values.ts'
import {
  type Checked,
  choice,
  dateTime,
  integer,
  reference,
  refuse,
  string,
  text,
} from './field.ts'
import { fileNameFault, foldName, NAME_PATTERN } from './names.ts'
import { defineObject, EXAMPLE_DATE, type RecordOf } from './object.ts'

const PAGE = text('optional', {
  description:
    'Text of the latest version, written to disk as given; for a key that may only view, that of the live version. ' +
    'Null where the file is not text, or has more than 16 MiB of it, as JSON 17 MiB. Returned by a single read; in lists when fields asks for it. ' +
    'Refused with 422 for a type that is no text (pdf, png, docx …): send bytes through POST /upload, or a type of text with it. ' +
    'A file that is created without it is empty; one of type stml holds <div id="dd.0"></div>.',
  isStored: false,
  isClearable: false,
})

/** Null is no text: to pass over it would be to answer that it was saved. */
function checkPage(value: unknown): Checked<string> {
  if (value !== null) return PAGE.check(value)
  return refuse('must be a string: "" leaves no text, and a body without it leaves it as it is')
}

const STATES = ['draft', 'staged', 'published', 'changed'] as const

interface Pointers {
  readonly version: number
  readonly live_version: number | null
  readonly staged_version: number | null
}

/** Where a file stands between its first draft and the site. */
export function stateOf({
  version,
  live_version: live,
  staged_version: staged,
}: Pointers): (typeof STATES)[number] {
  if (live !== null) return live === version ? 'published' : 'changed'
  return staged === null ? 'draft' : 'staged'
}

export const assetFile = defineObject({
  name: 'asset_file',
  label: 'asset file',
  description:
    'Any file or page. Every save is a version; what visitors get changes by publish alone.',
  example: {
    create: {
      name: 'hello.html',
      type: 'html',
      parent_category_id: 1,
      pageContent: '<p>Hello</p>',
      fileState: 'publish',
    },
    update: { pageContent: '<p>Hello again</p>' },
    record: {
      asset_file_id: 2,
      version: 1,
      live_version: 1,
      staged_version: 1,
      state: 'published',
      size: 12,
      sha256: 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900',
      mime_type: 'text/html',
      date_published: EXAMPLE_DATE,
      date_staged: EXAMPLE_DATE,
      path: '/Main/hello.html',
      url: '/file/2/hello.html',
    },
    changed: {
      version: 2,
      state: 'changed',
      size: 18,
      sha256: '7458f3c96e945ca0b5adc81e4897242e24193fd050165be1c27236fb6ab135cc',
    },
  },
  fields: {
    name: string('required', {
      description:
        'File name of the latest version, unique in its folder together with the names of live versions, compared without regard to case. ' +
        'While something is live, keys that may only view are shown the name of the live version.',
      shownPattern: NAME_PATTERN,
      check: fileNameFault,
    }),
    type: string('required', {
      description: 'A short token: html, stml, pdf, css, png …',
      maxLength: 32,
      pattern: /^[A-Za-z0-9][A-Za-z0-9.+_-]*$/,
      rule: 'must be a short token like html, stml or pdf: letters, digits and . + _ -',
    }),
    parent_category_id: reference('required', { description: 'The folder that holds the file.' }),
    pageContent: { ...PAGE, check: checkPage },
    fileState: choice('optional', ['publish', 'stage'], {
      description:
        'Which of the two happened last; null before the first. Setting it publishes or stages, ' +
        'but not in a record that is posted back with the fileState that it has.',
    }),
    title: string('optional', { description: 'Title for people.' }),
    description: text('optional', { description: 'Description for people.' }),
    version: integer('assigned', {
      description: 'Number of the latest version.',
      isNullable: false,
    }),
    live_version: integer('assigned', {
      description: 'Number of the version that visitors get, or null.',
    }),
    staged_version: integer('assigned', {
      description: 'Number of the version on stage, or null.',
    }),
    state: choice('assigned', STATES, {
      description:
        'draft: no version is live or on stage. staged: a version is on stage and none is live. published: the latest ' +
        'version is live. changed: another version than the latest is live.',
      isStored: false,
      isNullable: false,
      derive: (record) => stateOf(record as Pointers & JsonObject),
    }),
    size: integer('assigned', { description: 'Bytes of the latest version.', isNullable: false }),
    sha256: string('assigned', {
      description: 'SHA-256 of the latest version, hexadecimal.',
      isNullable: false,
    }),
    mime_type: string('assigned', {
      description: 'Media type of the latest version.',
      isNullable: false,
    }),
    date_published: dateTime('assigned', { description: 'When the live version changed last.' }),
    date_staged: dateTime('assigned', { description: 'When the staged version changed last.' }),
    path: string('assigned', {
      description:
        'The name is that of the live version, where there is one. ' +
        'Names down to this file, from the root or the topmost folder that the key sees all the way. Follows a rename or move of a folder, without a new ETag.',
      isStored: false,
      isNullable: false,
    }),
    url: string('assigned', {
      description:
        'Where the file is downloaded: under the name of the live version, where there is one.',
      isIndexed: false,
      isNullable: false,
    }),
  },
  indexes: [
    {
      name: 'by_name',
      rows: (record) => [[Number(record['parent_category_id']), foldName(String(record['name']))]],
    },
    {
      // Live files by their folder.
      name: 'live_in',
      rows: ({ live_version, parent_category_id: folderId }) =>
        live_version === null ? [] : [[Number(folderId)]],
    },
  ],
})

export type AssetFile = RecordOf<typeof assetFile>

/**
 * A version: the fields of the record and its bytes at one save. Never rewritten, but for `damaged`,
 * which recovery, the scrub and `check --repair` set when the bytes are gone or wrong; a repair takes it away when
 * they are right again.
 */
export interface AssetFileVersion {
  readonly asset_file_id: number
  readonly version: number
  readonly name: string
  readonly type: string
  readonly parent_category_id: number
  readonly title: string | null
  readonly description: string | null
  readonly size: number
  readonly sha256: string
  readonly mime_type: string
  readonly date_added: string
  readonly owner: string
  /** Name of the bytes on disk; versions whose bytes did not change share it. */
  readonly uid: string
  readonly is_text: boolean
  readonly is_inline: boolean
  /** Media type by the bytes, where they tell one. */
  readonly sniffed_type: string | null
  readonly damaged: boolean
}

/** The fields of a version that are answered. */
export const VERSION_FIELDS = [
  'asset_file_id',
  'version',
  'name',
  'type',
  'parent_category_id',
  'title',
  'description',
  'size',
  'sha256',
  'mime_type',
  'date_added',
  'owner',
  'damaged',
  'is_live',
  'is_staged',
] as const

/** Key: [asset_file_id, version]. */
export const assetFileVersion: RecordType<AssetFileVersion> = {
  name: 'asset_file_version',
  idCount: 2,
  indexes: [{ name: 'uid', rows: (record) => [[String(record['uid'])]] }],
}

/** Where a file is downloaded under a name, without the base path. */
export function fileUrlOf(fileId: number, name: string): string {
  return `/file/${fileId}/${encodeURIComponent(name)}`
}
