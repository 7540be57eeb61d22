// An input for an additional column of a calendar, by column type.

import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { columnName } from './event-values.ts'
import type { Column } from './events.ts'

/** Columns that allow longer texts get several lines. */
const LINE = 120

export function ColumnField({ column }: { readonly column: Column }) {
  const { t } = useTexts()
  const { type, size, isRequired, values } = column
  const all = { name: columnName(column), label: column.name }
  if (type === 'L') return <Checkbox {...all} />
  if (type === 'ENUM') {
    const none = { value: '', text: t.general.none }
    const options = (values ?? []).map((value) => ({ value, text: value }))
    return <Select {...all} options={isRequired === true ? options : [none, ...options]} />
  }
  const isOptional = isRequired !== true
  if (type === 'D') return <TextInput {...all} type="date" isOptional={isOptional} />
  const isLong = type?.startsWith('X') === true || (size ?? 0) > LINE
  return <TextInput {...all} isOptional={isOptional} {...(isLong && { rows: 3 })} />
}
