// Actions for the folder of the page, with their dialogs.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import { FolderAccessDialog } from '../users/folder-access-dialog.tsx'
import { FolderChanges } from './folder-changes.tsx'
import { DeleteFolder, NewFolder, RenameFolder } from './folder-dialogs.tsx'
import { FolderPicker } from './folder-finder.tsx'
import { PublicFolder, usePublicToast } from './folder-public.tsx'
import { usePublishing } from './file-work.ts'
import { PublishFolder, setForVisitors } from './folder-publish.tsx'
import { usePublishQuestion } from './publish-question.tsx'
import { useScheduling } from './schedule-dialog.tsx'
import { FolderSite } from './folder-site.tsx'
import { FolderVersions } from './folder-versions.tsx'
import { type FolderTree, loadedBelow } from './folder-tree.ts'
import { editorPath, type FolderRecord } from './records.ts'

export type FolderAct =
  | 'new-folder'
  | 'new-file'
  | 'rename'
  | 'move'
  | 'copy'
  | 'publish'
  | 'delete'
  | 'access'
  | 'public'
  | 'site'
  | 'versions'
  | 'changes'

const MAKING: ReadonlyMap<FolderAct, string> = new Map([
  ['new-file', 'file'],
  ['new-folder', 'folder'],
])

interface Opened {
  readonly kind: FolderAct
  readonly folder: FolderRecord
  /** From the topmost folder to this one. */
  readonly line: readonly FolderRecord[]
}

export type FolderActions = ReturnType<typeof useFolderActions>

interface FolderActionsOptions {
  readonly tree: FolderTree
  /** From the topmost folder to the open one. */
  readonly line: readonly FolderRecord[]
  /** Called after the folder has changed. */
  readonly onChange: () => void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one dialog after the other
export function useFolderActions({ tree, line, onChange }: FolderActionsOptions) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const deleted = useDeletedToast()
  const publishing = usePublishing(onChange)
  const mayPublish = usePublishQuestion()
  const scheduling = useScheduling(onChange)
  const { route } = useLocation()
  const publicToast = usePublicToast()
  const [opened, setOpened] = useState<Opened>()
  const close = (): void => setOpened(undefined)
  const shownId = line.at(-1)?.asset_category_id

  function changed(parents: readonly (number | null)[]): void {
    close()
    void tree.refresh(parents).catch(toast.problem)
    onChange()
  }

  function publicChanged(folder: FolderRecord): void {
    const { asset_category_id: id, parent_category_id: parentId } = folder
    changed([parentId, ...loadedBelow(tree, id)])
    void publicToast(folder)
  }

  async function moveTo(folder: FolderRecord, parentId: number): Promise<void> {
    const { asset_category_id: id, parent_category_id: from, name } = folder
    const place = async (to: number): Promise<void> => {
      await dataOf(
        api.PATCH('/asset_category/{id}', {
          params: { path: { id } },
          body: { parent_category_id: to },
        }),
      )
      changed([from, parentId, ...loadedBelow(tree, id)])
    }
    await place(parentId)
    const undo = (): void => void place(from ?? parentId).catch(toast.problem)
    toast({
      text: fill(t.content.folderMoved, { name }),
      ...(from !== null && { action: { text: t.general.undo, onPress: undo } }),
    })
  }

  async function copyTo({ asset_category_id: id }: FolderRecord, parentId: number): Promise<void> {
    const params = { path: { id } }
    const body = { parent_category_id: parentId }
    const copy = await dataOf(api.POST('/asset_category/{id}/copy', { params, body }))
    changed([copy.parent_category_id])
    toast({ text: fill(t.content.folderCopied, { name: copy.name }) })
  }

