// The next version of a file from the disk: a file is chosen, and goes through the queue of uploads.

import { useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { chosenFiles } from './dropped-files.ts'
import type { FileRecord } from './records.ts'
import { useUploads } from './use-uploads.tsx'

/** `view` has to be on the page while a file is chosen. */
export function useReplaceFile() {
  const { t } = useTexts()
  // As a draft: nothing of what is live changes.
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
        // The same file once more is a choice, too.
        currentTarget.value = ''
        if (file !== undefined) uploads.add(found, file.parent_category_id, file)
      }}
    />
  )
  return { choose, view, landed: uploads.landed }
}
