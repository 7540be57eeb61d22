// Uploads a new version of a file through the upload queue.

import { useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { chosenFiles } from './dropped-files.ts'
import type { FileRecord } from './records.ts'
import { useUploads } from './use-uploads.tsx'

/** The caller must render `view` while the user chooses a file. */
export function useReplaceFile() {
  const { t } = useTexts()
  // The new version is a draft, so that the live version stays.
  const uploads = useUploads(false)
  const input = useRef<HTMLInputElement>(null)
  const replaced = useRef<FileRecord>()

  function choose(file: FileRecord): void {
    replaced.current = file
    input.current?.click()
  }

  const view = (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={t.content.replace}
      onChange={({ currentTarget }) => {
        const { current: file } = replaced
        const found = chosenFiles(currentTarget.files)
        // Allows choosing the same file again.
        currentTarget.value = ''
        if (file !== undefined) uploads.add(found, file.parent_category_id, file)
      }}
    />
  )
  return { choose, view, landed: uploads.landed }
}
