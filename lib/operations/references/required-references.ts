// Checks inside the commit that the records to which an entry refers exist and that the caller may see them. A hidden
// record gets the same error as a missing record.

import type { Caller } from '../../auth/caller.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError, type Fault } from '../../base/errors.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { MAX_FAULTS, pointer, type Values } from '../../schema/check.ts'
import type { References } from '../../schema/columns/column.ts'
import type { EntryType } from '../../schema/entry.ts'
import { idsOf, type RemovedRecord } from '../../schema/reference.ts'
import type { JsonObject, RecordType } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import { MAX_REQUEST_REFERENCES } from '../../shared/limits.ts'
import type { Services } from '../context.ts'
import { isRemovalUnderWay } from '../removal-marks.ts'
import { isBeingRemoved } from './being-removed.ts'

interface WrittenReferences {
  readonly values: Values
  /** The place in a list of entries, as a JSON pointer; empty for a single entry. */
  readonly place: string
  /** The entry before the change: its references are not checked again. */
  readonly before?: JsonObject
}

interface Asked {
  readonly caller: Caller
  readonly entry: EntryType
  readonly written: readonly WrittenReferences[]
}

/**
 * All references to records that do not exist or that the caller may not see. Throws in-use for a record that is being
 * deleted.
 */
export function findWrongReferences(
  services: Pick<Services, 'modules'>,
  unit: Unit,
  { caller, entry, written }: Asked,
): readonly Fault[] {
  const { referenceColumns } = entry
  if (referenceColumns.length === 0) return []
  const look = openLookup(services, unit, caller)
  const isUnderWay = isRemovalUnderWay(unit)
  const faults: Fault[] = []
  let count = 0
  for (const { values, place, before } of written) {
    for (const { column } of referenceColumns) {
      const { name, references } = column
      if (references === undefined || !(name in values)) continue
      const known = new Set(before === undefined ? [] : idsOf(before[name]))
      const ids = idsOf(values[name]).filter((id) => !known.has(id))
      count += ids.length
      if (count > MAX_REQUEST_REFERENCES) throw tooMany()
      for (const id of ids) {
        const detail = faults.length < MAX_FAULTS ? look(references, id) : undefined
        if (detail !== undefined) faults.push({ pointer: `${place}${pointer(name)}`, detail })
        else if (isUnderWay) requireStaying(services, unit, { ...references, id })
      }
    }
  }
  return faults
}

function requireStaying(
  services: Pick<Services, 'modules'>,
  unit: Unit,
  { object, module_id, id }: RemovedRecord,
): void {
  if (!isBeingRemoved(services, unit, { object, module_id, id })) return
  const where = module_id === null ? '' : ` of ${object} ${module_id}`
  throw new CmsError(
    'in-use',
    `The ${object === 'asset_file' ? 'asset file' : 'entry'} ${id}${where} is being deleted, so nothing can refer to it.`,
  )
}

function tooMany(): CmsError {
  const limit = MAX_REQUEST_REFERENCES.toLocaleString('en')
  return new CmsError(
    'invalid-content',
    `The entries of one request may have at most ${limit} new references. Send several requests.`,
  )
}

/** Returns what is wrong with a reference; undefined if the record exists and the caller may see it. */
type Look = (references: References, id: number) => string | undefined

export function openLookup(
  services: Pick<Services, 'modules'>,
  reader: FolderReader,
  caller: Caller,
): Look {
  const folders = openVisibleFolders(reader, caller)
  const types = new Map<string, RecordType | undefined>()
  return (references, id) => {
    const { object, module_id: moduleId } = references
    if (object === 'asset_file') return fileFault(reader, folders, references, id)
    const name = `${object} ${moduleId}`
    if (!types.has(name)) {
      const module = services.modules.find(reader, object, moduleId ?? 0)
      const isSeen =
        module !== undefined && folders.grantsAt(module.record.parent_category_id).has('view')
      types.set(name, isSeen ? module.entry.object.recordType : undefined)
    }
    const type = types.get(name)
    return type !== undefined && reader.get(type, id) !== undefined
      ? undefined
      : `refers to entry ${id} of ${name}, which does not exist, or which the key may not see`
  }
}

function fileFault(
  reader: FolderReader,
  folders: VisibleFolders,
  { accept }: References,
  id: number,
): string | undefined {
  const file = reader.get(assetFile.recordType, id)?.value
  if (file === undefined || !folders.grantsAt(file.parent_category_id).has('view'))
    return `refers to asset file ${id}, which does not exist, or which the key may not see`
  const type = shownType(reader, file)
  return accept === null || accept.some((pattern) => isOfType(type, pattern))
    ? undefined
    : `refers to asset file ${id} of the type ${type}; accepted types: ${accept.join(', ')}`
}

/** The media type of the live version, or of the latest version if none is live: all readers of the file see it. */
function shownType(
  reader: FolderReader,
  { asset_file_id: id, live_version: live, version, mime_type }: AssetFile,
): string {
  if (live === null || live === version) return mime_type
  return reader.get(assetFileVersion, id, live)?.value.mime_type ?? mime_type
}

function isOfType(type: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}
