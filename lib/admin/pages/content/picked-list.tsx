// The folders and files that the dialog offers, and the path of the shown folder. Arrow keys move between them.

import { useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TOP } from './folder-tree.ts'
import type { Listing } from './picked-files.ts'
import type { FileRecord, FolderRecord } from './records.ts'
import { Thumbnail } from './thumbnail.tsx'

interface PickedPathProps {
  readonly line: readonly FolderRecord[]
  readonly onOpen: (folderId: number) => void
}

export function PickedPath({ line, onOpen }: PickedPathProps) {
  const { t } = useTexts()
  return (
    <nav class="breadcrumb picker-path" aria-label={t.picking.path}>
      <ol>
        <li>
          <Button
            kind="quiet"
            icon="home"
            label={t.picking.allFolders}
            onPress={() => onOpen(TOP)}
          />
        </li>
        {line.map(({ asset_category_id: id, name }, at) => (
          <li key={id} aria-current={at === line.length - 1 ? 'page' : undefined}>
            {at === line.length - 1 ? (
              <bdi>{name}</bdi>
            ) : (
              <button type="button" class="picker-crumb" onClick={() => onOpen(id)}>
                <bdi>{name}</bdi>
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface PickedListProps {
  readonly listing: Listing
  readonly isStale: boolean
  readonly emptyText: string
  /** Whether the files are in several folders. */
  readonly hasPath: boolean
  readonly mayRead: boolean
  /** The identifiers of the chosen files, if several are chosen together. */
  readonly chosen: ReadonlySet<number> | undefined
  readonly onOpen: (folderId: number) => void
  readonly onChoose: (file: FileRecord) => void
  readonly onMore: () => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
}

export function PickedList(props: PickedListProps) {
  const { listing, isStale, emptyText, onOpen, onMore } = props
  const { t } = useTexts()
  const list = useRef<HTMLUListElement>(null)
  const { folders, files, hasMore } = listing

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    const all = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex((each) => each === document.activeElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    all[at + step]?.focus()
  }

  return (
    <>
      <ul
        ref={list}
        class="picked"
        aria-label={t.picking.found}
        aria-busy={isStale}
        onKeyDown={onKey}
      >
        {folders.map(({ asset_category_id: id, name, path }) => (
          <li key={`folder ${id}`} class="picked-folder">
            <button type="button" title={path} onClick={() => onOpen(id)}>
              <Icon name="folder" />
              <bdi class="cut">{name}</bdi>
            </button>
          </li>
        ))}
        {files.map((file) => (
          <PickedFile key={file.asset_file_id} {...props} file={file} />
        ))}
      </ul>
      {files.length === 0 && <p class="quiet">{emptyText}</p>}
      {hasMore && (
        <div class="picker-more">
          <Button onPress={onMore}>{t.picking.more}</Button>
        </div>
      )}
    </>
  )
}

function PickedFile(props: PickedListProps & { readonly file: FileRecord }) {
  const { file, hasPath, mayRead, chosen, onChoose } = props
  const isChosen = chosen?.has(file.asset_file_id)
  return (
    <li class="picked-file">
      <button
        type="button"
        title={file.path}
        aria-pressed={isChosen}
        onClick={() => onChoose(file)}
      >
        <Thumbnail file={file} mayRead={mayRead} />
        {isChosen === true && (
          <span class="picked-check">
            <Icon name="check" />
          </span>
        )}
        <bdi class="cut">{file.name}</bdi>
        {hasPath && (
          <span class="cut quiet" aria-hidden="true">
            <bdi>{parentOf(file.path)}</bdi>
          </span>
        )}
      </button>
    </li>
  )
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}
