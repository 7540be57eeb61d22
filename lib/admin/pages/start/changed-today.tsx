// Lists the changes of other users since midnight, newest first.

import { useApi } from '../../client/client-context.ts'
import type { Me } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { ChangeList } from '../audit/change-list.tsx'
import { findChanges } from '../audit/joined-changes.ts'

const MOST = 8

export function ChangedToday({ me }: { readonly me: Me }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { name, former_names: former } = me.user
  const { data } = useRequest(
    (signal) =>
      findChanges(
        api,
        { since: midnight(), without: [name, ...(former ?? [])], most: MOST },
        signal,
      ),
    [name],
  )
  if (data === undefined || data.count === 0) return null
  const { lines, count } = data
  return (
    <Section title={t.start.changedToday}>
      <ChangeList {...data} />
      {count > lines.length && (
        <p class="quiet">{formats.count(t.start.moreChanges, count - lines.length)}</p>
      )}
    </Section>
  )
}

function midnight(): string {
  const date = new Date()
  date.setHours(0, 0, 0, 0)
  return date.toISOString()
}
