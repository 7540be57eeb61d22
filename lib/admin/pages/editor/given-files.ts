// Uploads the files that are pasted or dropped into a text to the folder of the text, and inserts them: pictures as pictures,
// other files as links. A text outside of folders asks for a folder. A failed upload leaves the text as it is.

import { type MutableRef, useEffect, useMemo } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useClient, useMe } from '../../client/client-context.ts'
import { noteRecentFile } from '../../client/recent-files.ts'
import { tellSiteChange } from '../../client/site-changes.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { useProblemText } from '../../ui/use-problem-text.ts'
import { type FileRecord, grantsIn } from '../content/records.ts'
import type { UploadFolder } from '../content/upload-folder.tsx'
import { MOST_NAMES, numberedNames, uploadOne } from '../content/upload-one.ts'
import type { CodeView } from './code-view.ts'
import { insertImage, insertLink } from './insert-markup.ts'
import {
  type FilePlace,
  insertedAddress,
  type TextPlace,
  unseenReason,
} from './inserted-address.ts'
import type { MarkedText, TextEdit } from './text-format.ts'
import type { GivenFiles, TextPlaceholder } from './text-places.ts'

interface GivenTo {
  readonly text: Omit<TextPlace, 'sites'>
  /** For a text outside of folders. */
  readonly uploads: UploadFolder | undefined
}

/** Returns the function that takes the files. */
export function useGivenFiles(view: MutableRef<CodeView | undefined>, { text, uploads }: GivenTo) {
  const { t, formats } = useTexts()
  const client = useClient()
  const me = useMe()
  const toast = useToast()
  const problemText = useProblemText()
  const tell = useTell({ text, uploads })
  const gone = useMemo(() => new AbortController(), [])
  useEffect(() => () => gone.abort(), [])
  const { signal } = gone
  const place = { ...text, sites: me?.site ?? [] }

  async function upload(file: File, { names, folderId, to }: Upload) {
    const name = names[0] ?? file.name
    const show = (ratio: number): void =>
      to.show(fill(t.picking.uploadingNow, { name, percent: formats.percent(ratio) }))
    const onSent = (bytes: number): void => show(Math.min(1, bytes / Math.max(1, file.size)))
    show(0)
    try {
      return await uploadOne(client, { file, names, folderId, signal, onSent })
    } catch (error) {
      to.end()
      if (signal.aborted) return undefined
      const { title, detail = '' } = problemText(error)
      toast({
        text: fill(t.picking.uploadFailed, { name, reason: `${title} ${detail}` }),
        isFault: true,
      })
      return undefined
    }
  }

  return async ({ files, at, isPasted }: GivenFiles): Promise<void> => {
    const { current } = view
    if (current === undefined) return
    const places = files.map(() => current.hold(at))
    const before = current.marked()
    const line = await (uploads?.find() ?? Promise.resolve(text.line)).catch((error: unknown) => {
      toast.problem(error)
      return undefined
    })
    const folderId = line?.at(-1)?.asset_category_id
    if (signal.aborted) return
    if (line === undefined || folderId === undefined) {
      for (const each of places) each.end()
      return
    }
    for (const [index, file] of files.entries()) {
      const to = places[index]
      const names = namesFor(file, isPasted)
      const record = to && (await upload(file, { names, folderId, to }))
      if (record === undefined || signal.aborted) continue
      // A person who already writes something else keeps the cursor.
      const isUntouched = index === 0 && isSame(before, current.marked())
      to?.end(
        (marked) => inserted(marked, { record, line, place, isFirst: index === 0 }),
        isUntouched,
      )
      noteRecentFile(me?.user.user_id ?? 0, record.asset_file_id)
      tell({ file: record, line })
    }
  }
}

function isSame(left: MarkedText, right: MarkedText): boolean {
  return left.text === right.text && left.from === right.from && left.to === right.to
}

interface Upload {
  /** In the order of preference. */
  readonly names: readonly string[]
  readonly folderId: number
  readonly to: TextPlaceholder
}

interface Inserted {
  readonly record: FileRecord
  /** The folder of the file with its parents, topmost first. */
  readonly line: FilePlace['line']
  readonly place: TextPlace
  readonly isFirst: boolean
}

function inserted(marked: MarkedText, { record, line, place, isFirst }: Inserted): TextEdit {
  const { name, width, height, alt_text: alt } = record
  const { language } = place
  const address = insertedAddress({ file: record, line }, place)
  const edit = record.mime_type.startsWith('image/')
    ? insertImage(marked, language, { address, alt: alt ?? '', width, height })
    : insertLink(marked, language, { address, text: name.replace(/\.\w+$/, '') })
  return isFirst ? edit : { ...edit, insert: `\n${edit.insert}` }
}

/** Pasted pictures all have the same name, and get another one: picture-2026-11-29-1.png. */
function namesFor({ name, type }: File, isPasted: boolean): readonly string[] {
  if (!isPasted || !/^image\.\w+$/.test(name)) return numberedNames(name)
  const today = new Date()
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const ending = type.slice('image/'.length).replace('jpeg', 'jpg').replace('svg+xml', 'svg')
  return Array.from({ length: MOST_NAMES }, (_, at) => `picture-${date}-${at + 1}.${ending}`)
}

/** Says where a file of a text outside of folders is, and that visitors do not see the file yet; offers to publish the file. */
function useTell({ text, uploads }: GivenTo) {
  const { t } = useTexts()
  const { api } = useClient()
  const me = useMe()
  const toast = useToast()

  async function publish({ asset_file_id: id, version }: FileRecord): Promise<void> {
    try {
      const params = { path: { id }, query: { version } }
      await dataOf(api.POST('/asset_file/{id}/publish', { params }))
      tellSiteChange()
    } catch (error) {
      toast.problem(error)
    }
  }

  return ({ file, line }: FilePlace): void => {
    const { name } = file
    const reason = unseenReason({ file, line }, { ...text, sites: me?.site ?? [] })
    if (reason === undefined && uploads === undefined) return
    const mayPublish = reason === 'notPublished' && grantsIn(me, line).has('publish')
    const why = reason === undefined ? '' : t.picking.unseen[reason]
    const folder = line.at(-1)?.path ?? ''
    const told =
      uploads === undefined
        ? fill(t.picking.uploaded, { name, reason: why })
        : fill(t.picking.uploadedTo, { name, folder, reason: why })
    toast({
      name: `file ${file.asset_file_id}`,
      text: told.trim(),
      actions: [
        ...(mayPublish ? [{ text: t.picking.publish, onPress: () => void publish(file) }] : []),
        ...(uploads === undefined
          ? []
          : [
              {
                text: t.picking.changeFolder,
                onPress: () => void uploads.ask().catch(toast.problem),
              },
            ]),
      ],
    })
  }
}
