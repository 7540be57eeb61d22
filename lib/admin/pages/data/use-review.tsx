// Reviews a schema draft with the server, and updates the page after the change.

import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import type { Requested } from '../../ui/use-request.ts'
import { faultsAt, lossesOf, type Plan, planOf, type SchemaChange } from './plan.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { namesOf } from './schema-draft.ts'
import type { TextFault } from './schema-text-field.tsx'
import { type Datatable, readTable, type ShownTable } from './table.ts'
import type { KeptSchema } from './use-schema-draft.ts'

interface Reviewed {
  readonly change: SchemaChange
  readonly plan: Plan
  readonly lostTitle: string | undefined
}

export interface ReviewOptions {
  readonly shown: ShownTable
  readonly table: Requested<ShownTable>
  readonly state: KeptSchema
}

export function useReview(options: ReviewOptions) {
  const { shown, table, state } = options
  const api = useApi()
  const toast = useToast()
  const { record, etag } = shown
  const { draft } = state
  const taken = useTaken(options)
  const [isBusy, setIsBusy] = useState(false)
  const [reviewed, setReviewed] = useState<Reviewed>()
  const [refused, setRefused] = useState<{
    readonly text: string
    readonly faults: readonly TextFault[]
  }>()
  const id = record.datatable_id

  async function start(): Promise<void> {
    // The error is already shown next to its field.
    const wrong = document.querySelector<HTMLElement>('.schema-editor [aria-invalid="true"]')
    if (wrong !== null) return wrong.focus()
    const lostTitle = lostTitleOf(record, state)
    const change = { id, etag, draft, titleField: lostTitle === undefined ? undefined : null }
    setIsBusy(true)
    setRefused(undefined)
    try {
      setReviewed({ change, plan: await planOf(api, change), lostTitle })
    } catch (error) {
      await tell(error)
    } finally {
      setIsBusy(false)
    }
  }

  /** Shows errors next to the text; after a concurrent change, shows that change. */
  async function tell(error: unknown): Promise<void> {
    const faults = error instanceof Problem ? faultsAt(error, draft.text) : []
    if (faults.length > 0) setRefused({ text: draft.text, faults })
    else if (error instanceof Problem && error.code === 'precondition-failed') await renew()
    else toast.problem(error)
  }

  async function renew(): Promise<void> {
    setReviewed(undefined)
    table.set({ ...shown, ...(await readTable(api, id)) })
  }

  const dialog = reviewed !== undefined && (
    <PlanDialog
      {...reviewed}
      onClose={() => setReviewed(undefined)}
      onChanged={(fetched) => {
        setReviewed(undefined)
        taken(fetched, reviewed.plan)
      }}
      onOvertaken={renew}
    />
  )
  const faults = refused?.text === draft.text ? refused.faults : []
  return { start, isBusy, faults, dialog }
}

/** Shows the changed table, with undo if no value was lost. */
function useTaken({ shown, table, state }: ReviewOptions) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()

  function show(fetched: Fetched<Datatable>): void {
    table.set({ ...shown, ...fetched })
    state.saved(fetched.record.table_schema)
  }

  /** Restores the previous schema and names. The server reports if entries would lose values. */
  async function undo(fetched: Fetched<Datatable>): Promise<void> {
    const { renames } = state.draft
    show(await takeBack(api, { before: shown.record, fetched, renames }))
    toast({ text: t.data.undone })
  }

  return (fetched: Fetched<Datatable>, plan: Plan): void => {
    const isLossy = lossesOf(plan).length > 0
    show(fetched)
    toast({
      text: t.data.changed,
      ...(!isLossy && {
        action: { text: t.general.undo, onPress: () => void undo(fetched).catch(toast.problem) },
      }),
    })
  }
}

function lostTitleOf({ title_field: title, table_schema: base }: Datatable, state: KeptSchema) {
  if (title === null || !namesOf(base).includes(title)) return undefined
  const { text, renames } = state.draft
  const isKept = namesOf(text).some((name) => (renames[name] ?? name) === title)
  return isKept ? undefined : title
}

interface TakeBack {
  readonly before: Datatable
  readonly fetched: Fetched<Datatable>
  readonly renames: Readonly<Record<string, string>>
}

async function takeBack(
  api: Api,
  { before, fetched, renames }: TakeBack,
): Promise<Fetched<Datatable>> {
  const id = before.datatable_id
  const columns = Object.entries(renames).map(([name, old]) => ({ name: old, renamed_from: name }))
  const body = {
    table_schema: before.table_schema,
    title_field: before.title_field,
    ...(columns.length > 0 && { columns }),
  }
  const params = { path: { id }, header: { 'If-Match': fetched.etag } }
  await dataOf(api.PATCH('/datatable/{id}', { params, body }))
  return readTable(api, id)
}
