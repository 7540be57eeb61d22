// The display name of a field: column names as in the datatable, base fields translated.

import { useTexts } from '../../texts/use-texts.ts'
import type { EntryField } from './fields.ts'

export function useFieldName(): (field: EntryField) => string {
  const { t } = useTexts()
  const texts: Readonly<Record<string, string>> = t.entries.base
  return ({ name, column }) => (column === undefined ? (texts[name] ?? name) : name)
}
