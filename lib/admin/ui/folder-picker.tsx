// A choice of a folder, found by its name; none is said to mean everywhere.
//
//   <FolderPicker name="asset_category_id" label={t.keys.folder} isOptional />

import { useTexts } from '../texts/use-texts.ts'
import type { Labelled } from './field.tsx'
import { RecordPicker } from './record-picker.tsx'
import type { Bound } from './use-form.ts'

export interface FolderPickerProps extends Labelled, Bound<string> {
  /** What it means that there is none. */
  readonly empty?: string
}

export function FolderPicker(props: FolderPickerProps) {
  const { t } = useTexts()
  return (
    <RecordPicker object="asset_category" {...props} empty={props.empty ?? t.picker.everywhere} />
  )
}
