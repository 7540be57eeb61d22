import { useTexts } from '../../texts/use-texts.ts'
import { Bytes } from '../../ui/bytes.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type Column, type RowEvents, type Sort, Table } from '../../ui/table.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { fill } from '../../texts/fill.ts'
import type { FileRecord } from './records.ts'
import { iconOf } from './thumbnail.tsx'
import { versionPath, VersionNumbers } from './version-numbers.tsx'

export interface FilesProps {
  readonly files: readonly FileRecord[]
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
  readonly itemsFor: (files: readonly FileRecord[]) => readonly MenuItem[]
  readonly eventsOf: (file: FileRecord) => RowEvents
  readonly isStale: boolean
}

interface FileTableProps extends FilesProps {
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** Files of several folders show their paths. */
  readonly hasPath: boolean
}

export function FileTable({ files, itemsFor, eventsOf, hasPath, ...table }: FileTableProps) {
  const { t } = useTexts()
  const columns: readonly Column<FileRecord>[] = [
    { id: 'name', head: t.content.name, canSort: true, cell: (file) => <FileName file={file} /> },
    ...(hasPath ? [{ id: 'path', head: t.content.folder, cell: pathCell }] : []),
    {
      id: 'live_version',
      head: t.content.versions,
      canSort: true,
      cell: (file) => <VersionNumbers file={file} />,
    },
    { id: 'type', head: t.content.type, canSort: true, cell: ({ type }) => <bdi>{type}</bdi> },
    {
      id: 'size',
      head: t.content.size,
      canSort: true,
      isNumber: true,
      cell: ({ size }) => <Bytes count={size} />,
    },
    {
      id: 'date_modified',
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
          items={itemsFor([file])}
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
      {...table}
    />
  )
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

function pathCell({ path }: FileRecord) {
  const folder = path.slice(0, path.lastIndexOf('/'))
  return (
    <bdi class="file-path cut" title={folder}>
      {folder}
    </bdi>
  )
}
