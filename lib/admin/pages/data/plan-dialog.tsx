// Shows the effect of a schema change before it happens. Losing values needs a confirmation, and impossible changes
// come with advice. The shown plan belongs to the sent change: if the table or its entries have changed since,
// nothing happens and the new plan is shown.

import { useState } from 'preact/hooks'
import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import {
  bodyOf,
  isBlocked,
  isEmptyPlan,
  lossesOf,
  paramsOf,
  type Plan,
  planOf,
  type SchemaChange,
} from './plan.ts'
import { Blockers } from './plan-blockers.tsx'
import type { Datatable } from './table.ts'

interface PlanDialogProps {
  readonly change: SchemaChange
  readonly plan: Plan
  /** The title column, if it is dropped. */
  readonly lostTitle: string | undefined
  readonly onClose: () => void
  readonly onChanged: (fetched: Fetched<Datatable>) => void
  /** Somebody else has changed the table. */
  readonly onOvertaken: () => Promise<void>
}

export function PlanDialog(props: PlanDialogProps) {
  const { change, lostTitle, onClose } = props
  const { t } = useTexts()
  const { plan, isOther, send } = usePlan(props)
  return (
    <Dialog title={t.data.planTitle} onClose={onClose}>
      {isOther && (
        <Notice kind="danger" title={t.data.planOther}>
          {t.data.planOtherText}
        </Notice>
      )}
      <PlanList plan={plan} />
      {lostTitle !== undefined && <p>{fill(t.data.titleGoes, { name: lostTitle })}</p>}
      {plan.warnings.length > 0 && (
        <Notice kind="info" title={t.data.warnings}>
          <ul class="plan-warnings">
            {plan.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      {isBlocked(plan) ? (
        <>
          <Blockers id={change.id} plan={plan} />
          <div class="dialog-actions">
            <Button kind="primary" onPress={onClose}>
              {t.data.backToSchema}
            </Button>
          </div>
        </>
      ) : (
        <Sure plan={plan} onSend={send} />
      )}
    </Dialog>
  )
}

function usePlan(props: PlanDialogProps) {
  const { change, onChanged, onOvertaken } = props
  const api = useApi()
  const [plan, setPlan] = useState(props.plan)
  const [isOther, setIsOther] = useState(false)

  async function send(): Promise<void> {
    try {
      await sendPlanned()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'precondition-failed') return onOvertaken()
      // Entries that were written since the plan now conflict with the change.
      if (error.code !== 'schema-conflict') throw error
      showOther(await planOf(api, change))
    }
  }

  async function sendPlanned(): Promise<void> {
    const isLossy = lossesOf(plan).length > 0
    // The server does not check a confirmed change again, so the losses are counted here.
    const now = isLossy ? await planOf(api, change) : plan
    if (JSON.stringify(now) !== JSON.stringify(plan)) showOther(now)
    const params = { ...paramsOf(change), query: isLossy ? { confirm: 'drop' as const } : {} }
    const fetched = await recordOf(api.PATCH('/datatable/{id}', { params, body: bodyOf(change) }))
    onChanged(fetched as Fetched<Datatable>)
  }

  function showOther(now: Plan): never {
    setPlan(now)
    setIsOther(true)
    throw new InvalidFields({})
  }

  return { plan, isOther, send }
}

interface SureProps {
  readonly plan: Plan
  readonly onSend: () => Promise<void>
}

/** Lists the losses and asks for confirmation. */
function Sure({ plan, onSend }: SureProps) {
  const { t, formats } = useTexts()
  const losses = lossesOf(plan)
  const isLossy = losses.length > 0
  return (
    <Form
      name="plan"
      isForgotten
      initial={{ sure: false }}
      submit={t.data.changeTable}
      isDangerous={isLossy}
      onSubmit={({ sure }) => {
        if (isLossy && !sure) throw new InvalidFields({ sure: t.data.sureNeeded })
        return onSend()
      }}
    >
      {isLossy && (
        <Checkbox
          name="sure"
          label={fill(t.data.sure, { columns: losses.map(({ name }) => name).join(', ') })}
          hint={formats.count(
            t.data.sureHint,
            losses.reduce((sum, { entries }) => sum + entries, 0),
          )}
        />
      )}
    </Form>
  )
}

interface Step {
  readonly icon: IconName
  readonly text: string
  /** The values that entries lose. */
  readonly loss?: string
  readonly isDangerous?: boolean
}

/** The steps of a schema change in words. */
function PlanList({ plan }: { readonly plan: Plan }) {
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
    ...plan.checks
      .filter(({ entries }) => entries === 0)
      .map(({ name }): Step => ({ icon: 'check', text: fill(texts.kept, { name }) })),
    ...plan.dropped.map(
      ({ name, entries }): Step => ({
        icon: 'trash',
        text: fill(texts.dropped, { name }),
        ...lost(entries),
      }),
    ),
  ]
}
