// Inserts a picture or a link into a text: first a file is chosen, then described. The dialog says if visitors would not see
// the file, and offers to publish the file.

import { useEffect, useRef, useState } from 'preact/hooks'
import { recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { noteRecentFile } from '../../client/recent-files.ts'
import { tellSiteChange } from '../../client/site-changes.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { FilePicker } from '../content/file-picker.tsx'
import { IMAGES } from '../content/picked-files.ts'
import { type FileRecord, type FolderRecord, grantsIn, readFolderLine } from '../content/records.ts'
import { AltFields } from '../content/picture-fields.tsx'
import { Thumbnail } from '../content/thumbnail.tsx'
import type { CodeView } from './code-view.ts'
import { insertImage, insertLink } from './insert-markup.ts'
import { insertedAddress, type TextPlace, unseenReason } from './inserted-address.ts'
import { type MarkedText, selected, type TextEdit, trimmed } from './text-format.ts'
import { useStoredAlt } from './stored-alt.tsx'
import type { Insert } from './text-toolbar.tsx'

type Edit = (marked: MarkedText) => TextEdit

/** Opens the dialog for a toolbar. The caller renders the dialog. */
export function useInsert(
  view: { readonly current: CodeView | undefined },
  text: Omit<TextPlace, 'sites'>,
) {
  const [asked, setAsked] = useState<Insert>()
  const edit = useRef<Edit>()
  useEffect(() => {
    // After the dialog has returned the focus.
    if (asked !== undefined || edit.current === undefined) return
    view.current?.edit(edit.current)
    edit.current = undefined
  }, [asked])
  const dialog = asked !== undefined && (
    // The text may be in a form, which must not send itself.
    <div role="presentation" onSubmit={stop} onKeyDown={stop}>
      <InsertDialog
        insert={asked}
        text={text}
        chosenText={selectedIn(view.current)}
        onInsert={(made) => {
          edit.current = made
          setAsked(undefined)
        }}
        onClose={() => setAsked(undefined)}
      />
    </div>
  )
  return { insert: setAsked, dialog }
}

function stop(event: Event): void {
  event.stopPropagation()
}

function selectedIn(view: CodeView | undefined): string {
  return view === undefined ? '' : selected(trimmed(view.marked()))
}

interface InsertDialogProps {
  readonly insert: Insert
  readonly text: Omit<TextPlace, 'sites'>
  /** The selected text, which becomes the link. */
  readonly chosenText: string
  readonly onInsert: (edit: Edit) => void
  readonly onClose: () => void
}

function InsertDialog(props: InsertDialogProps) {
  const { insert, text, onClose } = props
  const { t } = useTexts()
  const [file, setFile] = useState<FileRecord>()
  const [folderId, setFolderId] = useState(text.line.at(-1)?.asset_category_id)
  const title = insert === 'image' ? t.picking.insertImage : t.picking.linkToFile
  if (file === undefined) {
    return (
      <FilePicker
        title={title}
        accept={insert === 'image' ? IMAGES : null}
        folderId={folderId}
        onChoose={([chosen]) => {
          setFile(chosen)
          setFolderId(chosen?.parent_category_id)
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <ChosenFile {...props} file={file} onFile={setFile} />
    </Dialog>
  )
}

interface ChosenFileProps extends InsertDialogProps {
  readonly file: FileRecord
  readonly onFile: (file: FileRecord | undefined) => void
}

function ChosenFile(props: ChosenFileProps) {
  const { file, onFile } = props
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { parent_category_id: folderId } = file
  const loaded = useRequest((signal) => readFolderLine(api, folderId, signal), [folderId])
  const line = loaded.data
  const mayRead = line !== undefined && grantsIn(me, line).has('modify')
  return (
    <>
      <div class="inserted-file">
        {line !== undefined && <Thumbnail file={file} mayRead={mayRead} />}
        <p>
          <strong>
            <bdi>{file.name}</bdi>
          </strong>
          <span class="quiet">
            <bdi>{file.path}</bdi>
          </span>
          {file.width !== null && file.height !== null && (
            <span class="quiet">
              {file.width} × {file.height}
            </span>
          )}
          <Button onPress={() => onFile(undefined)}>{t.picking.back}</Button>
        </p>
      </div>
      {line === undefined ? <Loading {...loaded} /> : <InsertForm {...props} line={line} />}
    </>
  )
}

interface InsertFormProps extends ChosenFileProps {
  readonly line: readonly FolderRecord[]
}

function InsertForm(props: InsertFormProps) {
  const { insert, text, chosenText, file, line, onInsert } = props
  const { t } = useTexts()
  const me = useMe()
  const place = { ...text, sites: me?.site ?? [] }
  const target = { file, line }
  const address = insertedAddress(target, place)
  const { alt_text: alt, width, height, title, name, asset_file_id: id } = file
  const isImage = insert === 'image'
  const stored = useStoredAlt({ file, line })

  async function send(values: ReturnType<typeof initialOf>): Promise<void> {
    const isDecorative = values.isDecorative || !isImage
    if (!isDecorative && values.alt_text.trim() === '')
      throw new InvalidFields({ alt_text: t.picking.altMissing })
    if (!isDecorative && values.storesAlt) await stored.store(values.alt_text.trim())
    noteRecentFile(me?.user.user_id ?? 0, id)
    const shown = { address, alt: isDecorative ? '' : values.alt_text.trim(), width, height }
    const link = { address, text: values.link_text.trim() || name }
    onInsert((marked) =>
      isImage ? insertImage(marked, text.language, shown) : insertLink(marked, text.language, link),
    )
  }

  return (
    <Form
      name="insert"
      initial={initialOf({ alt, title, name })}
      submit={t.picking.insert}
      onSubmit={send}
      isForgotten
    >
      <Unseen {...props} place={place} />
      {isImage && <AltFields isFocused />}
      {isImage && stored.field}
      {!isImage && chosenText === '' && (
        <TextInput name="link_text" label={t.picking.linkText} isFocused />
      )}
    </Form>
  )
}

interface Described {
  readonly alt: FileRecord['alt_text']
  readonly title: FileRecord['title']
  readonly name: string
}

function initialOf({ alt, title, name }: Described) {
  const linkText = title ?? ''
  return {
    alt_text: alt ?? '',
    isDecorative: alt === '',
    storesAlt: true,
    link_text: linkText === '' ? name.replace(/\.\w+$/, '') : linkText,
  }
}

/** Says why visitors do not see the file. */
function Unseen({ file, line, onFile, place }: InsertFormProps & { readonly place: TextPlace }) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const reason = unseenReason({ file, line }, place)
  if (reason === undefined) return null
  const { asset_file_id: id, version } = file

  async function publish(): Promise<void> {
    setIsBusy(true)
    try {
      const params = { path: { id }, query: { version } }
      const { record } = await recordOf(api.POST('/asset_file/{id}/publish', { params }))
      tellSiteChange()
      onFile(record)
    } catch (error) {
      toast.problem(error)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Notice
      kind="info"
      actions={
        reason === 'notPublished' &&
        grantsIn(me, line).has('publish') && (
          <Button isBusy={isBusy} onPress={() => void publish()}>
            {t.picking.publish}
          </Button>
        )
      }
    >
      {t.picking.unseen[reason]}
    </Notice>
  )
}
