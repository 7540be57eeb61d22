// Files as tiles with thumbnails.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Menu } from '../../ui/menu.tsx'
import type { FilesProps } from './file-table.tsx'
import type { FileRecord } from './records.ts'
import { Thumbnail } from './thumbnail.tsx'
import { versionPath, VersionNumbers } from './version-numbers.tsx'

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
        <Menu
          button={{ icon: 'more', label: fill(t.content.actionsOf, { name }) }}
          items={itemsFor([file])}
        />
        <VersionNumbers file={file} />
      </div>
    </li>
  )
}
