// The files of a folder, searched, sorted and paged by the server, with actions for the selection.

import { useLocation } from 'preact-iso/router'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { seesComments } from '../../client/comments.ts'
import type { Grant } from '../../../shared/grants.ts'
import { readStored, writeStored } from '../../client/stored.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Pagination, useCursors } from '../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import type { RowEvents } from '../../ui/table.tsx'
import { useRequest, useSettled } from '../../ui/use-request.ts'
import { useOpenComments } from '../comments/comment-count.tsx'
import type { useFileActions } from './file-actions.tsx'
import { dragFiles } from './dropped-files.ts'
import { FileFilters, type Shape } from './file-filters.tsx'
import { FileTable, FileTiles } from './file-table.tsx'
import { findFiles, type FileView, isFiltered, USUAL_VIEW } from './file-view.ts'
import { type FolderList, FolderTiles } from './folder-rows.tsx'
import type { FileRecord } from './records.ts'
import { versionPath } from './version-numbers.tsx'

export interface FileListProps {
  readonly folderId: number
  readonly folders: FolderList
  readonly grants: ReadonlySet<Grant>
  /** Incremented after every change. */
  readonly round: number
  readonly actions: ReturnType<typeof useFileActions>
  readonly view: FileView
  readonly onView: (view: FileView) => void
  /** Shown in an empty folder: the first steps. */
  readonly first: ComponentChildren
}

const SHAPE = 'cms.file-shape'
const NO_FOLDERS_SHOWN = { folders: [], showMore: undefined }
const NO_FOLDERS: ReadonlySet<number> = new Set()

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts of one list share the selection
export function FileList(props: FileListProps) {
  const { folderId, folders, grants, round, actions, view, onView, first } = props
  const { t, formats } = useTexts()
  const api = useApi()
  const pages = useCursors()
  const [shape, setShape] = useState<Shape>(storedShape)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const text = useSettled(view.text)
  const wanted = { ...view, text }
  const key = JSON.stringify([folderId, wanted])
  useEffect(() => {
    pages.restart()
    setSelected(new Set())
  }, [key])
  const found = useRequest(
    async (signal) => ({
      key,
      ...(await findFiles(api, { folderId, view: wanted, cursor: pages.cursor }, signal)),
    }),
    [key, pages.cursor, round],
  )
  const eventsOf = useRowEvents(actions, found.data?.rows ?? [], selected)
  const files = found.data?.rows ?? []
  const isStale = found.isLoading && found.data?.key !== key
  const chosen = files.filter(({ asset_file_id: id }) => selected.has(id))
  const isReady = found.data !== undefined && folders.isReady
  const total = found.data?.total ?? 0
  // Later pages have files only.
  const shown = pages.cursor === undefined ? folders : { ...folders, ...NO_FOLDERS_SHOWN }
  const isNone = files.length === 0 && shown.folders.length === 0
  const seesCounts = view.isEverywhere || seesComments(grants)
  const targets = seesCounts ? files.map(({ asset_file_id: id }) => `asset_file/${id}`) : []
  const list = {
    files,
    comments: useOpenComments(targets, round),
    selected,
    onSelect: setSelected,
    itemsFor: actions.itemsFor,
    eventsOf,
    isStale,
  }

  return (
    <div class="file-list">
      <FileFilters
        view={view}
        onView={onView}
        shape={shape}
        onShape={(next) => {
          setShape(next)
          writeStored(SHAPE, next)
        }}
      />
      {folders.isReady ? <Loading {...found} lines={10} /> : <Skeleton lines={10} />}
      {isReady && isNone && !isStale && (
        <None
          isFiltered={isFiltered(view)}
          text={view.text}
          onClear={() => onView({ ...USUAL_VIEW, sort: view.sort })}
        >
          {first}
        </None>
      )}
      {isReady && !isNone && shape === 'list' && (
        <FileTable
          {...list}
          folders={shown}
          sort={view.sort}
          onSort={(sort) => onView({ ...view, sort })}
          hasPath={view.isEverywhere}
          publicFolders={found.data?.publicFolders ?? NO_FOLDERS}
        />
      )}
      {isReady && !isNone && shape === 'tiles' && (
        <>
          {shown.folders.length > 0 && <FolderTiles list={shown} />}
          {files.length > 0 && <FileTiles {...list} mayRead={grants.has('modify')} />}
        </>
      )}
      {chosen.length > 0 && (
        <SelectionBar files={chosen} actions={actions} onClear={() => setSelected(new Set())} />
      )}
      <Pagination pages={pages} next={found.data?.next}>
        {isReady &&
          [
            ...(shown.folders.length > 0 && shown.showMore === undefined
              ? [formats.count(t.content.held.asset_category, shown.folders.length)]
              : []),
            ...(total > 0 ? [formats.count(t.content.total, total)] : []),
          ].join(', ')}
      </Pagination>
    </div>
  )
}

