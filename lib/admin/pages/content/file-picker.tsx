// A dialog that chooses files: from a folder, by search, among the recent files, or by an upload to the shown folder.
//
//   <FilePicker title={t.picking.insertImage} accept={IMAGES} folderId={1} onChoose={([file]) => insert(file)} onClose={close} />

import { useEffect, useState } from 'preact/hooks'
import { useApi, useMe } from '../../client/client-context.ts'
import { ROOT_FOLDER } from '../../client/me.ts'
import { Problem } from '../../client/problem.ts'
import { notePickedFolder, pickedFolder, recentFiles } from '../../client/recent-files.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest, useSettled } from '../../ui/use-request.ts'
import { DropZone } from './drop-zone.tsx'
import { TOP } from './folder-tree.ts'
import { type Accept, isForImages, type Listing, readListing } from './picked-files.ts'
import { PickedList, PickedPath } from './picked-list.tsx'
import { UploadButton, usePickerUpload } from './picker-upload.tsx'
import { type FileRecord, grantsIn } from './records.ts'
import { SearchField } from './search-field.tsx'

export interface FilePickerProps {
  readonly title: string
  readonly accept: Accept
  /** The folder that is shown first; default: the one that the person used last. */
  readonly folderId?: number | undefined
  /** Several files are chosen together. */
  readonly isMany?: boolean
  readonly onChoose: (files: readonly FileRecord[]) => void
  readonly onClose: () => void
}

const STEP = 48

export function FilePicker(props: FilePickerProps) {
  const { title, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div
        class="file-picker"
        onKeyDown={(event) => {
          // A form around the dialog would send itself.
          event.stopPropagation()
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
            event.preventDefault()
        }}
      >
        <Files {...props} />
      </div>
    </Dialog>
  )
}

function Files({ accept, folderId: first, isMany = false, onChoose, onClose }: FilePickerProps) {
  const { t } = useTexts()
  const me = useMe()
  const shown = useShownFiles(accept, first)
  const { text, isRecent, listed } = shown
  const { data } = listed
  const chosen = useChosen(isMany, onChoose)
  const folder = data?.line.at(-1)
  const grants = grantsIn(me, data?.line ?? [])
  const upload = usePickerUpload(accept, chosen.add)
  const isOff = folder === undefined || !grants.has('create')
  const send = (files: readonly File[]): void => {
    if (folder !== undefined)
      void upload.start(isMany ? files : files.slice(0, 1), folder.asset_category_id)
  }

  return (
    <DropZone
      text={fill(t.picking.dropHere, { name: folder?.name ?? '' })}
      isOff={isOff}
      onFiles={(found) => send(found.map(({ file }) => file))}
      onFailure={upload.fail}
    >
      <div class="picker-bar">
        <SearchField
          label={t.picking.search}
          value={text}
          // On a touch screen, the keyboard would cover the files.
          isFirst={matchMedia('(pointer: fine)').matches}
          onChange={shown.setText}
        />
        <SourceButtons shown={shown} />
        {!isOff && <UploadButton accept={accept} isMany={isMany} onFiles={send} />}
      </div>
      {text.trim() === '' && !isRecent && (
        <PickedPath line={data?.line ?? []} onOpen={shown.open} />
      )}
      {upload.view}
      {data === undefined ? (
        <Loading {...listed} lines={6} />
      ) : (
        <PickedList
          listing={data}
          isStale={listed.isLoading}
          emptyText={emptyTextOf({ accept, isSearch: text.trim() !== '', isRecent }, t)}
          hasPath={text.trim() !== '' || isRecent}
          mayRead={data.line.length === 0 || grants.has('modify')}
          chosen={isMany ? chosen.ids : undefined}
          onOpen={shown.open}
          onChoose={chosen.toggle}
          onMore={shown.more}
        />
      )}
      {isMany && (
        <AddButtons
          count={chosen.ids.size}
          onAdd={() => onChoose(chosen.files)}
          onClose={onClose}
        />
      )}
    </DropZone>
  )
}

