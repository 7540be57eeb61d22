// A choice of a folder, found by its name; none is said to mean everywhere.
//
//   <FolderPicker name="asset_category_id" label={t.keys.folder} isOptional />

import type { Api } from '../client/api.ts'
import { dataOf } from '../client/api.ts'
import { useApi } from '../client/client-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Labelled } from './field.tsx'
import { Picker, type PickerOption } from './picker.tsx'
import type { Bound } from './use-form.ts'

const MOST = 20

export interface FolderPickerProps extends Labelled, Bound<string> {
  /** What it means that there is none. */
  readonly empty?: string
}

export function FolderPicker(props: FolderPickerProps) {
  const { t } = useTexts()
  const api = useApi()
  return (
    <Picker
      {...props}
      empty={props.empty ?? t.picker.everywhere}
      find={(text, signal) => findFolders(api, text, signal)}
      nameOf={(id, signal) => pathOfFolder(api, id, signal)}
    />
  )
}

async function findFolders(
  api: Api,
  text: string,
  signal: AbortSignal,
): Promise<readonly PickerOption[]> {
  const query = {
    ...(text !== '' && { qry: JSON.stringify({ name: { $regex: escaped(text), $options: 'i' } }) }),
    fields: 'asset_category_id,path',
    orderStr: 'name',
    length: MOST,
  }
  const found = await dataOf(api.GET('/asset_category', { signal, params: { query } }))
  return found.asset_category.map(({ asset_category_id: id, path }) => ({
    value: String(id),
    text: path ?? '',
  }))
}

async function pathOfFolder(api: Api, id: string, signal: AbortSignal): Promise<string> {
  const params = { path: { id: Number(id) }, query: { fields: 'path' } }
  const { path } = await dataOf(api.GET('/asset_category/{id}', { signal, params }))
  return path ?? `#${id}`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
