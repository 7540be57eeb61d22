// Asks for the alternative texts of new pictures after an upload. Users may skip them.

import { useEffect, useState } from 'preact/hooks'
import { PICTURE_TYPES } from '../../../shared/picture-parameters.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { readFile } from './records.ts'
import type { UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

/** The browser decodes each shown picture at its full size. */
const MOST_SHOWN = 10

interface UploadTextsProps {
  readonly queue: UploadQueue
  readonly items: readonly UploadItem[]
}

export function UploadTexts({ queue, items }: UploadTextsProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const pictures = items.filter(isAsked)
  const shown = pictures.slice(0, MOST_SHOWN)
  if (shown.length === 0) return null

  async function save(values: Readonly<Record<string, string>>): Promise<void> {
    let count = 0
    for (const { id, state } of shown) {
      const text = values[nameOf(id)]?.trim() ?? ''
      if (text !== '' && state.kind === 'done') {
        await saveText(api, state.fileId, text)
        count += 1
        // After a failure, the form still shows this picture and the following ones.
        queue.describe([id])
      }
    }
    queue.describe(shown.map(({ id }) => id))
    toast({ text: formats.count(t.upload.texts.saved, count) })
  }

  return (
    <section class="upload-texts" aria-labelledby="upload-texts">
      <h3 id="upload-texts">{t.upload.texts.title}</h3>
      <p class="field-hint">{t.upload.texts.hint}</p>
      <Form
        name="upload-texts"
        initial={{}}
        submit={t.upload.texts.save}
        isForgotten
        onSubmit={save}
        actions={
          <Button onPress={() => queue.describe(pictures.map(({ id }) => id))}>
            {t.upload.skip}
          </Button>
        }
      >
        {shown.map(({ id, name, file }) => (
          <div key={id} class="upload-picture">
            <Preview file={file} />
            <TextInput name={nameOf(id)} label={fill(t.upload.texts.label, { name })} rows={2} />
          </div>
        ))}
      </Form>
      {pictures.length > shown.length && (
        <p class="quiet">{formats.count(t.upload.more, pictures.length - shown.length)}</p>
      )}
    </section>
  )
}

function nameOf(id: number): string {
  return `text-${id}`
}

/** A new version of a file keeps the text of the file. */
function isAsked({ target, state, replacedId, file, isDescribed }: UploadItem): boolean {
  const isNew = state.kind === 'done' && replacedId === undefined && isDescribed !== true
  return isNew && target.asksTexts && PICTURE_TYPES.includes(file.type)
}

/** The pictures that are asked about at once. The pictures of a whole website are asked about in an open panel only. */
export function countAsked(items: readonly UploadItem[]): number {
  const count = items.filter(isAsked).length
  return count > MOST_SHOWN ? 0 : count
}

/** If the picture is live, its text goes live, too. */
async function saveText(api: Api, id: number, text: string): Promise<void> {
  const { record, etag } = await readFile(api, id)
  const isLive = record.live_version === record.version
  await dataOf(
    api.PATCH('/asset_file/{id}', {
      params: { path: { id }, header: { 'If-Match': etag } },
      body: { alt_text: text, ...(isLive && { fileState: 'publish' as const }) },
    }),
  )
}

function Preview({ file }: { readonly file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address === undefined ? null : <img src={address} alt="" />
}
