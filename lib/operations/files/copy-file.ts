// Copies a file: a draft with one version, which shares the bytes of a version of the original.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { type Holder, seesDrafts } from '../../auth/key-role.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetFile, type AssetFileVersion, assetFile } from '../../schema/asset-file.ts'
import { checkCreate } from '../../schema/check.ts'
import { fileNameFault } from '../../schema/names.ts'
import type { ObjectType } from '../../schema/object.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context, RecordInput } from '../context.ts'
import { withNewId } from '../new-id.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { tagOf } from '../present.ts'
import { viewOf } from '../visibility.ts'
import { requireFreeName } from './addresses.ts'
import { planCreate, requireCreator } from './file-plans.ts'
import { fileVisibility } from './file-visibility.ts'
import { commitChecked } from './stml-pages.ts'
import { bytesOf, findVersion, requireWhole } from './versions.ts'

export interface CopyInput extends RecordInput {
  /** The folder of the copy; undefined stands for that of the original. */
  readonly categoryId: number | undefined
  /** Undefined: the name of the original, or a free name made from it. */
  readonly name: string | undefined
}

/** Throws grant-missing if nothing of the file is live and the caller does not see drafts. */
export function copyFile(context: Context, input: CopyInput): Promise<Stored> {
  return withNewId(context.records, assetFile.recordType, (id) =>
    commitChecked(context, {
      find(reader) {
        const file = reader.get(assetFile.recordType, input.id)?.value
        return file && copiedVersion(reader, context.caller, file)
      },
      enter: () => requireCopy(context.records, context, input),
      plan(unit) {
        const { caller, version, categoryId } = requireCopy(unit, context, input)
        const name =
          input.name ?? freeName(unit, caller, assetFile, { categoryId, name: version.name })
        const place = { name, type: version.type, parent_category_id: categoryId }
        const fields = { ...checkCreate(assetFile, place), ...describing(version) }
        return planCreate(unit, context, { id, fields, bytes: bytesOf(version) })
      },
    }),
  )
}

interface Copied {
  readonly caller: Caller
  readonly version: AssetFileVersion
  readonly categoryId: number
}

function requireCopy(reader: Reader, context: Context, input: CopyInput): Copied {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record } = requireRecord(reader, assetFile, input.id)
  const { parent_category_id: ownId } = record
  requireGrant(reader, caller, 'view', ownId)
  const tag = tagOf(viewOf(context, { reader, as: caller }), fileVisibility, stored)
  requireFileMatch(input.precondition, { stored, record }, tag)
  const version = copiedVersion(reader, caller, record)
  if (version === undefined) requireGrant(reader, caller, 'modify', ownId)
  if (version === undefined) throw new CmsError('not-found', 'The file has no version.')
  requireWhole(version)
  const categoryId = input.categoryId ?? ownId
  requireCreator(reader, caller, { parent_category_id: categoryId })
  return { caller, version, categoryId }
}

/** The latest version if the caller sees drafts, and otherwise the live one. */
export function copiedVersion(
  reader: Reader,
  caller: Holder,
  { asset_file_id: id, parent_category_id: folderId, version, live_version: live }: AssetFile,
): AssetFileVersion | undefined {
  const number = seesDrafts(grantsAt(reader, caller, folderId)) ? version : live
  return number === null ? undefined : findVersion(reader, id, number)
}

/** The fields that a copy or a restored version takes from a version, besides its name and folder. */
export function describing(version: AssetFileVersion) {
  const { type, title, description, alt_text = null, focus = null, layout_file_id = null } = version
  return { type, title, description, alt_text, focus, layout_file_id }
}

/** A folder with more copies of the same name is refused. */
const MAX_COPIES = 100

/** The name itself if it is free, then "hello copy.html", "hello copy 2.html" and so on; throws name-taken after 100. */
export function freeName(
  reader: Reader,
  caller: Caller,
  object: ObjectType,
  { categoryId, name }: { readonly categoryId: number; readonly name: string },
): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : copyName(name, object === assetFile, number)
    try {
      requireFreeName(reader, caller, object, { categoryId, name: candidate })
      return candidate
    } catch (error) {
      const isTaken = error instanceof CmsError && error.code === 'name-taken'
      if (!isTaken || number === MAX_COPIES) throw error
    }
  }
}

/** A name that would be too long loses characters in front of the mark. */
function copyName(name: string, hasEnding: boolean, number: number): string {
  const dot = hasEnding ? name.lastIndexOf('.') : -1
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const mark = number === 1 ? ' copy' : ` copy ${number}`
  const letters = Array.from(base)
  const made = (): string => `${letters.join('').trimEnd()}${mark}${ending}`
  while (letters.length > 1 && fileNameFault(made()) !== undefined) letters.pop()
  return made()
}