  const view = opened !== undefined && (
    <>
      {opened.kind === 'new-folder' && (
        <NewFolder
          parent={opened.folder}
          onClose={close}
          onDone={(made) => {
            changed([made.parent_category_id])
            route(pathOf(`/content/${made.asset_category_id}`))
          }}
        />
      )}
      {opened.kind === 'new-file' && (
        <NewFile
          folder={opened.folder}
          onClose={close}
          onDone={(fileId) => {
            close()
            route(editorPath(fileId))
          }}
        />
      )}
      {opened.kind === 'rename' && (
        <RenameFolder
          folder={opened.folder}
          onClose={close}
          onDone={() => changed([opened.folder.parent_category_id])}
        />
      )}
      {opened.kind === 'move' && (
        <FolderPicker
          title={t.content.moveFolder}
          submit={t.content.moveHere}
          onClose={close}
          onChoose={({ asset_category_id: id }) => {
            close()
            void moveTo(opened.folder, id).catch(toast.problem)
          }}
        />
      )}
      {opened.kind === 'copy' && (
        <FolderPicker
          title={t.content.copyFolder}
          submit={t.content.copyHere}
          initial={opened.line.at(-2)}
          onClose={close}
          onChoose={({ asset_category_id: id }) => {
            close()
            void copyTo(opened.folder, id).catch(toast.problem)
          }}
        />
      )}
      {opened.kind === 'publish' && (
        <PublishFolder
          line={opened.line}
          onClose={close}
          onPublish={(files, now) => {
            close()
            const { folder } = opened
            const publish = async (): Promise<void> => {
              const may = await mayPublish(files)
              if (!may && now !== undefined)
                await setForVisitors(api, folder.asset_category_id, folder)
              if (may && now !== undefined && now.is_public !== folder.is_public) publicChanged(now)
              if (may) publishing.run(files)
            }
            void publish().catch(toast.problem)
          }}
          onSchedule={(files, may) => {
            close()
            scheduling.open(files, may)
          }}
        />
      )}
      {opened.kind === 'access' && (
        <FolderAccessDialog
          name={opened.folder.name}
          isPublic={opened.folder.is_public}
          line={opened.line}
          onClose={close}
        />
      )}
      {opened.kind === 'public' && (
        <PublicFolder line={opened.line} onClose={close} onDone={publicChanged} />
      )}
      {opened.kind === 'versions' && (
        <FolderVersions
          line={opened.line}
          onClose={close}
          onDone={() => {
            changed([opened.folder.parent_category_id])
            toast({ text: t.general.saved })
          }}
        />
      )}
      {opened.kind === 'changes' && <FolderChanges folder={opened.folder} onClose={close} />}
      {opened.kind === 'site' && <FolderSite folder={opened.folder} onClose={close} />}
      {opened.kind === 'delete' && (
        <DeleteFolder
          folder={opened.folder}
          onClose={close}
          onDone={() => {
            const { parent_category_id: parentId, asset_category_id: id } = opened.folder
            changed([parentId])
            void deleted({
              text: fill(t.content.folderDeleted, { name: opened.folder.name }),
              record: { object: 'asset_category', id },
              onRestored: () => changed([parentId]),
            })
            if (id === shownId)
              route(pathOf(parentId === null ? '/content' : `/content/${parentId}`))
          }}
        />
      )}
    </>
  )

  return {
    /** The open dialog as stored in the URL, so that a reload opens it again; '' for none. */
    making: opened === undefined ? '' : (MAKING.get(opened.kind) ?? ''),
    /** Takes the line of the folder, from the topmost folder to the folder itself. */
    open: (kind: FolderAct, of: readonly FolderRecord[]): void => {
      const folder = of.at(-1)
      if (folder !== undefined) setOpened({ kind, folder, line: of })
    },
    view: (
      <>
        {publishing.view}
        {scheduling.view}
        {view}
      </>
    ),
  }
}

interface NewFileProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
  readonly onDone: (fileId: number) => void
}

const TYPES = ['html', 'stml', 'css', 'js', 'json', 'md', 'txt', 'svg', 'xml'] as const

const BY_NAME = ''

/** Creates an empty file. The name extension determines the type unless a type is chosen. */
function NewFile({ folder, onClose, onDone }: NewFileProps) {
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
