// asset_file: any file or page. The record describes the latest state; each save adds an immutable version.

import { FOCUS_PATTERN, FOCUS_RULE } from '../shared/picture-parameters.ts'
import type { JsonObject, RecordType } from './values.ts'
import { boolean, choice, dateTime, integer, reference, string, text } from './field.ts'
import { dueRows, hasSchedule, SCHEDULE_FIELDS } from './file-schedule.ts'
import { CHOSEN_LAYOUTS, layoutField } from './site-settings.ts'
import { VERSION_NOTE } from './version-note.ts'
import { PINNED_VERSIONS } from './version-retention.ts'
import { PAGE_CONTENT } from './page-content.ts'
import { fileNameFault, foldName, NAME_PATTERN } from './names.ts'
import { defineObject, EXAMPLE_DATE, type RecordOf } from './object.ts'

const STATES = ['draft', 'staged', 'published', 'changed'] as const

interface Pointers {
  readonly version: number
  readonly live_version: number | null
  readonly staged_version: number | null
}

/** Publication state of a file. */
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
    'Any file or page. Every save creates a version; visitors see a change only after it is published.',
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
      was_published: true,
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
        'File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. ' +
        'While a version is live, keys with only the view grant get the name of the live version.',
      shownPattern: NAME_PATTERN,
      check: fileNameFault,
    }),
    type: string('required', {
      description: 'A short token: html, stml, pdf, css, png …',
      maxLength: 32,
      pattern: /^[A-Za-z0-9][A-Za-z0-9.+_-]*$/,
      rule: 'must be a short token like html, stml or pdf: letters, digits and . + _ -',
    }),
    parent_category_id: reference('required', {
      description: 'The folder that contains the file.',
    }),
    pageContent: PAGE_CONTENT,
    fileState: choice('optional', ['publish', 'stage'], {
      description:
        'The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, ' +
        'unless the whole record is sent back with an unchanged fileState.',
    }),
    title: string('optional', { description: 'Title for display.' }),
    description: text('optional', { description: 'Description for display.' }),
    alt_text: string('optional', {
      description:
        'Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates.',
      maxLength: 1_000,
      isIndexed: false,
    }),
    focus: string('optional', {
      description:
        'The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center.',
      maxLength: 13,
      pattern: FOCUS_PATTERN,
      rule: FOCUS_RULE,
      isIndexed: false,
    }),
    layout_file_id: layoutField(
      'The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or ' +
        'stml with [page_content]. 0: no layout. Null: the layout of the folder.',
    ),
    version_note: VERSION_NOTE,
    version: integer('assigned', {
      description: 'Number of the latest version.',
      isNullable: false,
    }),
    live_version: integer('assigned', {
      description: 'Number of the version that visitors see, or null.',
    }),
    staged_version: integer('assigned', {
      description: 'Number of the staged version, or null.',
    }),
    state: choice('assigned', STATES, {
      description:
        'draft: no version is live or staged. staged: a version is staged and none is live. published: the latest ' +
        'version is live. changed: an earlier version is live.',
      isStored: false,
      isNullable: false,
      derive: (record) => stateOf(record as Pointers & JsonObject),
    }),
    size: integer('assigned', {
      description: 'Size of the latest version in bytes.',
      isNullable: false,
    }),
    sha256: string('assigned', {
      description: 'SHA-256 of the latest version, hexadecimal.',
      isNullable: false,
    }),
    mime_type: string('assigned', {
      description: 'Media type of the latest version.',
      isNullable: false,
    }),
    width: integer('assigned', {
      description:
        'Width of the latest version in pixels, if it is a picture (JPEG, PNG, GIF, WebP, AVIF) that the server could measure; otherwise null. Versions of earlier builds have null.',
      isIndexed: false,
    }),
    height: integer('assigned', { description: 'Height, like width.', isIndexed: false }),
    thumbhash: string('assigned', {
      description:
        'A placeholder for the picture until it is loaded: ThumbHash in base64, or null.',
      isIndexed: false,
    }),
    was_published: boolean('assigned', {
      description:
        'False for a file that was never live. True from the first publish on, also after an unpublish. Null for files of earlier builds, ' +
        'until a change while they are live.',
      isIndexed: false,
    }),
    date_published: dateTime('assigned', { description: 'When the live version last changed.' }),
    date_staged: dateTime('assigned', { description: 'When the staged version last changed.' }),
    ...SCHEDULE_FIELDS,
    pinned_versions: PINNED_VERSIONS,
    path: string('assigned', {
      description:
        'Path of this file, with the name of the live version if there is one. ' +
        'It starts at the root or at the topmost folder from which the key can see every folder. A rename or move of a folder changes the path but not the ETag.',
      isStored: false,
      isNullable: false,
    }),
    url: string('assigned', {
      description:
        'Download address of the file, with the name of the live version if there is one.',
      isIndexed: false,
      isNullable: false,
    }),
  },
  indexes: [
    {
      name: 'by_name',
      width: 2,
      rows: (record) => [[Number(record['parent_category_id']), foldName(String(record['name']))]],
    },
    {
      // Live files by folder.
      name: 'live_in',
      width: 1,
      rows: ({ live_version, parent_category_id: folderId }) =>
        live_version === null ? [] : [[Number(folderId)]],
    },
    CHOSEN_LAYOUTS,
    // The next times, for operations/files/schedule-runs.ts.
    { name: 'due', width: 2, rows: dueRows },
    // Files whose schedule some callers may not see.
    {
      name: 'scheduled',
      width: 1,
      rows: (record) => (hasSchedule(record) ? [[true]] : []),
    },
  ],
})

