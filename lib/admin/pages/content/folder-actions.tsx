// Actions for the folder of the page, with their dialogs.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { FolderAccessDialog } from '../users/folder-access-dialog.tsx'
import { DeleteFolder, NewFolder, RenameFolder } from './folder-dialogs.tsx'
import { FolderPicker } from './folder-picker.tsx'
import type { FolderTree } from './folder-tree.ts'
import { NewFile } from './new-file.tsx'
import type { FolderRecord } from './records.ts'
import { editorPath } from './text-files.ts'

type Kind = 'new-folder' | 'new-file' | 'rename' | 'move' | 'delete' | 'access'

const MAKING: ReadonlyMap<Kind, string> = new Map([
  ['new-file', 'file'],
  ['new-folder', 'folder'],
])

export interface FolderActionsOptions {
  readonly tree: FolderTree
  /** From the topmost folder to the open one. */
  readonly line: readonly FolderRecord[]
  /** Called after a rename or a move. */
  readonly onChange: () => void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one dialog after the other
export function useFolderActions({ tree, line, onChange }: FolderActionsOptions) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { route } = useLocation()
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly folder: FolderRecord }>()
  const close = (): void => setOpened(undefined)
  const shownId = line.at(-1)?.asset_category_id

  function changed(parents: readonly (number | null)[]): void {
    close()
    void tree.refresh(parents).catch(toast.problem)
    onChange()
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
      changed([from, parentId])
    }
    await place(parentId)
    const undo = (): void => void place(from ?? parentId).catch(toast.problem)
    toast({
      text: fill(t.content.folderMoved, { name }),
      ...(from !== null && { action: { text: t.general.undo, onPress: undo } }),
    })
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
      {opened.kind === 'access' && (
        <FolderAccessDialog name={opened.folder.name} line={line} onClose={close} />
      )}
      {opened.kind === 'delete' && (
        <DeleteFolder
          folder={opened.folder}
          onClose={close}
          onDone={() => {
            const { parent_category_id: parentId, asset_category_id: id } = opened.folder
            changed([parentId])
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
    open: (kind: Kind, folder: FolderRecord): void => setOpened({ kind, folder }),
    view,
  }
}
