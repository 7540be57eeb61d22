// A dialog that chooses one file: from a folder, by search, among the recent files, or by an upload to the shown folder.
//
//   <FilePicker title={t.picking.insertImage} kind="image" folderId={1} onChoose={insert} onClose={close} />

import { useEffect, useRef, useState } from 'preact/hooks'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { ROOT_FOLDER } from '../../client/me.ts'
import { recentFiles } from '../../client/recent-files.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest, useSettled } from '../../ui/use-request.ts'
import { DropZone } from './drop-zone.tsx'
import { type Listing, type PickedKind, readListing } from './picked-files.ts'
import { PickedList, PickedPath } from './picked-list.tsx'
import { type FileRecord, grantsIn } from './records.ts'
import { SearchField } from './search-field.tsx'
import { numberedNames, uploadOne } from './upload-one.ts'

export interface FilePickerProps {
  readonly title: string
  readonly kind: PickedKind
  /** The folder that is shown first; default: the root. */
  readonly folderId?: number | undefined
  readonly onChoose: (file: FileRecord) => void
  readonly onClose: () => void
}

const STEP = 48

export function FilePicker(props: FilePickerProps) {
  const { title, kind, onChoose, onClose } = props
  const { t } = useTexts()
  const me = useMe()
  const [folderId, setFolderId] = useState(props.folderId ?? ROOT_FOLDER)
  const [text, setText] = useState('')
  const [isRecent, setIsRecent] = useState(false)
  const [length, setLength] = useState(STEP)
  const recent = isRecent ? recentFiles(me?.user.user_id ?? 0) : undefined
  const listed = useListing({ kind, folderId, text: useSettled(text.trim()), recent, length })
  const { data } = listed
  const folder = data?.line.at(-1)
  const grants = grantsIn(me, data?.line ?? [])
  const upload = useOneUpload(kind, onChoose)
  const isOff = folder === undefined || !grants.has('create')

  function open(id: number): void {
    setFolderId(id)
    setText('')
    setIsRecent(false)
    setLength(STEP)
  }

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
        <DropZone
          text={fill(t.picking.dropHere, { name: folder?.name ?? '' })}
          isOff={isOff}
          onFiles={([first]) => {
            if (first !== undefined && folder !== undefined)
              void upload.start(first.file, folder.asset_category_id)
          }}
          onFailure={upload.fail}
        >
          <div class="picker-bar">
            <SearchField
              label={t.picking.search}
              value={text}
              // On a touch screen, the keyboard would cover the files.
              isFirst={matchMedia('(pointer: fine)').matches}
              onChange={setText}
            />
            <div class="picker-source" role="group" aria-label={t.picking.source}>
              <Button
                kind="quiet"
                icon="folder"
                isPressed={!isRecent}
                onPress={() => open(folderId)}
              >
                {t.picking.folder}
              </Button>
              <Button
                kind="quiet"
                icon="clock"
                isPressed={isRecent}
                onPress={() => {
                  setText('')
                  setIsRecent(true)
                }}
              >
                {t.picking.recent}
              </Button>
            </div>
            {!isOff && (
              <UploadButton
                kind={kind}
                onFile={(file) => void upload.start(file, folder.asset_category_id)}
              />
            )}
          </div>
          {text.trim() === '' && !isRecent && <PickedPath line={data?.line ?? []} onOpen={open} />}
          {upload.view}
          {data === undefined ? (
            <Loading {...listed} lines={6} />
          ) : (
            <PickedList
              listing={data}
              isStale={listed.isLoading}
              emptyText={emptyTextOf({ kind, isSearch: text.trim() !== '', isRecent }, t)}
              hasPath={text.trim() !== '' || isRecent}
              mayRead={data.line.length === 0 || grants.has('modify')}
              onOpen={open}
              onChoose={onChoose}
              onMore={() => setLength(length + STEP)}
            />
          )}
        </DropZone>
      </div>
    </Dialog>
  )
}

function useListing(query: Parameters<typeof readListing>[1]) {
  const api = useApi()
  return useRequest<Listing>((signal) => readListing(api, query, signal), [JSON.stringify(query)])
}

interface Shown {
  readonly kind: PickedKind
  readonly isSearch: boolean
  readonly isRecent: boolean
}

function emptyTextOf({ kind, isSearch, isRecent }: Shown, t: ReturnType<typeof useTexts>['t']) {
  if (isSearch) return t.picking.nothingFound
  if (isRecent) return t.picking.noRecent
  return kind === 'image' ? t.picking.emptyImages : t.picking.emptyFiles
}

interface UploadButtonProps {
  readonly kind: PickedKind
  readonly onFile: (file: File) => void
}

function UploadButton({ kind, onFile }: UploadButtonProps) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="upload" onPress={() => input.current?.click()}>
        {t.picking.upload}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={kind === 'image' ? 'image/*' : undefined}
        aria-label={t.picking.upload}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Allows choosing the same file again.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}

/** The upload ends with the dialog. */
function useOneUpload(kind: PickedKind, onDone: (file: FileRecord) => void) {
  const { t } = useTexts()
  const client = useClient()
  const gone = useRef<AbortController>()
  const [sent, setSent] = useState<{ readonly name: string; readonly ratio: number }>()
  const [error, setError] = useState<unknown>()
  const [refused, setRefused] = useState<string>()
  useEffect(() => () => gone.current?.abort(), [])

  async function start(file: File, folderId: number): Promise<void> {
    gone.current?.abort()
    setError(undefined)
    const isRefused = kind === 'image' && !file.type.startsWith('image/')
    setRefused(isRefused ? file.name : undefined)
    if (isRefused) return
    const { name } = file
    const controller = new AbortController()
    gone.current = controller
    const { signal } = controller
    setSent({ name, ratio: 0 })
    try {
      const names = numberedNames(name)
      const onSent = (bytes: number): void =>
        setSent({ name, ratio: Math.min(1, bytes / Math.max(1, file.size)) })
      onDone(await uploadOne(client, { file, names, folderId, signal, onSent }))
    } catch (thrown) {
      if (!signal.aborted) setError(thrown)
    } finally {
      if (!signal.aborted) setSent(undefined)
    }
  }

  const view = (
    <>
      {sent !== undefined && (
        <div class="picker-upload">
          <span class="cut">{fill(t.picking.uploading, { name: sent.name })}</span>
          <Progress label={fill(t.picking.uploading, { name: sent.name })} ratio={sent.ratio} />
        </div>
      )}
      {refused !== undefined && (
        <Notice kind="danger">{fill(t.picking.notAPicture, { name: refused })}</Notice>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  )
  return { start, fail: setError, view }
}
