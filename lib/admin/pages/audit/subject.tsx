// The record that a change is about, as a part of a sentence.

import { pathOf } from '../../client/address.ts'
import { type NamedRecord, nameKey, type Names } from '../../client/record-names.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const PAGES: Readonly<Record<string, string>> = {
  asset_file: '/content/file/',
  asset_category: '/content/',
  user: '/users/',
  api_key: '/keys/',
  datatable: '/data/',
  calendar: '/calendars/',
}

interface SubjectProps {
  readonly record: NamedRecord & { readonly count?: number; readonly name?: string | null }
  readonly names: Names
  /** The last names of deleted records. */
  readonly deleted?: Names
}

/**
 * The current name with a link, or the last known name if the record was deleted. Without a name, kind and
 * identifier.
 */
export function Subject({ record, names, deleted }: SubjectProps) {
  const { t, formats } = useTexts()
  const { object = '', object_id: id = 0, count = 1, module_id: moduleId } = record
  const kinds: Readonly<Record<string, string>> = t.audit.kinds
  const kind = kinds[object] ?? object
  const key = nameKey(record) ?? ''
  const current = names.get(key)
  const last = current ?? deleted?.get(key)
  const numbered = fill(t.audit.numbered, { kind, id: String(id) })
  if (moduleId !== null && moduleId !== undefined) {
    const module = object.replace(/_entry$/, '')
    const inModule =
      last === undefined ? (
        `${kinds[module] ?? module} ${moduleId}`
      ) : (
        <Name name={last} path={current && `${PAGES[module] ?? ''}${moduleId}`} />
      )
    const what = count > 1 ? formats.count(t.audit.entries, count) : numbered
    return <Sentence text={t.audit.within} values={{ what, module: inModule }} />
  }
  const name = last ?? record.name ?? undefined
  const page = PAGES[object]
  if (name === undefined) return <>{numbered}</>
  return (
    <>
      {kind} <Name name={name} path={current && page && `${page}${id}`} />
    </>
  )
}

interface NameProps {
  readonly name: string
  /** Below /admin; undefined for records without a page. */
  readonly path: string | undefined
}

function Name({ name, path }: NameProps) {
  if (path === undefined) return <bdi>{name}</bdi>
  return (
    <Link href={pathOf(path)}>
      <bdi>{name}</bdi>
    </Link>
  )
}
