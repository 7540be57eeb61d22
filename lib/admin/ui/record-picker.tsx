// Picks a record of a kind by name.
//
//   <RecordPicker object="asset_file" name="id" label={t.access.which} empty={t.access.choose} value={id} onChange={setId} />

import { type Api, dataOf } from '../client/api.ts'
import { useApi } from '../client/client-context.ts'
import { findRecords, type Searched } from '../client/search.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Labeled } from './field.tsx'
import { Picker } from './picker.tsx'
import type { Bound } from './use-form.ts'

const MOST = 20

interface RecordPickerProps extends Labeled, Bound<string> {
  readonly object: Searched
  readonly empty: string
}

export function RecordPicker({ object, ...props }: RecordPickerProps) {
  const api = useApi()
  return (
    <Picker
      {...props}
      find={async (text, signal) => {
        const found = await findRecords(api, { object, text, length: MOST, signal })
        return found.map(({ id, name, path, note }) => ({
          value: String(id),
          text: path ?? name,
          ...(note !== undefined && { note }),
        }))
      }}
      nameOf={(id, signal) => nameOf(api, { object, id: Number(id) }, signal)}
    />
  )
}

interface Named {
  readonly object: Searched
  readonly id: number
}

async function nameOf(api: Api, { object, id }: Named, signal: AbortSignal): Promise<string> {
  const params = { path: { id } }
  const record: {
    readonly name?: string
    readonly path?: string
    readonly display_name?: string | null
  } = await dataOf(api.GET(`/${object}/{id}`, { signal, params }))
  return record.path ?? record.display_name ?? record.name ?? ''
}

/**
 * Picks a folder by name; no folder means everywhere.
 *
 *   <FolderPicker name="asset_category_id" label={t.keys.folder} isOptional />
 */
interface FolderPickerProps extends Labeled, Bound<string> {
  /** The meaning of an empty value. */
  readonly empty?: string
}

export function FolderPicker(props: FolderPickerProps) {
  const { t } = useTexts()
  return (
    <RecordPicker object="asset_category" {...props} empty={props.empty ?? t.picker.everywhere} />
  )
}
