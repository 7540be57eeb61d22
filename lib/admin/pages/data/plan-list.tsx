// The steps of a schema change in words.

import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { isEmptyPlan, type Plan } from './plan.ts'

interface Step {
  readonly icon: IconName
  readonly text: string
  /** The values that entries lose. */
  readonly loss?: string
  readonly isDangerous?: boolean
}

export function PlanList({ plan }: { readonly plan: Plan }) {
  const speech = useTexts()
  const { t } = speech
  const steps = stepsOf(plan, speech)
  return (
    <>
      {isEmptyPlan(plan) && <p>{t.data.planNothing}</p>}
      {steps.length > 0 && (
        <ul class="plan" aria-label={t.data.planSteps}>
          {steps.map(({ icon, text, loss, isDangerous }) => (
            <li key={text} class={isDangerous === true ? 'plan-danger' : undefined}>
              <Icon name={icon} />
              <span>
                {text}
                {loss !== undefined && <span class="plan-loss">{loss}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function stepsOf(plan: Plan, { t, formats }: Speech): readonly Step[] {
  const { plan: texts } = t.data
  const lost = (entries: number): Partial<Step> =>
    entries === 0
      ? { loss: texts.losesNothing }
      : { loss: formats.count(texts.loses, entries), isDangerous: true }
  const changed = (entries: number, nulls: number): Partial<Step> =>
    entries === 0
      ? { loss: texts.allFit }
      : {
          loss: `${formats.count(texts.notKept, entries)} ${formats.count(texts.nulls, nulls)}`,
          isDangerous: true,
        }
  return [
    ...plan.added.map((name): Step => ({ icon: 'plus', text: fill(texts.added, { name }) })),
    ...plan.renamed.map(
      ({ from, to }): Step => ({
        icon: 'edit',
        text: fill(texts.renamed, { from, to }),
        loss: texts.keepsValues,
      }),
    ),
    ...plan.widened.map((name): Step => ({ icon: 'check', text: fill(texts.widened, { name }) })),
    ...plan.narrowed.map(
      ({ name, entries, nulls }): Step => ({
        icon: 'alert',
        text: fill(texts.narrowed, { name }),
        ...changed(entries, nulls),
      }),
    ),
    ...plan.retyped.map(
      ({ name, entries, nulls }): Step => ({
        icon: 'alert',
        text: fill(texts.retyped, { name }),
        ...changed(entries, nulls),
      }),
    ),
    ...plan.required
      .filter(({ entries }) => entries === 0)
      .map(({ name }): Step => ({ icon: 'check', text: fill(texts.required, { name }) })),
    ...plan.unique
      .filter(({ entries }) => entries === 0)
      .map(({ name }): Step => ({ icon: 'check', text: fill(texts.unique, { name }) })),
    ...plan.dropped.map(
      ({ name, entries }): Step => ({
        icon: 'trash',
        text: fill(texts.dropped, { name }),
        ...lost(entries),
      }),
    ),
  ]
}
