// Chooses the layout of a page or of the pages of a folder. The value is "" for the layout of the folder above, "0" for no
// layout, or the number of a file.
//
//   <LayoutField inherited={t.content.layout.ofFolder} hint={t.content.layout.hint} />

import { useTexts } from '../../texts/use-texts.ts'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { Select } from '../../ui/select.tsx'
import { useBound } from '../../ui/use-form.ts'

export const LAYOUT = 'layout_file_id'
const NONE = '0'
/** The server refuses this number, so that nobody saves the form before a file is chosen. */
const UNCHOSEN = '-1'

export function LayoutField(props: { readonly inherited: string; readonly hint: string }) {
  const { inherited, hint } = props
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>({ name: LAYOUT }, '')
  const isFile = value !== NONE && value !== ''
  const chosen = isFile ? 'file' : value
  return (
    <>
      <Select
        name="layout"
        label={t.content.layout.label}
        hint={hint}
        fault={isFile ? undefined : fault}
        value={chosen}
        options={[
          { value: '', text: inherited },
          { value: NONE, text: t.content.layout.none },
          { value: 'file', text: t.content.layout.file },
        ]}
        onChange={(next) => change(next === 'file' ? UNCHOSEN : next)}
      />
      {isFile && (
        <RecordPicker
          object="asset_file"
          name={LAYOUT}
          label={t.content.layout.which}
          hint={t.content.layout.whichHint}
          empty={t.content.layout.choose}
          fault={fault}
          value={value === UNCHOSEN ? '' : value}
          onChange={(next) => change(next === '' ? UNCHOSEN : next)}
        />
      )}
    </>
  )
}

/** The value of the field for a record, and back. */
export function layoutText(id: number | null | undefined): string {
  return id === null || id === undefined ? '' : String(id)
}

export function layoutId(text: string): number | null {
  return text === '' ? null : Number(text)
}
