// Forms of pictures in other sizes and formats, in form files:
//
//   .pictures/00 … ff/<uid>/<form>    <form>: the name that operations/files/picture-forms.ts gives to size, format and crop

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureStore } from '../form-store.ts'
import { type FormFilesOptions, openFormFiles } from './form-files.ts'

export function openPictureStore(options: FormFilesOptions): PictureStore {
  const { directory } = options
  const files = openFormFiles(options)
  const folderOf = (uid: string): string => join(uid.slice(0, 2), uid)

  return {
    read: ({ uid, form }) => files.read(join(folderOf(uid), form)),
    write: ({ uid, form }, bytes) => files.write(join(folderOf(uid), form), bytes),
    async drop(uids) {
      // A site without such forms must not pay for them when it deletes thousands of files.
      if (!existsSync(directory)) return
      for (const uid of uids)
        await rm(join(directory, folderOf(uid)), { recursive: true, force: true })
    },
  }
}
