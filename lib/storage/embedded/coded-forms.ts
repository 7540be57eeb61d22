// Compressed forms of contents, which the site sends instead of compressing a text for each request, in form files:
//
//   .forms/00 … ff/<uid>.br, <uid>.gzip    an empty form means that compression does not save enough

import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormCoding, FormName, FormStore } from '../form-store.ts'
import type { ContentName, Contents } from '../port.ts'
import { type FormFilesOptions, openFormFiles, orMissing } from './form-files.ts'

const MAX_BYTES = 1024 * 1024 * 1024
const CODINGS: readonly FormCoding[] = ['br', 'gzip']

export function openFormStore({
  maxBytes = MAX_BYTES,
  ...places
}: Omit<FormFilesOptions, 'maxBytes'> & { readonly maxBytes?: number }): FormStore {
  const files = openFormFiles({ ...places, maxBytes })
  const pathOf = ({ uid, coding }: FormName): string => join(uid.slice(0, 2), `${uid}.${coding}`)

  return {
    read: (name) => files.read(pathOf(name)),
    write: (name, form) => files.write(pathOf(name), form),
    async drop(uids) {
      // A site without forms must not pay for them when it deletes thousands of files.
      if (!existsSync(places.directory)) return
      for (const uid of uids)
        for (const coding of CODINGS)
          await unlink(join(places.directory, pathOf({ uid, coding }))).catch(orMissing)
    },
  }
}

/** Removes the forms of a content together with the content. */
export function withForms(
  contents: Contents,
  ...stores: readonly Pick<FormStore, 'drop'>[]
): Contents {
  return {
    ...contents,
    async remove(names: readonly ContentName[]) {
      await contents.remove(names)
      for (const { drop } of stores) await drop(names.map(({ uid }) => uid))
    },
  }
}
