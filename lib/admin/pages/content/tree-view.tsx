// The folder tree. Only visible rows are rendered, so that thousands of folders stay fast. The tree itself keeps the
// focus and marks the current row with aria-activedescendant.
//
//   <TreeView tree={tree} label={t.content.folders} chosenId={folder.id} onChoose={(folder) => …} />

import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useCell } from '../../client/cell.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import {
  type FolderRow,
  type FolderTree,
  type MoreRow,
  moveOf,
  rowsOf,
  type TreeRow,
} from './folder-tree.ts'
import { PublicMark } from './public-mark.tsx'
import { type FolderRecord } from './records.ts'

export interface TreeViewProps {
  readonly tree: FolderTree
  readonly label: string
  readonly chosenId: number | undefined
  readonly onChoose: (folder: FolderRecord) => void
  /** Receives keys that the tree does not handle: F2, Delete. */
  readonly onKey?: (key: string, folder: FolderRecord) => void
  /** Called for a drop on a folder. */
  readonly onDrop?: (folder: FolderRecord, transfer: DataTransfer) => void
}

const ROW = 32
/** Rows rendered above and below the visible ones. */
const SPARE = 8

// oxlint-disable-next-line eslint/max-lines-per-function -- keys, scrolling and rows share one state
export function TreeView(props: TreeViewProps) {
  const { tree, label, chosenId, onChoose, onKey } = props
  const [levels, open] = [useCell(tree.levels), useCell(tree.open)]
  const rows = useMemo(() => rowsOf({ levels, open }), [levels, open])
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState(chosenId)
  const [sight, setSight] = useState({ top: 0, height: 480 })
  const first = Math.max(0, Math.floor(sight.top / ROW) - SPARE)
  const last = Math.ceil((sight.top + sight.height) / ROW) + SPARE
  const shown = rows.slice(first, last)
  const indexOf = (id: number | undefined): number =>
    rows.findIndex((row) => row.kind === 'folder' && row.folder.asset_category_id === id)

  useEffect(() => setActiveId(chosenId), [chosenId])
  const chosenAt = indexOf(chosenId)
  // Scrolls once the row is known, not whenever a folder above it opens.
  useEffect(() => scrollTo(box.current, chosenAt), [chosenId, chosenAt >= 0])
  useLayoutEffect(() => {
    const look = (): void => {
      const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
      setSight({ top: scrollTop, height: clientHeight })
    }
    look()
    const observer = new ResizeObserver(look)
    if (box.current !== null) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[indexOf(activeId)]
    if (row?.kind === 'folder' && onKey !== undefined && OUTSIDE_KEYS.has(event.key))
      onKey(event.key, row.folder)
    const move = moveOf(event.key, rows, activeId)
    if (move === undefined) return
    event.preventDefault()
    if (move.kind === 'open' || move.kind === 'close') tree.setOpen(move.id, move.kind === 'open')
    else if (move.kind === 'choose' && row?.kind === 'folder') onChoose(row.folder)
    else setActiveId(move.id)
    scrollTo(box.current, indexOf(move.id))
  }

  return (
    <div
      ref={box}
      class="tree"
      role="tree"
      aria-label={label}
      // ARIA requires an item in a tree that is complete.
      aria-busy={shown.some(({ kind }) => kind === 'more')}
      tabIndex={0}
      aria-activedescendant={shown.some(isRow(activeId)) ? `${base}-${activeId ?? 0}` : undefined}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
        setSight({ top: scrollTop, height: clientHeight })
      }
      onKeyDown={press}
    >
      <div class="tree-rows" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
        {shown.map((row, at) =>
          row.kind === 'more' ? (
            <More key={`more-${row.parentId}`} row={row} top={(first + at) * ROW} tree={tree} />
          ) : (
            <Row
              key={row.folder.asset_category_id}
              {...props}
              row={row}
              top={(first + at) * ROW}
              id={`${base}-${row.folder.asset_category_id}`}
              isActive={row.folder.asset_category_id === activeId}
            />
          ),
        )}
      </div>
    </div>
  )
}

const OUTSIDE_KEYS: ReadonlySet<string> = new Set(['F2', 'Delete'])

function isRow(id: number | undefined) {
  return (row: TreeRow): boolean => row.kind === 'folder' && row.folder.asset_category_id === id
}

function scrollTo(box: HTMLElement | null, at: number): void {
  if (box === null || at < 0) return
  if (at * ROW < box.scrollTop) box.scrollTop = at * ROW
  else if ((at + 1) * ROW > box.scrollTop + box.clientHeight)
    box.scrollTop = (at + 1) * ROW - box.clientHeight
}

interface RowProps extends TreeViewProps {
  readonly row: FolderRow
  readonly top: number
  readonly id: string
  readonly isActive: boolean
}

function Row({ tree, row, top, id, isActive, chosenId, onChoose, onDrop }: RowProps) {
  const { t } = useTexts()
  const { folder, depth, place, count, isOpen, isLeaf } = row
  const folderId = folder.asset_category_id
  const [isOver, setIsOver] = useState(false)
  const isChosen = folderId === chosenId
  return (
    <div
      id={id}
      role="treeitem"
      class={isActive ? 'tree-row tree-active' : 'tree-row'}
      data-over={isOver}
      data-drop-name={onDrop === undefined ? undefined : folder.name}
      aria-level={depth}
      aria-posinset={place}
      aria-setsize={count}
      aria-expanded={isLeaf ? undefined : isOpen}
      aria-selected={isChosen}
      aria-label={folder.is_public ? `${folder.name}, ${t.general.public}` : folder.name}
      style={{ top: `${top}px`, paddingInlineStart: `${(depth - 1) * 16}px` }}
      onClick={() => onChoose(folder)}
      onDragOver={(event) => {
        if (onDrop === undefined) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false)
        if (onDrop === undefined || event.dataTransfer === null) return
        event.preventDefault()
        event.stopPropagation()
        onDrop(folder, event.dataTransfer)
      }}
    >
      {/* Keyboard users use the arrow keys instead. */}
      <span
        class={isLeaf ? 'tree-toggle tree-leaf' : 'tree-toggle'}
        onClick={(event) => {
          event.stopPropagation()
          tree.setOpen(folderId, !isOpen)
        }}
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
      </span>
      <Icon name="folder" />
      <span class="tree-name" title={folder.name}>
        <bdi>{folder.name}</bdi>
      </span>
      <PublicMark isPublic={folder.is_public} />
    </div>
  )
}

interface MoreProps {
  readonly row: MoreRow
  readonly top: number
  readonly tree: FolderTree
}

/** Loads the folders that it stands for when it becomes visible. */
function More({ row, top, tree }: MoreProps) {
  const { t } = useTexts()
  const { parentId, depth, state } = row
  useEffect(() => {
    if (state === 'ready') void tree.load(parentId)
  }, [state])
  const style = { top: `${top}px`, paddingInlineStart: `${depth * 16 + 8}px` }
  if (state !== 'failed') {
    return (
      <div class="tree-row tree-more" role="presentation" style={style}>
        {t.general.loading}
      </div>
    )
  }
  return (
    <div class="tree-row tree-more" role="presentation" style={style}>
      <span class="link" onClick={() => void tree.load(parentId)}>
        {t.general.reload}
      </span>
    </div>
  )
}
