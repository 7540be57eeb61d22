// Creates an empty file. The name extension determines the type unless a type is chosen.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { FolderRecord } from './records.ts'

export interface NewFileProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
  readonly onDone: (fileId: number) => void
}

const TYPES = ['html', 'stml', 'css', 'js', 'json', 'md', 'txt', 'svg', 'xml'] as const

const BY_NAME = ''

export function NewFile({ folder, onClose, onDone }: NewFileProps) {
  const { t } = useTexts()
  const api = useApi()
  const folderId = folder.asset_category_id
  return (
    <Dialog title={t.acts.newFile} onClose={onClose}>
      <Form
        name={`new-file-${folderId}`}
        initial={{ name: '', type: BY_NAME as string }}
        submit={t.content.create}
        onSubmit={async ({ name, type }, { once }) => {
          const body = { name, type: type || endingOf(name), parent_category_id: folderId }
          const params = { header: once(body) }
          const file = await dataOf(api.POST('/asset_file', { params, body }))
          // The request was not a list.
          if ('asset_file_id' in file) onDone(file.asset_file_id)
        }}
      >
        <TextInput
          name="name"
          label={t.content.name}
          hint={fill(t.content.inFolder, { path: folder.path })}
          isRequired
          isFocused
        />
        <Select
          name="type"
          label={t.content.type}
          options={[
            { value: BY_NAME, text: t.content.byName },
            ...TYPES.map((type) => ({ value: type as string, text: type as string })),
          ]}
        />
      </Form>
    </Dialog>
  )
}

function endingOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]
  return ending?.toLowerCase() ?? 'html'
}