/** Selects the list of the dialog: a folder, the results of a search, or the recent files. */
function useShownFiles(accept: Accept, first: number | undefined) {
  const userId = useMe()?.user.user_id ?? 0
  const [folderId, setFolderId] = useState(first ?? pickedFolder(userId) ?? ROOT_FOLDER)
  const [text, setText] = useState('')
  const [isRecent, setIsRecent] = useState(false)
  const [length, setLength] = useState(STEP)
  const recent = isRecent ? recentFiles(userId) : undefined
  const listed = useListing({ accept, folderId, text: useSettled(text.trim()), recent, length })
  const { error } = listed

  function show(isOfRecent: boolean): void {
    setText('')
    setIsRecent(isOfRecent)
    setLength(STEP)
  }
  function open(id: number): void {
    setFolderId(id)
    show(false)
  }
  useEffect(() => {
    // The folder was deleted, or is no longer visible.
    if (error instanceof Problem && error.code === 'not-found' && folderId !== TOP) open(TOP)
  }, [error])

  return {
    text,
    setText,
    isRecent,
    listed,
    open,
    showFolder: () => show(false),
    showRecent: () => show(true),
    more: () => setLength(length + STEP),
  }
}

function useListing(query: Parameters<typeof readListing>[1]) {
  const api = useApi()
  return useRequest<Listing>((signal) => readListing(api, query, signal), [JSON.stringify(query)])
}

/** The chosen files; a dialog for one file returns the first one at once. */
function useChosen(isMany: boolean, onChoose: FilePickerProps['onChoose']) {
  const userId = useMe()?.user.user_id ?? 0
  const [files, setFiles] = useState<readonly FileRecord[]>([])
  const ids = new Set(files.map(({ asset_file_id: id }) => id))

  function add(file: FileRecord): void {
    notePickedFolder(userId, file.parent_category_id)
    if (isMany) setFiles((before) => [...before, file])
    else onChoose([file])
  }
  return {
    files,
    ids,
    add,
    toggle(file: FileRecord): void {
      const { asset_file_id: id } = file
      if (ids.has(id)) setFiles(files.filter((each) => each.asset_file_id !== id))
      else add(file)
    },
  }
}

function SourceButtons({ shown }: { readonly shown: ReturnType<typeof useShownFiles> }) {
  const { t } = useTexts()
  const { isRecent, showFolder, showRecent } = shown
  return (
    <div class="picker-source" role="group" aria-label={t.picking.source}>
      <Button kind="quiet" icon="folder" isPressed={!isRecent} onPress={showFolder}>
        {t.picking.folder}
      </Button>
      <Button kind="quiet" icon="clock" isPressed={isRecent} onPress={showRecent}>
        {t.picking.recent}
      </Button>
    </div>
  )
}

interface AddButtonsProps {
  readonly count: number
  readonly onAdd: () => void
  readonly onClose: () => void
}

function AddButtons({ count, onAdd, onClose }: AddButtonsProps) {
  const { t, formats } = useTexts()
  return (
    <div class="dialog-actions picker-actions">
      <Button onPress={onClose}>{t.general.cancel}</Button>
      <Button kind="primary" isDisabled={count === 0} onPress={onAdd}>
        {count === 0 ? t.picking.add : formats.count(t.picking.addCount, count)}
      </Button>
    </div>
  )
}

interface Shown {
  readonly accept: Accept
  readonly isSearch: boolean
  readonly isRecent: boolean
}

function emptyTextOf({ accept, isSearch, isRecent }: Shown, t: ReturnType<typeof useTexts>['t']) {
  if (isSearch) return t.picking.nothingFound
  if (isRecent) return t.picking.noRecent
  if (isForImages(accept)) return t.picking.emptyImages
  return accept === null ? t.picking.emptyFiles : t.picking.emptyAccepted
}
