// Actions for the folder of the page, with their dialogs.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useHasTrash } from '../../ui/delete-form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import { FolderAccessDialog } from '../users/folder-access-dialog.tsx'
import { FolderChanges } from './folder-changes.tsx'
import {
  type Counts,
  DeleteFolder,
  NewFile,
  NewFolder,
  RenameFolder,
  useFolderRemoval,
} from './folder-dialogs.tsx'
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
  /** The content of a folder to delete; undefined until the server has refused a deletion. */
  readonly held?: Counts | undefined
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
  const removal = useFolderRemoval()
  const hasTrash = useHasTrash()
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

  function wasDeleted({ parent_category_id: parentId, asset_category_id: id, name }: FolderRecord) {
    changed([parentId])
    void deleted({
      text: fill(t.content.folderDeleted, { name }),
      record: { object: 'asset_category', id },
      onRestored: () => {
        changed([parentId])
        if (id === shownId) route(pathOf(`/content/${id}`))
      },
    })
    if (id === shownId) route(pathOf(parentId === null ? '/content' : `/content/${parentId}`))
  }

  /** An empty folder goes to the trash without a question: the message afterwards offers to undo. */
  async function remove(folder: FolderRecord, of: readonly FolderRecord[]): Promise<void> {
    const held = hasTrash ? await removal.removeEmpty(folder) : undefined
    if (hasTrash && held === undefined) wasDeleted(folder)
    else setOpened({ kind: 'delete', folder, line: of, held })
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
          initial={opened.held}
          onClose={close}
          onDone={() => wasDeleted(opened.folder)}
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
      if (folder === undefined) return
      if (kind === 'delete') void remove(folder, of).catch(toast.problem)
      else setOpened({ kind, folder, line: of })
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
