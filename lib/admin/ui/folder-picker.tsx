// Picks a folder by name; no folder means everywhere.
//
//   <FolderPicker name="asset_category_id" label={t.keys.folder} isOptional />

import { useTexts } from '../texts/use-texts.ts'
import type { Labelled } from './field.tsx'
import { RecordPicker } from './record-picker.tsx'
import type { Bound } from './use-form.ts'

export interface FolderPickerProps extends Labelled, Bound<string> {
  /** The meaning of an empty value. */
  readonly empty?: string
}

export function FolderPicker(props: FolderPickerProps) {
  const { t } = useTexts()
  return (
    <RecordPicker object="asset_category" {...props} empty={props.empty ?? t.picker.everywhere} />
  )
}
