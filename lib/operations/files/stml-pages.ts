// Nothing that fails the check of STML goes live or on stage. What is saved as STML is checked then; but there may be
// versions of before that check was made, or was as strict, so the bytes are looked at again when a pointer is to move
// to them, and when they are restored.

import { CmsError } from '../../base/errors.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { isStml } from '../../schema/stml.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { contentName, findVersion, requireWhole } from './versions.ts'

export interface CheckedChange<T> {
  /** Which version it would show; undefined where there is none, or the plan will refuse. */
  readonly find: (reader: Reader) => ShownVersion | undefined
  /** Throws what would refuse the change, before any byte is read for it. */
  readonly enter: () => unknown
  readonly plan: (unit: Unit) => T
}

/** The type may be another one that the change gives it. */
type ShownVersion = Pick<
  AssetFileVersion,
  'asset_file_id' | 'version' | 'uid' | 'type' | 'size' | 'sha256' | 'is_text' | 'damaged'
>

/** So often another version may come in between, while the bytes of one are looked at. */
const MAX_CHECKS = 5

/** Commits a change that shows a version, with its bytes checked where it is of type stml. */
export async function commitChecked<T>(
  context: Context,
  { find, enter, plan }: CheckedChange<T>,
): Promise<T> {
  for (let round = 0; round < MAX_CHECKS; round += 1) {
    const found = find(context.records)
    const uid = found !== undefined && isStml(found.type) ? found.uid : undefined
    if (found !== undefined && uid !== undefined) {
      enter()
      await requirePage(context, found)
    }

    const outcome = await context.records.commit((unit) => {
      const now = find(unit)
      if (now !== undefined && isStml(now.type) && now.uid !== uid) return 'unchecked'
      return { value: plan(unit) }
    })
    if (outcome !== 'unchecked') return outcome.value
  }
  throw new CmsError('unavailable', 'The file is being saved all the time. Try again.')
}

async function requirePage(context: Context, found: ShownVersion): Promise<void> {
  requireWhole(found)
  const { version, size: sizeBytes, sha256, is_text: isText } = found
  if (!isText) throw noPage(version, 'It is no text in UTF-8 of at most 16 MiB.')
  const expected = { sizeBytes, sha256, type: found.type }
  const isThere = await context.contents.verify(contentName(found), expected).catch((error) => {
    throw isInvalid(error) ? noPage(version, error.message, error) : error
  })
  if (isThere) return
  // Not found, where the file was deleted meanwhile, by whatever process: the plan tells.
  await context.renew()
  if (findVersion(context.records, found.asset_file_id, version) !== undefined)
    requireWhole({ version, damaged: true })
}

function isInvalid(error: unknown): error is CmsError {
  return error instanceof CmsError && error.code === 'stml-invalid'
}

function noPage(version: number, fault: string, cause?: CmsError): CmsError {
  return new CmsError(
    'stml-invalid',
    `Version ${version} is of type stml and no page of it. ${fault} Save it anew, or take another version.`,
    { members: cause?.facts.members ?? {} },
  )
}
