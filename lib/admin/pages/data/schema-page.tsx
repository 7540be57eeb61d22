// The columns of a datatable, and their change.

import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Held } from '../../ui/use-edit.ts'
import type { Requested } from '../../ui/use-request.ts'
import { useShortcut } from '../../ui/use-shortcut.ts'
import { faultsAt, lossesOf, type Plan, planOf, type SchemaChange } from './plan.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { SchemaClash } from './schema-clash.tsx'
import { namesOf } from './schema-draft.ts'
import { SchemaEditor } from './schema-editor.tsx'
import type { TextFault } from './schema-text-field.tsx'
import { type Datatable, readTable, type ShownTable, useTable } from './table.ts'
import { TablePage } from './table-head.tsx'
import { type KeptSchema, useSchemaDraft } from './use-schema-draft.ts'

export function SchemaPage() {
  const id = Number(useRoute().params['id'])
  const table = useTable(id)
  return (
    <TablePage table={table} current="schema">
      {(shown) => <Schema key={shown.record.datatable_id} shown={shown} table={table} />}
    </TablePage>
  )
}

interface SchemaProps {
  readonly shown: ShownTable
  readonly table: Requested<ShownTable>
}

function Schema({ shown, table }: SchemaProps) {
  const { t } = useTexts()
  const { record, grants } = shown
  const base = record.table_schema
  const state = useSchemaDraft({ name: `schema-${record.datatable_id}`, base })
  const review = useReview({ shown, table, state })
  const mayChange = grants.has('modify')
  useShortcut('mod+s', () => {
    if (mayChange && state.isDirty) void review.start()
  })

  return (
    <>
      {!mayChange && <Notice kind="info">{t.data.onlyLook}</Notice>}
      <SchemaClash state={state} base={base} />
      {state.wasKept && state.before === undefined && state.isDirty && (
        <Notice kind="info">{t.form.kept}</Notice>
      )}
      <SchemaEditor
        state={state}
        base={base}
        faults={review.faults}
        isReadOnly={!mayChange}
        titleField={record.title_field}
      />
      {mayChange && state.isDirty && (
        <div class="schema-bar" role="group" aria-label={t.data.unsent}>
          <span class="schema-bar-text">{t.data.unsent}</span>
          <Button onPress={state.discard}>{t.data.discard}</Button>
          <Button kind="primary" isBusy={review.isBusy} onPress={() => void review.start()}>
            {t.data.review}
          </Button>
        </div>
      )}
      {review.dialog}
    </>
  )
}

interface Reviewed {
  readonly change: SchemaChange
  readonly plan: Plan
  readonly lostTitle: string | undefined
}

/** From what was typed to what the server says of it, and to the table as it is then. */
function useReview({ shown, table, state }: SchemaProps & { readonly state: KeptSchema }) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { record, etag } = shown
  const { draft } = state
  const [isBusy, setIsBusy] = useState(false)
  const [reviewed, setReviewed] = useState<Reviewed>()
  const [refused, setRefused] = useState<{
    readonly text: string
    readonly faults: readonly TextFault[]
  }>()
  const id = record.datatable_id

  async function start(): Promise<void> {
    // What is wrong is told where it is already.
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

  /** What the server says against the text stands beside it; of a table that has changed that is shown. */
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

  function take(held: Held<Datatable>): void {
    const wasLossy = reviewed !== undefined && lossesOf(reviewed.plan).length > 0
    setReviewed(undefined)
    table.set({ ...shown, ...held })
    state.saved(held.record.table_schema)
    toast({
      text: t.data.changed,
      ...(!wasLossy && {
        action: { text: t.general.undo, onPress: () => void undo(held).catch(toast.problem) },
      }),
    })
  }

  /** As it was, with the old names; where entries would lose something by it, the server says so. */
  async function undo(held: Held<Datatable>): Promise<void> {
    const back = await takeBack(api, { before: record, held, renames: draft.renames })
    table.set({ ...shown, ...back })
    state.saved(back.record.table_schema)
    toast({ text: t.data.undone })
  }

  const dialog = reviewed !== undefined && (
    <PlanDialog
      {...reviewed}
      onClose={() => setReviewed(undefined)}
      onChanged={take}
      onOvertaken={renew}
    />
  )
  const faults = refused?.text === draft.text ? refused.faults : []
  return { start, isBusy, faults, dialog }
}

function lostTitleOf({ title_field: title, table_schema: base }: Datatable, state: KeptSchema) {
  if (title === null || !namesOf(base).includes(title)) return undefined
  const { text, renames } = state.draft
  const isKept = namesOf(text).some((name) => (renames[name] ?? name) === title)
  return isKept ? undefined : title
}

interface TakeBack {
  readonly before: Datatable
  readonly held: Held<Datatable>
  readonly renames: Readonly<Record<string, string>>
}

async function takeBack(api: Api, { before, held, renames }: TakeBack): Promise<Held<Datatable>> {
  const id = before.datatable_id
  const columns = Object.entries(renames).map(([name, old]) => ({ name: old, renamed_from: name }))
  const body = {
    table_schema: before.table_schema,
    title_field: before.title_field,
    ...(columns.length > 0 && { columns }),
  }
  const params = { path: { id }, header: { 'If-Match': held.etag } }
  await dataOf(api.PATCH('/datatable/{id}', { params, body }))
  return readTable(api, id)
}
