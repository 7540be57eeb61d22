// An audit row as a sentence, with expandable details.

import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { AuditRow, Names } from './use-audit.ts'

interface RowProps {
  readonly row: AuditRow
  readonly names: Names
}

export function Row({ row, names }: RowProps) {
  const { t } = useTexts()
  const { user_name: user, action = 'update', version, fileState, date_added: date } = row
  const [isOpen, setIsOpen] = useState(false)
  const texts: Readonly<Record<string, string>> = t.audit.did
  const who = <strong class="audit-who">{user ?? t.audit.commandLine}</strong>
  return (
    <li class="audit-row">
      <p class="audit-sentence">
        <Sentence
          text={texts[action] ?? t.audit.did.update}
          values={{ who, what: <Subject row={row} names={names} /> }}
        />
        {typeof version === 'number' && (
          <>
            {', '}
            <Sentence text={t.audit.version} values={{ version }} />
          </>
        )}
        {isState(fileState) && action !== fileState && (
          <>
            {' '}
            <StateBadge state={fileState === 'publish' ? 'live' : 'staged'} />
          </>
        )}
      </p>
      <DateTime date={date ?? null} isRelative />
      <Button
        kind="quiet"
        icon={isOpen ? 'chevronDown' : 'chevronRight'}
        label={t.audit.details}
        isExpanded={isOpen}
        onPress={() => setIsOpen(!isOpen)}
      />
      {isOpen && <Details row={row} />}
    </li>
  )
}

function isState(state: AuditRow['fileState']): state is 'publish' | 'stage' {
  return state === 'publish' || state === 'stage'
}

function Details({ row }: { readonly row: AuditRow }) {
  const { t, formats } = useTexts()
  const changed = row.changed_fields ?? []
  const moment = new Date(row.date_added ?? Number.NaN)
  const ids = idsOf(row)
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    [t.audit.when, formats.exactTime(moment)],
    [t.audit.changed, changed.length === 0 ? null : changed.join(', ')],
    [t.audit.object, `${row.object ?? ''} ${ids}`],
    [t.audit.path, row.path ?? row.name],
    [t.audit.previousPath, row.previous_path ?? row.previous_name],
    [t.audit.heldEntries, row.entries],
    [t.audit.module, row.module_id],
    [t.audit.userId, row.user_id],
    [t.audit.key, keyOf(row)],
    [t.audit.address, row.address],
    [t.audit.request, row.request_id],
    [t.audit.row, row.audit_id],
  ]
  return <Facts look="audit-facts" facts={facts} />
}

function keyOf({ api_key_id: id, api_key_name: name }: AuditRow): string | null {
  if (typeof id !== 'number') return null
  return typeof name === 'string' ? `${name} (${id})` : String(id)
}

function idsOf({ object_id: first, last_object_id: last }: AuditRow): string {
  return first !== last ? `${first ?? ''}–${last ?? ''}` : String(first ?? '')
}

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

/**
 * The record of an audit row: its current name with a link, or the stored name if the record was deleted. Without a
 * name, kind and identifier.
 */
function Subject({ row, names }: SubjectProps) {
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
