// Dialogs that create, rename and delete folders.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { FolderRecord } from './records.ts'

export interface NewFolderProps {
  readonly parent: FolderRecord
  readonly onClose: () => void
  readonly onDone: (made: FolderRecord) => void
}

export function NewFolder({ parent, onClose, onDone }: NewFolderProps) {
  const { t } = useTexts()
  const api = useApi()
  const parentId = parent.asset_category_id
  return (
    <Dialog title={t.acts.newFolder} onClose={onClose}>
      <Form
        name={`new-folder-${parentId}`}
        initial={{ name: '' }}
        submit={t.content.create}
        onSubmit={async ({ name }, { once }) => {
          const body = { name, parent_category_id: parentId }
          const params = { header: once(body) }
          onDone(await dataOf(api.POST('/asset_category', { params, body })))
        }}
      >
        <TextInput
          name="name"
          label={t.content.name}
          hint={fill(t.content.inFolder, { path: parent.path })}
          isRequired
          isFocused
        />
      </Form>
    </Dialog>
  )
}

export interface ChangeFolderProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
  readonly onDone: () => void
}

export function RenameFolder({ folder, onClose, onDone }: ChangeFolderProps) {
  const { t } = useTexts()
  const api = useApi()
  const { asset_category_id: id } = folder
  const initial = { name: folder.name, title: folder.title ?? '' }
  return (
    <Dialog title={t.content.renameFolder} onClose={onClose}>
      <Form
        name={`folder-${id}`}
        initial={initial}
        submit={t.general.save}
        onSubmit={async ({ name, title }) => {
          await dataOf(
            api.PATCH('/asset_category/{id}', {
              params: { path: { id } },
              body: {
                ...(name !== initial.name && { name }),
                ...(title !== initial.title && { title: title || null }),
              },
            }),
          )
          onDone()
        }}
      >
        <TextInput name="name" label={t.content.name} isRequired isFocused />
        <TextInput name="title" label={t.content.titleField} isOptional />
      </Form>
    </Dialog>
  )
}

/** Deletes an empty folder directly. For other folders, it lists the content and asks for the name. */
export function DeleteFolder({ folder, onClose, onDone }: ChangeFolderProps) {
  const { t } = useTexts()
  const api = useApi()
  const [held, setHeld] = useState<Counts>()
  const { asset_category_id: id, name } = folder

  async function remove(recursive: boolean): Promise<void> {
    const query = recursive ? { recursive } : {}
    await dataOf(api.DELETE('/asset_category/{id}', { params: { path: { id }, query } }))
    onDone()
  }

  async function removeEmpty(): Promise<void> {
    await remove(false).catch((error: unknown) => {
      const counts =
        error instanceof Problem && error.code === 'not-empty' ? countsOf(error) : undefined
      if (counts === undefined) throw error
      setHeld(counts)
    })
  }

  return (
    <Dialog title={t.content.deleteFolder} onClose={onClose}>
      {held === undefined ? (
        <Form
          key="empty"
          name={`delete-folder-${id}`}
          initial={{}}
          submit={t.content.deleteFolder}
          isDangerous
          isForgotten
          onSubmit={removeEmpty}
          onCancel={onClose}
        >
          <p>{fill(t.content.deleteFolderText, { name })}</p>
        </Form>
      ) : (
        <Form
          key="full"
          name={`delete-full-folder-${id}`}
          initial={{ name: '' }}
          submit={t.content.deleteAll}
          isDangerous
          isForgotten
          onSubmit={async (typed) => {
            if (typed.name !== name) throw new InvalidFields({ name: t.content.notTheName })
            await remove(true)
          }}
          onCancel={onClose}
        >
          <CountList counts={held} />
          <TextInput name="name" label={fill(t.content.typeName, { name })} isRequired isFocused />
        </Form>
      )}
    </Dialog>
  )
}

const COUNTED = ['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar'] as const

type Counts = Readonly<Partial<Record<(typeof COUNTED)[number], number>>>

function countsOf({ facts }: Problem): Counts {
  const counts = facts.members['counts']
  return typeof counts === 'object' && counts !== null ? counts : {}
}

function CountList({ counts }: { readonly counts: Counts }) {
  const { t, formats } = useTexts()
  return (
    <div role="alert">
      <p>{t.content.notEmpty}</p>
      <ul class="held">
        {COUNTED.filter((object) => (counts[object] ?? 0) > 0).map((object) => (
          <li key={object}>{formats.count(t.content.held[object], counts[object] ?? 0)}</li>
        ))}
      </ul>
      <p>{t.content.belowToo}</p>
    </div>
  )
}
