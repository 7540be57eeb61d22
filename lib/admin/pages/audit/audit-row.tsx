// An audit row as a sentence, with expandable details.

import { useState } from 'preact/hooks'
import type { Names } from '../../client/record-names.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Person } from '../../ui/person.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Subject } from './subject.tsx'
import type { AuditRow } from './use-audit.ts'

interface RowProps {
  readonly row: AuditRow
  readonly names: Names
  /** The last names of deleted records. */
  readonly deleted: Names
}

export function Row({ row, names, deleted }: RowProps) {
  const { t } = useTexts()
  const { user_name: user, action = 'update', version, fileState, date_added: date } = row
  const [isOpen, setIsOpen] = useState(false)
  const texts: Readonly<Record<string, string>> = t.audit.did
  const who = (
    <strong class="audit-who">
      {typeof user === 'string' ? <Person name={user} id={row.user_id} /> : t.audit.commandLine}
    </strong>
  )
  return (
    <li class="audit-row">
      <p class="audit-sentence">
        <Sentence
          text={texts[action] ?? t.audit.did.update}
          values={{ who, what: <Subject record={row} names={names} deleted={deleted} /> }}
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
  const kinds: Readonly<Record<string, string>> = t.audit.kinds
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    [t.audit.when, formats.exactTime(moment)],
    [t.audit.changed, changed.length === 0 ? null : changed.join(', ')],
    [t.audit.object, `${kinds[row.object ?? ''] ?? row.object ?? ''} ${ids}`],
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
