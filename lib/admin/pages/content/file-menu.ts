// The menu of files: the same actions in the same order in the list, in the tiles, on the page of a file and for a selection.

import { useLocation } from 'preact-iso/router'
import type { Grant } from '../../../shared/grants.ts'
import { useApi } from '../../client/client-context.ts'
import { saveFrom, ticketFor } from '../../client/download.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { editorPath, type FileRecord, isTextFile, MOST_WRITTEN, versionAddress } from './records.ts'
import { mayView, mayViewStaged, useViewFile } from './view-file.ts'
import { versionPath } from './version-numbers.tsx'

/** Actions that the caller of the menu carries out. */
export type FileAct =
  | 'replace'
  | 'duplicate'
  | 'move'
  | 'rename'
  | 'details'
  | 'publish'
  | 'stage'
  | 'schedule'
  | 'unpublish'
  | 'unstage'
  | 'delete'

export interface FileMenuOptions {
  readonly may: (grant: Grant) => boolean
  readonly act: (name: FileAct, files: readonly FileRecord[]) => void
}

interface Entry extends MenuItem {
  readonly isShown: boolean
  /** The action takes one file only. */
  readonly isOfOne?: boolean
}

export function useFileMenu(options: FileMenuOptions) {
  const { may, act } = options
  const { t } = useTexts()
  const ofOne = useFileLinks(may)

  const texts = { ...t.content, schedule: t.schedule.action }
  const entry = (
    files: readonly FileRecord[],
    name: FileAct,
    look: Omit<Entry, 'onChoose' | 'text'>,
  ): Entry => ({ text: texts[name], onChoose: () => act(name, files), ...look })

  /** Changes of the file: its content, its copies, its place and its name. */
  const ofPlace = (files: readonly FileRecord[]): readonly Entry[] => [
    entry(files, 'replace', { icon: 'upload', isShown: may('modify'), isOfOne: true }),
    entry(files, 'duplicate', { icon: 'copy', isShown: may('create') }),
    entry(files, 'move', { icon: 'folder', isShown: may('modify') }),
    entry(files, 'rename', { icon: 'edit', isShown: may('modify'), isOfOne: true }),
    entry(files, 'details', { icon: 'info', isShown: true, isOfOne: true }),
  ]

  /** Changes of what visitors see. */
  const ofState = (files: readonly FileRecord[]): readonly Entry[] => {
    const isLive = files.some(({ live_version: live }) => live !== null)
    const maySchedule = may('publish') || may('stage')
    return [
      entry(files, 'publish', { icon: 'globe', isShown: may('publish') }),
      entry(files, 'stage', { icon: 'eye', isShown: may('stage') }),
      entry(files, 'schedule', { icon: 'clock', isShown: maySchedule }),
      entry(files, 'unpublish', { icon: 'eyeOff', isShown: may('publish') && isLive }),
      entry(files, 'unstage', {
        icon: 'eyeOff',
        isShown: may('stage') && files.some(isStagedAlone),
      }),
    ]
  }

  const entriesFor = (files: readonly FileRecord[]): readonly Entry[] => [
    ...files.slice(0, 1).flatMap(ofOne),
    ...ofPlace(files),
    ...ofState(files),
    entry(files, 'delete', { icon: 'trash', isDangerous: true, isShown: may('delete') }),
  ]

  return {
    /** The menu of one file. */
    itemsFor: (file: FileRecord): readonly MenuItem[] =>
      entriesFor([file]).filter(({ isShown }) => isShown),
    /** The actions that several files can share. */
    itemsForAll: (files: readonly FileRecord[]): readonly MenuItem[] =>
      entriesFor(files).filter(({ isShown, isOfOne }) => isShown && isOfOne !== true),
  }
}

/** Whether the staged version differs from the live version. */
function isStagedAlone({ staged_version: staged, live_version: live }: FileRecord): boolean {
  return staged !== null && staged !== live
}

/** Actions that open, download or link the file. */
function useFileLinks(may: FileMenuOptions['may']) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { route } = useLocation()
  const viewing = useViewFile()

  async function download(file: FileRecord, version: number): Promise<void> {
    const path = versionAddress({ file, version, mayRead: may('modify') })
    saveFrom(await ticketFor(api, path), file.name)
  }

  return (file: FileRecord): readonly Entry[] => {
    const { asset_file_id: id, version, live_version: live } = file
    const mayEdit = may('modify') && isTextFile(file) && file.size <= MOST_WRITTEN
    const shown = live ?? (may('modify') ? version : undefined)
    const all: readonly Omit<Entry, 'isOfOne'>[] = [
      {
        text: t.content.edit,
        icon: 'edit',
        isShown: mayEdit,
        onChoose: () => route(editorPath(id)),
      },
      {
        text: t.content.view,
        icon: 'eye',
        isShown: shown !== undefined,
        onChoose: () => (mayView(file) ? viewing.view(file) : route(versionPath(id, shown))),
      },
      {
        text: t.content.viewStaged,
        icon: 'eye',
        isShown: mayViewStaged(file, may),
        onChoose: () => viewing.viewStaged(file),
      },
      {
        text: t.content.download,
        icon: 'download',
        isShown: shown !== undefined,
        onChoose: () =>
          void download(file, may('modify') ? version : (live ?? version)).catch(toast.problem),
      },
      {
        text: t.content.copyUrl,
        icon: 'link',
        isShown: true,
        onChoose: () => viewing.copyUrl(file),
      },
    ]
    return all.map((each) => ({ ...each, isOfOne: true }))
  }
}
