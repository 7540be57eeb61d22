// The record of an audit row: its current name with a link, or the stored name if the record was deleted. Without a
// name, kind and identifier.

import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { AuditRow, Names } from './use-audit.ts'

const PAGES: Readonly<Record<string, string>> = {
  asset_file: '/content/file/',
  asset_category: '/content/',
  user: '/users/',
  api_key: '/keys/',
  datatable: '/data/',
  calendar: '/calendars/',
}

interface SubjectProps {
  readonly row: AuditRow
  readonly names: Names
}

export function Subject({ row, names }: SubjectProps) {
  const { t, formats } = useTexts()
  const { object = '', object_id: id = 0, count = 1, module_id: moduleId } = row
  const kinds: Readonly<Record<string, string>> = t.audit.kinds
  const kind = kinds[object] ?? object
  if (moduleId !== null && moduleId !== undefined) {
    const module = object.replace(/_entry$/, '')
    const name = names.get(`${module}/${moduleId}`)
    const href = pathOf(`${PAGES[module] ?? ''}${moduleId}`)
    const inModule =
      name === undefined ? (
        `${kinds[module] ?? module} ${moduleId}`
      ) : (
        <NamedLink href={href} name={name} />
      )
    const text =
      count > 1
        ? formats.count(t.audit.entries, count)
        : fill(t.audit.numbered, { kind, id: String(id) })
    return <Sentence text={t.audit.within} values={{ what: text, module: inModule }} />
  }
  const current = names.get(`${object}/${id}`)
  const name = current ?? row.name ?? undefined
  const page = current === undefined ? undefined : PAGES[object]
  if (name === undefined) return <>{fill(t.audit.numbered, { kind, id: String(id) })}</>
  return (
    <>
      {kind}{' '}
      {page === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <NamedLink href={pathOf(`${page}${id}`)} name={name} />
      )}
    </>
  )
}

function NamedLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <Link href={href}>
      <bdi>{name}</bdi>
    </Link>
  )
}
