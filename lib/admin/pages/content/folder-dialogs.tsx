// Dialogs that create, rename and delete folders, and that create a file in a folder.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { DeleteForm } from '../../ui/delete-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
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

interface NewFileProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
  readonly onDone: (fileId: number) => void
}

const TYPES = ['html', 'stml', 'css', 'js', 'json', 'md', 'txt', 'svg', 'xml'] as const

const BY_NAME = ''

/** Creates an empty file. The name extension determines the type unless a type is chosen. */
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

interface DeleteFolderProps extends ChangeFolderProps {
  /** The content of the folder; undefined until the server has refused a deletion. */
  readonly initial: Counts | undefined
}

/** Deletes an empty folder. For other folders, it first lists the content. */
export function DeleteFolder({ folder, initial, onClose, onDone }: DeleteFolderProps) {
  const { t } = useTexts()
  const removal = useFolderRemoval()
  const [held, setHeld] = useState(initial)
  const { name } = folder
  return (
    <Dialog title={t.content.deleteFolder} onClose={onClose}>
      {held === undefined ? (
        <DeleteForm
          key="empty"
          name={name}
          isFull={false}
          submit={t.content.deleteFolder}
          onDelete={async () => {
            const found = await removal.removeEmpty(folder)
            if (found === undefined) onDone()
            else setHeld(found)
          }}
        >
          <p>{fill(t.content.deleteFolderText, { name })}</p>
        </DeleteForm>
      ) : (
        <DeleteForm
          key="full"
          name={name}
          isFull
          submit={t.content.deleteAll}
          onDelete={async () => {
            await removal.remove(folder, true)
            onDone()
          }}
        >
          <CountList name={name} counts={held} />
        </DeleteForm>
      )}
    </Dialog>
  )
}

export function useFolderRemoval() {
  const api = useApi()
  const remove = async (
    { asset_category_id: id }: FolderRecord,
    recursive: boolean,
  ): Promise<void> => {
    const query = recursive ? { recursive } : {}
    await dataOf(api.DELETE('/asset_category/{id}', { params: { path: { id }, query } }))
  }
  return {
    remove,
    /** Deletes the folder only if it is empty; otherwise returns what it holds. */
    async removeEmpty(folder: FolderRecord): Promise<Counts | undefined> {
      try {
        await remove(folder, false)
        return undefined
      } catch (error) {
        if (error instanceof Problem && error.code === 'not-empty') return countsOf(error)
        throw error
      }
    },
  }
}

const COUNTED = ['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar'] as const

export type Counts = Readonly<Partial<Record<(typeof COUNTED)[number], number>>>

function countsOf({ facts }: Problem): Counts {
  const counts = facts.members['counts']
  return typeof counts === 'object' && counts !== null ? counts : {}
}

function CountList({ name, counts }: { readonly name: string; readonly counts: Counts }) {
  const { t, formats } = useTexts()
  return (
    <div role="alert">
      <p>{fill(t.content.notEmpty, { name })}</p>
      <ul class="held">
        {COUNTED.filter((object) => (counts[object] ?? 0) > 0).map((object) => (
          <li key={object}>{formats.count(t.content.held[object], counts[object] ?? 0)}</li>
        ))}
      </ul>
      <p>{t.content.belowToo}</p>
    </div>
  )
}
