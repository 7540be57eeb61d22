// The reasons why a schema change is impossible, with links to the entries that forbid the change.

import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Plan } from './plan.ts'

/** Explains why the change is impossible, and what to do. */
export function Blockers({ id, plan }: { readonly id: number; readonly plan: Plan }) {
  const { t, formats } = useTexts()
  const empty = plan.required.filter(({ entries }) => entries > 0)
  const lost = plan.references.filter(({ entries }) => entries > 0)
  const shared = plan.unique.filter(({ entries }) => entries > 0)
  return (
    <Notice kind="danger" title={t.data.planBlocked}>
      <ul class="plan-warnings">
        {empty.map(({ name, entries }) => (
          <li key={name}>
            {fill(t.data.plan.noValue, { name })} {formats.count(t.data.plan.noValueCount, entries)}{' '}
            {t.data.plan.noValueHelp}
          </li>
        ))}
        {shared.map(({ name, entries, examples }) => (
          <li key={name}>
            {fill(t.data.plan.shared, { name })} {formats.count(t.data.plan.sharedCount, entries)}{' '}
            <Examples id={id} of={examples} />
          </li>
        ))}
        {lost.map(({ name, entries, examples }) => (
          <li key={name}>
            {fill(t.data.plan.lost, { name })} {formats.count(t.data.plan.lostCount, entries)}{' '}
            <Examples id={id} of={examples} />
          </li>
        ))}
        {plan.checks
          .filter(({ entries }) => entries > 0)
          .map(({ name, entries, examples }) => (
            <li key={name}>
              {fill(t.data.plan.broken, { name })} {formats.count(t.data.plan.brokenCount, entries)}{' '}
              <Examples id={id} of={examples} />
            </li>
          ))}
        {plan.refused.map(({ name, detail }) => (
          <li key={name}>
            {name}: {detail}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Links to entries. */
function Examples({ id, of }: { readonly id: number; readonly of: readonly number[] }) {
  return (
    <>
      {of.map((entry) => (
        <Link key={entry} href={pathOf(`/data/${id}/${entry}`)}>
          {`#${entry} `}
        </Link>
      ))}
    </>
  )
}
