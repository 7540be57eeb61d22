// Removes resumable uploads that cannot be continued: expired, or of a revoked key, an inactive user, or a deleted file or
// folder. Then removes bytes that no upload names.

import { apiKey } from '../../schema/api-key.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { type PartialUpload, partialUpload } from '../../schema/partial-upload.ts'
import { user } from '../../schema/user.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import type { Reader } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Services } from '../context.ts'
import { stateOf } from './append-upload.ts'

const EXPIRE_EVERY_MS = 600_000
/** Rows per commit. */
const BATCH = 100

type Needed = Pick<Services, 'records' | 'uploads' | 'background' | 'limits' | 'retentionClock'>

/** Runs now and every ten minutes, until the signal aborts. */
export async function expireUploads(services: Needed, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'expire-uploads', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeEnded(services, signal))
}

export interface UploadStatus {
  readonly unfinished: number
  /** Bytes that have arrived. */
  readonly bytes: number
  readonly expired: number
}

/** Reads each unfinished upload, which requireFew in partial-uploads.ts bounds. */
export function uploadStatus({
  records,
  uploads,
}: Pick<Services, 'records' | 'uploads'>): UploadStatus {
  const sizes = records
    .lookup(partialUpload, 'open', [])
    .map(([uid]) => records.get(partialUpload, String(uid))?.value.offset ?? 0)
  return {
    unfinished: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    expired: uploads?.expiries.count() ?? 0,
  }
}

async function removeEnded(services: Needed, signal: AbortSignal): Promise<void> {
  const { records, uploads } = services
  if (uploads === undefined) return
  const ended: PartialUpload[] = []
  await inSlices(walkEnded(services, (upload) => void ended.push(upload)))
  for (let done = 0; done < ended.length && !signal.aborted; done += BATCH) {
    const batch = ended.slice(done, done + BATCH)
    const removed = await records.commit((unit) =>
      batch.filter(({ uid }) => {
        const upload = unit.get(partialUpload, uid)?.value
        // A request may have continued the upload.
        if (upload === undefined || !isEnded(services, unit, upload)) return false
        unit.remove(partialUpload, uid)
        return true
      }),
    )
    uploads.expiries.add(removed.filter(({ made }) => made === undefined).length)
    for (const upload of removed) await uploads.partials.remove(stateOf(upload))
  }
  await uploads.partials.sweep(({ uid, part }) => {
    const upload = records.get(partialUpload, uid)?.value
    if (upload === undefined || upload.made !== undefined) return false
    return part === undefined || (upload.parts ?? []).some((each) => each.uid === part)
  }, signal)
}

/** Yields at each upload, because there may be many complete ones. */
function* walkEnded(
  services: Needed,
  visit: (upload: PartialUpload) => void,
): Generator<void, void> {
  const { records } = services
  for (const [uid] of records.list(partialUpload, [])) {
    yield
    const upload = records.get(partialUpload, String(uid))?.value
    if (upload !== undefined && isEnded(services, records, upload)) visit(upload)
  }
}

function isEnded(
  { retentionClock, limits }: Pick<Needed, 'retentionClock' | 'limits'>,
  reader: Pick<Reader, 'get'>,
  upload: PartialUpload,
): boolean {
  if (retentionClock.since(upload.date_active) > limits.uploadMs) return true
  if (upload.made !== undefined) return false
  const { user_id: userId, api_key_id: keyId } = upload
  if (reader.get(user.recordType, userId)?.value.status !== 'active') return true
  if (keyId !== null && reader.get(apiKey.recordType, keyId)?.value.status !== 'active') return true
  return !hasTarget(reader, upload)
}

function hasTarget(
  reader: Pick<Reader, 'get'>,
  { asset_file_id: fileId, asset_category_id: categoryId }: PartialUpload,
): boolean {
  if (fileId !== null) return reader.get(assetFile.recordType, fileId) !== undefined
  return categoryId !== null && reader.get(assetCategory.recordType, categoryId) !== undefined
}
