// Stored compressed forms of the files of sites. A form is made once for each version, after the first request that accepts
// it, and one form at a time; meanwhile visitors get the text itself. Forms of removed versions are removed with them.

import type { AssetFileVersion } from '../../schema/asset-file.ts'
import type { FormCoding, FormStore } from '../../storage/form-store.ts'
import type { Contents, Records, Room } from '../../storage/port.ts'
import type { Services, VersionForms } from '../context.ts'
import { contentName, findVersion } from '../files/versions.ts'

export interface StoredFormsOptions extends Pick<Services, 'background'> {
  readonly store: FormStore
  readonly records: Records
  readonly contents: Pick<Contents, 'read'>
  readonly room: Room
  /** Returns no bytes if compression does not save enough. */
  readonly compress: (input: {
    readonly bytes: Uint8Array
    readonly coding: FormCoding
  }) => Promise<Uint8Array>
}

/** Further forms are made after later requests. */
const MAX_WAITING = 200
/** A client that does not accept the uncompressed text waits for at most this many other forms. */
const MAX_AWAITED = 4
/** No form is made for this long after a failure, such as a full disk. */
const PAUSE_MS = 60_000

export function openStoredForms(options: StoredFormsOptions): VersionForms {
  const { store, background } = options
  /** By uid and coding. */
  const making = new Map<string, Promise<Uint8Array | undefined>>()
  let last: Promise<unknown> = Promise.resolve()
  let resumeMs = 0

  /** Undefined if no form can be made now. */
  function makeOnce(version: AssetFileVersion, coding: FormCoding) {
    const name = `${version.uid} ${coding}`
    const other = making.get(name)
    if (other !== undefined) return other
    if (making.size >= MAX_WAITING || performance.now() < resumeMs) return undefined
    const before = last
    let form: Uint8Array | undefined
    const made = background
      .run('stored-forms', async (signal) => {
        await before
        try {
          if (!signal.aborted) form = await makeForm(options, version, coding)
        } catch {
          // A form is never necessary, and the disk reports its own troubles.
          resumeMs = performance.now() + PAUSE_MS
        } finally {
          making.delete(name)
        }
      })
      .then(() => form)
    making.set(name, made)
    last = made
    return made
  }

  return {
    async find(version, { coding, isAwaited }) {
      const kept = await store.read({ uid: version.uid, coding }).catch(() => undefined)
      if (kept !== undefined) return kept
      const mayWait = isAwaited && making.size < MAX_AWAITED
      const made = makeOnce(version, coding)
      return mayWait ? made : undefined
    },
  }
}

/** Undefined if the stored bytes are not those of the version, which a download reports. */
async function makeForm(
  { store, records, contents, room, compress }: StoredFormsOptions,
  version: AssetFileVersion,
  coding: FormCoding,
): Promise<Uint8Array | undefined> {
  const { asset_file_id: id, version: number, uid, size: sizeBytes, sha256 } = version
  const bytes = await contents.read(contentName(version), { sizeBytes, sha256 })
  if (bytes === undefined) return undefined
  const form = await compress({ bytes, coding })
  room.require('content', form.length)
  await store.write({ uid, coding }, form)
  // The version may have been removed meanwhile, together with the forms that it had.
  if (findVersion(records, id, number)?.uid !== uid) await store.drop([uid])
  return form
}
