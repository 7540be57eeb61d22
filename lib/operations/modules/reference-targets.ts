// The records that a reference may lead to, as the caller sees them. A record that the caller may not see is answered like
// a record that does not exist.

import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { type References } from '../../schema/columns/column.ts'
import { entryText } from '../../schema/entry.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { fileVisibility } from '../files/file-visibility.ts'
import { presenterOf } from '../present.ts'
import { viewOf } from '../visibility.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { isShown } from './public-module.ts'

/** A record as the caller sees it. */
export interface SeenRecord {
  readonly text: string
  /** Parses the values of an entry, for the references in them; undefined for a file. */
  readonly values: (() => JsonObject) | undefined
}

/** The object that a reference leads to. */
export interface ReferenceTarget {
  /** Undefined for files. */
  readonly module: Module | undefined
  /** Undefined if the record does not exist or the caller may not see it. */
  readonly read: (id: number) => SeenRecord | undefined
}

/** Undefined if the caller may not see the table or calendar. */
export function findTarget(
  { context, find }: Following,
  { object, module_id: id }: References,
): ReferenceTarget | undefined {
  if (object === assetFile.name) return { module: undefined, read: fileReader(context) }
  const module = object === 'asset_file' ? undefined : find(object, id ?? 0)
  return module && { module, read: (entryId) => readSeenEntry(context, module, entryId) }
}

function readSeenEntry(context: Context, module: Module, id: number): SeenRecord | undefined {
  const stored = findSeenEntry(context, module, id)
  if (stored === undefined) return undefined
  return { text: entryText(module.entry, stored), values: () => valuesOf(module, stored) }
}

/** The entry, if the module shows it to the caller. */
export function findSeenEntry(
  { records }: Pick<Context, 'records'>,
  module: Module,
  id: number,
): Stored | undefined {
  const stored = records.get(module.entry.object.recordType, id)
  return stored !== undefined && isShown(module, stored) ? stored : undefined
}

/** The values of an entry in the present layout, also of columns that the caller may not see. */
export function valuesOf({ entry }: Pick<Module, 'entry'>, { value }: Stored): JsonObject {
  return entry.object.recordType.upgrade?.(value) ?? value
}

/** The fields of an expanded file. */
export const EXPANDED_FILE_FIELDS: readonly string[] = [
  'asset_file_id',
  'name',
  'type',
  'title',
  'description',
  'alt_text',
  'focus',
  'width',
  'height',
  'thumbhash',
  'size',
  'sha256',
  'mime_type',
  'url',
  'date_published',
  'date_added',
  'date_modified',
  'state',
  'version',
  'live_version',
]
/** A draft changes these fields, so readers without a key do not get them. */
const KEYED_FILE_FIELDS: readonly string[] = [
  'date_added',
  'date_modified',
  'state',
  'version',
  'live_version',
]

export const PUBLIC_FILE_FIELDS: readonly string[] = EXPANDED_FILE_FIELDS.filter(
  (name) => !KEYED_FILE_FIELDS.includes(name),
)

function fileReader(context: Context): ReferenceTarget['read'] {
  const { records, caller } = context
  const isAnonymous = caller.isAnonymous === true
  const fields = new Set(isAnonymous ? PUBLIC_FILE_FIELDS : EXPANDED_FILE_FIELDS)
  const visible = openVisibleFolders(records, caller)
  const present = presenterOf(viewOf(context), fileVisibility, fields)
  return (id) => {
    const stored = records.get(assetFile.recordType, id)
    if (stored === undefined) return undefined
    const { parent_category_id: folderId, live_version: live } = stored.value
    if (!visible.grantsAt(folderId).has('view') || (isAnonymous && live === null)) return undefined
    return { text: present(stored), values: undefined }
  }
}