interface NoneProps {
  readonly isFiltered: boolean
  readonly text: string
  readonly onClear: () => void
  readonly children: ComponentChildren
}

function None({ isFiltered: isSearch, text, onClear, children }: NoneProps) {
  const { t } = useTexts()
  if (!isSearch) return children
  return (
    <EmptyState
      icon="search"
      title={t.content.nothingFound}
      action={<Button onPress={onClear}>{t.content.clearFilters}</Button>}
    >
      {/[*%]/.test(text) ? t.general.noWildcards : t.content.nothingFoundText}
    </EmptyState>
  )
}

interface SelectionBarProps {
  readonly files: readonly FileRecord[]
  readonly actions: ReturnType<typeof useFileActions>
  readonly onClear: () => void
}

function SelectionBar({ files, actions, onClear }: SelectionBarProps) {
  const { t, formats } = useTexts()
  const many = actions.itemsForAll(files)
  return (
    <div class="selection-bar" role="group" aria-label={t.content.selection}>
      <strong aria-live="polite">{formats.count(t.general.selected, files.length)}</strong>
      <div class="selection-actions">
        {many.map(({ text, onChoose }) => (
          <Button key={text} onPress={onChoose}>
            {text}
          </Button>
        ))}
      </div>
      <div class="selection-menu">
        <Menu button={{ icon: 'more', label: t.content.selection }} items={many} />
      </div>
      <Button kind="quiet" icon="close" label={t.content.clearSelection} onPress={onClear} />
    </div>
  )
}

/** Row shortcuts (l, s, v, F2, Delete), and the data of a drag. */
function useRowEvents(
  actions: FileListProps['actions'],
  files: readonly FileRecord[],
  selected: ReadonlySet<number>,
) {
  const { route } = useLocation()
  return (file: FileRecord): RowEvents => {
    const { asset_file_id: id, version, live_version: live, staged_version: staged } = file
    const versions: Readonly<Record<string, number | null>> = { l: live, s: staged, v: version }
    return {
      draggable: actions.may('modify'),
      onKeyDown(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (document.querySelector('[role=menu]') !== null) return
        const shown = versions[event.key]
        if (typeof shown === 'number') route(versionPath(id, shown))
        else if (event.key === 'F2' && actions.may('modify')) actions.rename(file)
        else if (event.key === 'Delete' && actions.may('delete'))
          void actions.remove(draggedWith(file, files, selected))
        else return
        event.preventDefault()
      },
      onDragStart: (event) => dragFiles(event, draggedWith(file, files, selected)),
    }
  }
}

/** Dragging a selected file drags the whole selection. */
function draggedWith(
  file: FileRecord,
  files: readonly FileRecord[],
  selected: ReadonlySet<number>,
): readonly FileRecord[] {
  if (!selected.has(file.asset_file_id)) return [file]
  return files.filter(({ asset_file_id: id }) => selected.has(id))
}

function storedShape(): Shape {
  return readStored(SHAPE) === 'tiles' ? 'tiles' : 'list'
}
