// The folders in the open folder, which stand before its files in the list and in the tiles.

import { useMemo, useState } from 'preact/hooks'
import { MAX_COUNTED_FOLDERS, MAX_FOLDER_COUNT } from '../../../shared/limits.ts'
import { pathOf } from '../../client/address.ts'
import { useCell } from '../../client/cell.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FileView } from './file-view.ts'
import type { FolderTree } from './folder-tree.ts'
import { PublicMark } from './public-mark.tsx'
import { type FolderCounts, type FolderRecord, readFolderCounts } from './records.ts'

export interface FolderRowEvents {
  readonly itemsFor: (folder: FolderRecord) => readonly MenuItem[]
  readonly onKey: (key: string, folder: FolderRecord) => void
  readonly onDrop: (folder: FolderRecord, transfer: DataTransfer) => void
}

export interface FolderList extends FolderRowEvents {
  readonly folders: readonly FolderRecord[]
  readonly counts: ReadonlyMap<number, FolderCounts>
  /** False until the folders are known. */
  readonly isReady: boolean
  /** Shows more folders; undefined if all are shown. */
  readonly showMore: (() => void) | undefined
}

interface FolderListOptions extends FolderRowEvents {
  readonly tree: FolderTree
  readonly folderId: number
  readonly view: FileView
  /** Incremented after every change. */
  readonly round: number
}

/** The tree has the folders already; the numbers take one request for each hundred. */
export function useFolderList(options: FolderListOptions): FolderList {
  const { tree, folderId, view, round, ...events } = options
  const api = useApi()
  const level = useCell(tree.levels).get(folderId)
  const [most, setMost] = useState(MAX_COUNTED_FOLDERS)
  const text = view.text.trim().toLowerCase()
  const isHidden = view.isEverywhere || view.type !== '' || view.state !== ''
  const found = useMemo(
    () =>
      isHidden
        ? []
        : (level?.folders ?? []).filter(({ name }) => name.toLowerCase().includes(text)),
    [level?.folders, isHidden, text],
  )
  const folders = found.slice(0, most)
  const ids = folders.map(({ asset_category_id: id }) => id)
  const counted = useRequest((signal) => readFolderCounts(api, ids, signal), [ids.join(), round])
  const hasMore = found.length > most || (!isHidden && typeof level?.next === 'string')

  return {
    folders,
    counts: counted.data ?? NO_COUNTS,
    isReady: level !== undefined && (level.state !== 'loading' || level.folders.length > 0),
    showMore: hasMore
      ? () => {
          setMost(most + MAX_COUNTED_FOLDERS)
          if (found.length <= most) void tree.load(folderId)
        }
      : undefined,
    ...events,
  }
}

const NO_COUNTS: ReadonlyMap<number, FolderCounts> = new Map()

/** Rows at the start of the table of files; its columns are name, state, type, size and time. */
export function FolderRows({ list }: { readonly list: FolderList }) {
  const { t } = useTexts()
  return (
    <>
      {list.folders.map((folder) => (
        <FolderRow key={folder.asset_category_id} folder={folder} list={list} />
      ))}
      {list.showMore !== undefined && (
        <tr>
          <td class="table-select" />
          <td class="file-cell-name" colSpan={6}>
            <Button kind="quiet" onPress={list.showMore}>
              {t.content.moreFolders}
            </Button>
          </td>
        </tr>
      )}
    </>
  )
}

interface FolderProps {
  readonly folder: FolderRecord
  readonly list: FolderList
}

function FolderRow({ folder, list }: FolderProps) {
  const { t } = useTexts()
  const target = useFolderTarget({ folder, list })
  return (
    <tr class="folder-row" {...target}>
      <td class="table-select" />
      <td class="file-cell-name">
        <FolderName folder={folder} />
      </td>
      <td class="file-cell-state folder-counts">
        <Counted counts={list.counts.get(folder.asset_category_id)} />
      </td>
      <td class="file-cell-fact">{t.content.folder}</td>
      <td class="file-cell-fact" />
      <td class="file-cell-when">
        <span class="when">
          <DateTime date={folder.date_modified} isRelative />
        </span>
      </td>
      <td class="table-actions">
        <FolderRowMenu folder={folder} list={list} />
      </td>
    </tr>
  )
}

export function FolderTiles({ list }: { readonly list: FolderList }) {
  const { t } = useTexts()
  return (
    <>
      <ul class="folder-tiles" aria-label={t.content.folders}>
        {list.folders.map((folder) => (
          <FolderTile key={folder.asset_category_id} folder={folder} list={list} />
        ))}
      </ul>
      {list.showMore !== undefined && (
        <div>
          <Button onPress={list.showMore}>{t.content.moreFolders}</Button>
        </div>
      )}
    </>
  )
}

function FolderTile({ folder, list }: FolderProps) {
  const target = useFolderTarget({ folder, list })
  return (
    <li class="folder-tile" {...target}>
      <FolderName folder={folder} />
      <FolderRowMenu folder={folder} list={list} />
      <span class="folder-counts">
        <Counted counts={list.counts.get(folder.asset_category_id)} />
      </span>
    </li>
  )
}

function FolderName({ folder }: { readonly folder: FolderRecord }) {
  const { asset_category_id: id, name, title } = folder
  return (
    <span class="marked">
      <a class="file-name" href={pathOf(`/content/${id}`)} draggable={false} title={title || name}>
        <Icon name="folder" />
        <bdi class="cut">{name}</bdi>
      </a>
      <PublicMark isPublic={folder.is_public} />
    </span>
  )
}

function FolderRowMenu({ folder, list }: FolderProps) {
  const { t } = useTexts()
  return (
    <Menu
      button={{ icon: 'more', label: fill(t.content.actionsOf, { name: folder.name }) }}
      items={list.itemsFor(folder)}
    />
  )
}

/** Says nothing until the numbers are known. */
function Counted({ counts }: { readonly counts: FolderCounts | undefined }) {
  const { t, formats } = useTexts()
  if (counts === undefined) return null
  const { folders, files } = counts
  if (folders === 0 && files === 0) return <>{t.content.emptyCount}</>
  const text = (of: 'asset_category' | 'asset_file', count: number): readonly string[] => {
    if (count === 0) return []
    if (count < MAX_FOLDER_COUNT) return [formats.count(t.content.held[of], count)]
    return [fill(t.content.atLeast, { count: formats.count(t.content.held[of], count) })]
  }
  return <>{[...text('asset_category', folders), ...text('asset_file', files)].join(', ')}</>
}

/** A folder takes files that are dropped on it, and the shortcuts F2 and Delete. */
function useFolderTarget({ folder, list }: FolderProps) {
  const [isOver, setIsOver] = useState(false)
  return {
    'data-over': isOver,
    'data-drop-name': folder.name,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('[role=menu]') === null) list.onKey(event.key, folder)
    },
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false)
      if (event.dataTransfer === null) return
      event.preventDefault()
      event.stopPropagation()
      list.onDrop(folder, event.dataTransfer)
    },
  }
}
