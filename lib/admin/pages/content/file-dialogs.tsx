// Renames a file, or uploads its next version. The address contains the name; the identifier stays.

import { useRef } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { chosenFiles } from './dropped-files.ts'
import { type FileRecord, readFile } from './records.ts'
import { useUploads } from './use-uploads.tsx'

interface RenameFileProps {
  readonly file: FileRecord
  readonly onClose: () => void
  readonly onDone: () => void
}

export function RenameFile({ file, onClose, onDone }: RenameFileProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { asset_file_id: id, name: before } = file

  async function rename(name: string, from: string): Promise<void> {
    const { record, etag } = await readFile(api, id)
    // If somebody else has renamed the file, an outdated ETag makes the request fail.
    const known = record.name === from ? etag : '"0"'
    await dataOf(
      api.PATCH('/asset_file/{id}', {
        params: { path: { id }, header: { 'If-Match': known } },
        body: { name },
      }),
    )
    onDone()
  }

  return (
    <Dialog title={t.content.rename} onClose={onClose}>
      <Form
        name={`rename-file-${id}`}
        initial={{ name: before }}
        submit={t.content.rename}
        onSubmit={async ({ name }) => {
          await rename(name, before)
          onClose()
          const undo = (): void => void rename(before, name).catch(toast.problem)
          const text = fill(t.content.renamed, { name })
          toast({ text, action: { text: t.general.undo, onPress: undo } })
        }}
      >
        <TextInput name="name" label={t.content.name} isRequired isFocused />
      </Form>
    </Dialog>
  )
}

/** The caller must render `view` while the user chooses a file. The new version is a draft until the user publishes it. */
export function useReplaceFile(mayPublish: boolean) {
  const { t } = useTexts()
  const uploads = useUploads(mayPublish, false)
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
