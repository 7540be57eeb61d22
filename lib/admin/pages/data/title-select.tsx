// Selects the title column.

import { useTexts } from '../../texts/use-texts.ts'
import { Select } from '../../ui/select.tsx'

/** Stands for the first column. */
export const FIRST = ''

/** Not a valid column name. */
export const NO_TITLE = ':none'

export interface TitleSelectProps {
  readonly names: readonly string[]
  /** The table exists, and its title column is known. */
  readonly isKnown?: boolean
}

export function TitleSelect({ names, isKnown }: TitleSelectProps) {
  const { t } = useTexts()
  return (
    <Select
      name="title_field"
      label={t.data.titleField}
      hint={t.data.titleFieldHint}
      options={[
        ...(isKnown === true ? [] : [{ value: FIRST, text: t.data.firstColumn }]),
        ...names.map((name) => ({ value: name, text: name })),
        { value: NO_TITLE, text: t.general.none },
      ]}
    />
  )
}
