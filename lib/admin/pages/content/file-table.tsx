import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { type Column, type RowEvents, type Sort, Table } from '../../ui/table.tsx'
import { CommentCount } from '../comments/comment-count.tsx'
import { type FolderList, FolderRows } from './folder-rows.tsx'
import { PublicMark } from './public-mark.tsx'
import type { FileRecord } from './records.ts'
import { iconOf, Thumbnail } from './thumbnail.tsx'
import { versionPath } from './version-numbers.tsx'

interface FilesProps {
  readonly files: readonly FileRecord[]
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
  readonly itemsFor: (file: FileRecord) => readonly MenuItem[]
  readonly eventsOf: (file: FileRecord) => RowEvents
  readonly isStale: boolean
  /** Numbers of open comments by target. */
  readonly comments: ReadonlyMap<string, number>
}

interface FileTableProps extends FilesProps {
  /** Stand before the files. */
  readonly folders: FolderList
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** Files of several folders show their paths. */
  readonly hasPath: boolean
  /** Marked in the paths. */
  readonly publicFolders: ReadonlySet<number>
}

export function FileTable(props: FileTableProps) {
  const { files, folders, itemsFor, eventsOf, hasPath, publicFolders, comments, ...table } = props
  const { t } = useTexts()
  const columns: readonly Column<FileRecord>[] = [
    {
      id: 'name',
      look: 'file-cell-name',
      head: t.content.name,
      canSort: true,
      cell: (file) => (
        <span class="marked">
          <FileName file={file} />
          <CommentCount count={comments.get(targetOf(file))} />
        </span>
      ),
    },
    ...(hasPath
      ? [
          {
            id: 'path',
            look: 'file-cell-path',
            head: t.content.folder,
            cell: (file: FileRecord) => (
              <FilePath file={file} isPublic={publicFolders.has(file.parent_category_id)} />
            ),
          },
        ]
      : []),
    {
      id: 'live_version',
      look: 'file-cell-state',
      head: t.content.state,
      canSort: true,
      cell: (file) => <StatusBadge file={file} />,
    },
    {
      id: 'type',
      look: 'file-cell-fact',
      head: t.content.type,
      canSort: true,
      cell: ({ type }) => <bdi>{type}</bdi>,
    },
    {
      id: 'size',
      look: 'file-cell-fact',
      head: t.content.size,
      canSort: true,
      isNumber: true,
      cell: ({ size }) => <Bytes count={size} />,
    },
    {
      id: 'date_modified',
      look: 'file-cell-when',
      head: t.content.modified,
      canSort: true,
      cell: ({ date_modified: date }) => (
        <span class="when">
          <DateTime date={date} isRelative />
        </span>
      ),
    },
    {
      id: 'actions',
      head: <span class="unseen">{t.content.actions}</span>,
      isActions: true,
      cell: (file) => (
        <Menu
          button={{ icon: 'more', label: fill(t.content.actionsOf, { name: file.name }) }}
          items={itemsFor(file)}
        />
      ),
    },
  ]
  return (
    <Table
      label={t.content.files}
      rows={files}
      columns={columns}
      keyOf={({ asset_file_id: id }) => id}
      nameOf={({ name }) => name}
      rowEvents={eventsOf}
      firstRows={<FolderRows list={folders} />}
      {...table}
    />
  )
}

function targetOf({ asset_file_id: id }: FileRecord): string {
  return `asset_file/${id}`
}

function FileName({ file }: { readonly file: FileRecord }) {
  const { asset_file_id: id, name, title } = file
  return (
    <a class="file-name" href={versionPath(id)} draggable={false} title={title ?? name}>
      <Icon name={iconOf(file)} />
      <bdi class="cut">{name}</bdi>
    </a>
  )
}

interface FilePathProps {
  readonly file: FileRecord
  readonly isPublic: boolean
}

function FilePath({ file: { path }, isPublic }: FilePathProps) {
  const folder = path.slice(0, path.lastIndexOf('/'))
  return (
    <span class="marked">
      <bdi class="file-path cut" title={folder}>
        {folder}
      </bdi>
      <PublicMark isPublic={isPublic} />
    </span>
  )
}

/** Files as tiles with thumbnails. */
interface FileTilesProps extends FilesProps {
  readonly mayRead: boolean
}

export function FileTiles(props: FileTilesProps) {
  const { t } = useTexts()
  return (
    <ul class="tiles" aria-label={t.content.files} aria-busy={props.isStale}>
      {props.files.map((file) => (
        <Tile key={file.asset_file_id} file={file} {...props} />
      ))}
    </ul>
  )
}

function Tile({
  file,
  selected,
  onSelect,
  itemsFor,
  eventsOf,
  mayRead,
  comments,
}: FileTilesProps & { readonly file: FileRecord }) {
  const { t } = useTexts()
  const { asset_file_id: id, name, title } = file
  const isSelected = selected.has(id)
  return (
    <li class={isSelected ? 'tile tile-selected' : 'tile'} {...eventsOf(file)}>
      {/* The name below is the same link. */}
      <a
        class="tile-picture"
        href={versionPath(id)}
        tabIndex={-1}
        aria-hidden="true"
        draggable={false}
      >
        <Thumbnail file={file} mayRead={mayRead} />
      </a>
      <input
        class="tile-select"
        type="checkbox"
        aria-label={fill(t.general.selectRow, { name })}
        checked={isSelected}
        onChange={() => {
          const next = new Set(selected)
          if (isSelected) next.delete(id)
          else next.add(id)
          onSelect(next)
        }}
      />
      <div class="tile-foot">
        <a class="file-name" href={versionPath(id)} draggable={false} title={title ?? name}>
          <bdi class="cut">{name}</bdi>
        </a>
        <span class="tile-side">
          <CommentCount count={comments.get(targetOf(file))} />
          <Menu
            button={{ icon: 'more', label: fill(t.content.actionsOf, { name }) }}
            items={itemsFor(file)}
          />
        </span>
        <StatusBadge file={file} />
      </div>
    </li>
  )
}
