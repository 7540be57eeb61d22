// The column list of a module as a field of a form. The form has the schema as text, and the renames as JSON.

import { useRef } from 'preact/hooks'
import { isObject, parseJson } from '../../client/stored.ts'
import { useForm } from '../../ui/use-form.ts'
import { ColumnList } from './column-list.tsx'
import { readSchema } from './schema-columns.ts'
import { followText, namesOf, possible, type Renames, renamesBody } from './schema-draft.ts'

interface ColumnsFieldProps {
  /** Name of the schema in the form. */
  readonly name: string
  /** Name of the renames in the form. */
  readonly renamesName: string
  /** The stored schema. */
  readonly base: string
  readonly titleField: string | null
}

export function ColumnsField({ name, renamesName, base, titleField }: ColumnsFieldProps) {
  const { values, set } = useForm()
  const text = String(values[name] ?? '')
  const good = useRef(text)
  if (readSchema(text).faults.length === 0) good.current = text
  const original = new Set(namesOf(base))
  const renames = renamesIn(String(values[renamesName] ?? ''))
  const setRenames = (next: Renames): void => set(renamesName, renamesText(next))
  const state = {
    draft: { text, renames },
    good: good.current,
    original,
    setRenames,
    change(next: string) {
      const followed = followText({ good: good.current, draft: { text: next, renames }, original })
      set(name, next)
      setRenames(followed.renames)
    },
  }
  return <ColumnList state={state} base={base} isReadOnly={false} titleField={titleField} isPart />
}

function renamesIn(text: string): Renames {
  const value = parseJson(text)
  if (!isObject(value)) return {}
  const pairs = Object.entries(value).map(([name, old]) => [name, String(old)] as const)
  return Object.fromEntries(pairs)
}

function renamesText(renames: Renames): string {
  return Object.keys(renames).length === 0 ? '' : JSON.stringify(renames)
}

/** The renames as the member of a request; empty without renames. */
export function renamesMember(renames: string, { text, base }: Record<'text' | 'base', string>) {
  const original = new Set(namesOf(base))
  const columns = renamesBody(possible(renamesIn(renames), { names: namesOf(text), original }))
  return columns.length === 0 ? {} : { columns }
}
