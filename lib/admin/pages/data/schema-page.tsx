// The schema page of a datatable.

import { useRoute } from 'preact-iso/router'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { FloatingBar } from '../../ui/floating-bar.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Requested } from '../../ui/use-request.ts'
import { difference } from './schema-draft.ts'
import { SchemaEditor } from './schema-editor.tsx'
import { type ShownTable, useTable } from './table.ts'
import { TablePage } from './table-head.tsx'
import { useReview } from './use-review.tsx'
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
  const start = (): void => {
    if (mayChange && state.isDirty) void review.start()
  }
  // The shortcut stays reserved without changes; otherwise the browser would save the page.
  useActions([{ id: 'review', text: t.data.review, icon: 'check', keys: 'mod+s', run: start }])

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
        <FloatingBar text={t.data.unsent}>
          <Button onPress={state.discard}>{t.data.discard}</Button>
          <Button kind="primary" isBusy={review.isBusy} onPress={() => void review.start()}>
            {t.data.review}
          </Button>
        </FloatingBar>
      )}
      {review.dialog}
    </>
  )
}

interface SchemaClashProps {
  readonly state: KeptSchema
  /** Current schema of the table. */
  readonly base: string
}

/**
 * Shows a concurrent schema change of another user, with buttons to accept or ignore it. The typed schema stays in
 * either case.
 */
function SchemaClash({ state, base }: SchemaClashProps) {
  const { t } = useTexts()
  const { before, takeIn, keepMine } = state
  if (before === undefined) return null
  const { added, dropped, changed } = difference(before, base)
  return (
    <Notice
      kind="danger"
      title={t.clash.title}
      actions={
        <>
          <Button kind="primary" onPress={takeIn}>
            {t.data.takeIn}
          </Button>
          <Button onPress={keepMine}>{t.data.keepMine}</Button>
        </>
      }
    >
      <ul class="clash">
        {added.map((text) => (
          <li key={text}>
            {t.data.theyAdded} <ins>{text}</ins>
          </li>
        ))}
        {dropped.map((name) => (
          <li key={name}>
            {t.data.theyDropped} <del>{name}</del>
          </li>
        ))}
        {changed.map((each) => (
          <li key={each.now}>
            <del>{each.before}</del> → <ins>{each.now}</ins>
          </li>
        ))}
        {added.length + dropped.length + changed.length === 0 && <li>{t.data.theyReordered}</li>}
      </ul>
      <p>{t.data.clashText}</p>
    </Notice>
  )
}