export type AssetFile = RecordOf<typeof assetFile>

/** Fields that records and versions of earlier builds lack: answers show null. */
export const LATER_FIELDS = [
  'alt_text',
  'focus',
  'layout_file_id',
  'version_note',
  'width',
  'height',
  'thumbhash',
] as const

/**
 * A version: the fields of the record and its content at one save. Never rewritten, except for `damaged`:
 * recovery, the scrub and `check --repair` set it if the bytes are missing or wrong, and a repair clears it
 * once they are right again.
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
  /** Name of the content on disk; versions with identical bytes share it. */
  readonly uid: string
  /** The file for which the content was stored, if this file is a copy of it. That file may be gone. */
  readonly content_file_id?: number
  readonly is_text: boolean
  readonly is_inline: boolean
  /** Media type detected from the bytes, if any. */
  readonly sniffed_type: string | null
  readonly damaged: boolean
  readonly alt_text?: string | null
  readonly focus?: string | null
  readonly layout_file_id?: number | null
  readonly version_note?: string | null
  /** In pixels, if the bytes are a picture that could be measured. */
  readonly width?: number | null
  readonly height?: number | null
  readonly thumbhash?: string | null
}

/** Fields of a version that responses contain. */
export const VERSION_FIELDS = [
  'asset_file_id',
  'version',
  'name',
  'type',
  'parent_category_id',
  'title',
  'description',
  'alt_text',
  'focus',
  'layout_file_id',
  'version_note',
  'width',
  'height',
  'thumbhash',
  'size',
  'sha256',
  'mime_type',
  'date_added',
  'owner',
  'damaged',
  'is_live',
  'is_staged',
  'is_pinned',
] as const

/** Key: [asset_file_id, version]. */
export const assetFileVersion: RecordType<AssetFileVersion> = {
  name: 'asset_file_version',
  idCount: 2,
  indexes: [{ name: 'uid', rows: (record) => [[String(record['uid'])]] }],
}

/** The name of the content of a version in the store. Copies of a file share the contents of its versions. */
export function contentNameOf({
  asset_file_id: fileId,
  uid,
  content_file_id: origin = fileId,
}: Pick<AssetFileVersion, 'asset_file_id' | 'uid' | 'content_file_id'>): {
  readonly fileId: number
  readonly uid: string
} {
  return { fileId: origin, uid }
}
