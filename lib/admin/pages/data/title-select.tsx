// Which column is the title of an entry.

import { useTexts } from '../../texts/use-texts.ts'
import { Select } from '../../ui/select.tsx'

/** The first column, whichever that is. */
export const FIRST = ''

/** Not a name that a column can have. */
export const NO_TITLE = ':none'

export interface TitleSelectProps {
  readonly names: readonly string[]
  /** There is a table, and it has one or none. */
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
