// Ensures that only valid STML goes live or on stage. STML is checked when it is saved, but older versions may
// predate the check or its present strictness. So the bytes are checked again when a pointer moves to them, and when
// they are restored.

import { CmsError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { checkStml, isStml, type StmlFault } from '../../schema/stml.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireTextSize } from './page-bytes.ts'
import { contentName, findVersion, requireWhole } from './versions.ts'

interface CheckedChange<T> {
  /** The version that the change would show; undefined if there is none, or if the plan will refuse the change. */
  readonly find: (reader: Reader) => ShownVersion | undefined
  /** Throws if the change would be refused, before any byte is read for it. */
  readonly enter: () => unknown
  readonly plan: (unit: Unit) => T
}

/** The type may be the new one that the change sets. */
type ShownVersion = Pick<
  AssetFileVersion,
  | 'asset_file_id'
  | 'version'
  | 'uid'
  | 'content_file_id'
  | 'type'
  | 'size'
  | 'sha256'
  | 'is_text'
  | 'damaged'
>

/** Attempts, if another version is saved while the bytes of one are checked. */
const MAX_CHECKS = 5

/** Commits a change that shows a version; checks the bytes first if the version is of type stml. */
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
      if (now !== undefined && isStml(now.type) && now.uid !== uid) {
        if (context.isJoint === true) throw savedMeanwhile()
        return 'unchecked'
      }
      return { value: plan(unit) }
    })
    if (outcome !== 'unchecked') return outcome.value
  }
  throw savedMeanwhile()
}

function savedMeanwhile(): CmsError {
  return new CmsError('unavailable', 'The file was saved again during the request. Try again.')
}

/** Throws if the bytes of a version of type stml are damaged or no valid page. */
export async function requirePage(
  context: Pick<Context, 'records' | 'contents' | 'renew'>,
  found: ShownVersion,
): Promise<void> {
  requireWhole(found)
  const { version, size: sizeBytes, sha256, is_text: isText } = found
  if (!isText) throw noPage(version, 'It is not a UTF-8 text of at most 16 MiB.')
  const expected = { sizeBytes, sha256, type: found.type }
  const isThere = await context.contents.verify(contentName(found), expected).catch((error) => {
    throw isInvalid(error) ? noPage(version, error.message, error) : error
  })
  if (isThere) return
  // If the file was deleted meanwhile, by any process, the plan reports not-found.
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
    `Version ${version} is of type stml, but not a valid page. ${fault} Save a corrected version, or choose another version.`,
    { members: cause?.facts.members ?? {} },
  )
}

/**
 * Checks a text of type stml for editors, without saving it. Returns only the first fault, because later faults mostly
 * follow from it.
 */
export async function findStmlFaults(
  context: Context,
  text: string,
): Promise<readonly StmlFault[]> {
  const sizeBytes = requireTextSize(context, text)
  // Same limit as for saved texts: below it, the check is faster than the round trip to a thread.
  const isShort = sizeBytes <= LIMITS.inlineContentBytes
  const fault = isShort ? checkStml(text) : await context.stmlWork.check(text)
  return fault === undefined ? [] : [fault]
}
