// The alternative text of an inserted picture, stored with the picture too: the next page that inserts the picture starts with
// this text.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { tellSiteChange } from '../../client/site-changes.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useForm } from '../../ui/use-form.ts'
import { type FileRecord, type FolderRecord, grantsIn, readFile } from '../content/records.ts'
import { isImage } from '../content/thumbnail.tsx'

interface Picture {
  readonly file: FileRecord
  /** The folder of the picture with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
}

/** Offers to store the text if the picture has none of its own and the user may change the picture. */
export function useStoredAlt({ file, line }: Picture) {
  const { t } = useTexts()
  const api = useApi()
  const grants = grantsIn(useMe(), line)
  const isOffered = isImage(file) && file.alt_text === null && grants.has('modify')
  const mayPublish = grants.has('publish')
  const texts = t.picking.storeAlt
  return {
    field: isOffered && (
      <StoreAlt hint={isAllLive(file) && mayPublish ? texts.live : texts.draft} />
    ),
    store: async (alt: string): Promise<void> => {
      if (isOffered) await storeAlt(api, { id: file.asset_file_id, alt, mayPublish })
    },
  }
}

function StoreAlt({ hint }: { readonly hint: string }) {
  const { t } = useTexts()
  const { isDecorative } = useForm().values
  if (isDecorative === true) return null
  return <Checkbox name="storesAlt" label={t.picking.storeAlt.label} hint={hint} />
}

function isAllLive({ version, live_version: live }: FileRecord): boolean {
  return live === version
}

interface NewAlt {
  readonly id: number
  readonly alt: string
  readonly mayPublish: boolean
}

/** A published picture without newer changes stays so. A text that somebody else has stored in the meantime is kept. */
async function storeAlt(api: Api, { id, alt, mayPublish }: NewAlt): Promise<void> {
  const { record, etag } = await readFile(api, id)
  if (record.alt_text !== null) return
  const params = { path: { id }, header: { 'If-Match': etag } }
  const isLive = isAllLive(record) && mayPublish
  const body = { alt_text: alt, ...(isLive && { fileState: 'publish' as const }) }
  await dataOf(api.PATCH('/asset_file/{id}', { params, body }))
  tellSiteChange()
}
