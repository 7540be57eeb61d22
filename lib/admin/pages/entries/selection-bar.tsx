// Actions for selected entries: change one column, or delete. If all results are selected, they are read page by page
// during the action.

import { useState } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { pathOf } from '../../client/address.ts'
import type { Entry, EntryValue } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useBulk } from '../../ui/bulk.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useDeletionNote } from '../../ui/delete-form.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { HISTORY } from './entry-form.tsx'
import { EntryInput } from './entry-input.tsx'
import { entriesOf, type EntryView, listQueryOf } from './entry-view.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, ID, idOf, isWritable, valueOf } from './fields.ts'
import { typedFault } from './typed-fault.ts'
import type { RowsState } from './rows.ts'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  readonly tableId: number
  readonly selection: Selection
  readonly requests: EntryRequests
  readonly fields: readonly EntryField[]
  readonly grants: ReadonlySet<Grant>
  readonly view: EntryView
  readonly state: RowsState
  readonly onChange: () => void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the actions share one selection
export function SelectionBar(props: SelectionBarProps) {
  const { tableId, selection, requests, fields, grants, state, onChange } = props
  const { t, formats } = useTexts()
  const confirm = useConfirm()
  const note = useDeletionNote()
  const [isChanging, setIsChanging] = useState(false)
  const { selected } = selection
  const bulk = useBulk<Entry>({
    nameOf: (entry) => fill(t.entries.entryNumber, { id: idOf(entry) }),
    failed: t.entries.failed,
    undone: t.entries.restored,
    onChange,
  })
  const [only, ...others] = selected.kind === 'some' ? selected.ids : []
  const single = others.length === 0 ? only : undefined
  const left = selected.kind === 'some' ? selected.ids.size : selected.but.size
  const count = selected.kind === 'some' ? left : state.isCounted ? state.count - left : undefined

  /** With the current value of this column, for undo. */
  function items(column?: string): readonly Entry[] | AsyncIterable<Entry> {
    if (selected.kind === 'some' && column === undefined)
      return [...selected.ids].map((id) => ({ [ID]: id }))
    return selectedEntries(props, column)
  }

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title:
        count === undefined
          ? t.entries.deleteAllTitle
          : formats.count(t.entries.deleteTitle, count),
      text: note,
      action: t.entries.delete,
      isDangerous: true,
    })
    if (!isSure) return
    bulk.run({
      title: t.entries.deleting,
      items: items(),
      count,
      work: (entry) => requests.remove(idOf(entry)),
      undo: (entry) => requests.bringBack(idOf(entry)),
      mayUndo: ([entry = {}]) => requests.isInTrash(idOf(entry)),
      doneText: t.entries.deleted,
    })
    selection.clear()
  }

  function change(field: EntryField, value: Entry[string]): void {
    const etags = new Map<number, string>()
    bulk.run({
      title: t.entries.changing,
      items: items(field.name),
      count,
      async work(entry) {
        const { etag } = await requests.change(idOf(entry), { [field.name]: value })
        etags.set(idOf(entry), etag)
      },
      undo: (entry) =>
        requests.change(
          idOf(entry),
          { [field.name]: entry[field.name] ?? null },
          etags.get(idOf(entry)),
        ),
      doneText: t.entries.changed,
    })
  }

  return (
    <div class="selection-bar" role="group" aria-label={t.entries.selection}>
      <strong aria-live="polite">
        {selected.kind === 'some'
          ? formats.count(t.general.selected, left)
          : left === 0
            ? t.entries.allSelected
            : formats.count(t.entries.allSelectedBut, left)}
      </strong>
      <div class="entries-selection">
        {selected.kind === 'some' && (
          <Button onPress={selection.selectAll}>{t.entries.selectAll}</Button>
        )}
        {single !== undefined && (
          <ButtonLink icon="history" href={pathOf(`/data/${tableId}/${single}#${HISTORY}`)}>
            {t.entries.history.title}
          </ButtonLink>
        )}
        {grants.has('modify') && (
          <Button icon="edit" onPress={() => setIsChanging(true)}>
            {t.entries.change}
          </Button>
        )}
        {grants.has('delete') && (
          <Button icon="trash" onPress={() => void remove()}>
            {t.entries.delete}
          </Button>
        )}
      </div>
      <Button
        kind="quiet"
        icon="close"
        label={t.entries.clearSelection}
        onPress={selection.clear}
      />
      {bulk.view}
      {isChanging && (
        <ChangeColumn
          fields={fields.filter((field) => isWritable(field) && field.column?.isUnique !== true)}
          onClose={() => setIsChanging(false)}
          onChange={(field, value) => {
            setIsChanging(false)
            change(field, value)
          }}
        />
      )}
    </div>
  )
}

/** Limit of $in on the server. */
const AT_ONCE = 500

async function* selectedEntries(
  { selection: { selected }, requests, view }: SelectionBarProps,
  column: string | undefined,
): AsyncGenerator<Entry> {
  const fields = column === undefined ? ID : `${ID},${column}`
  if (selected.kind === 'all') {
    for await (const entry of entriesOf({ requests, query: { ...listQueryOf(view), fields } }))
      if (!selected.but.has(idOf(entry))) yield entry
    return
  }
  const ids = [...selected.ids]
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const qry = JSON.stringify({ [`datatable_entry.${ID}`]: { $in: some } })
    yield* entriesOf({ requests, query: { qry, fields } })
  }
}

interface ChangeColumnProps {
  readonly fields: readonly EntryField[]
  readonly onClose: () => void
  readonly onChange: (field: EntryField, value: EntryValue) => void
}

/** Asks for a column and its new value in all selected entries. */
function ChangeColumn({ fields, onClose, onChange }: ChangeColumnProps) {
  const { t } = useTexts()
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  return (
    <Dialog title={t.entries.changeTitle} onClose={onClose}>
      <Form
        name="change-column"
        isForgotten
        initial={{ value: '' }}
        submit={t.entries.changeSubmit}
        onSubmit={({ value: text }) => {
          if (field === undefined) return Promise.resolve()
          const badText = typedFault(field, text, t)
          if (badText !== undefined) return Promise.reject(new InvalidFields({ value: badText }))
          const value = valueOf(field, text)
          if (value === null && field.column?.isRequired === true)
            return Promise.reject(new InvalidFields({ value: t.form.required }))
          onChange(field, value)
          return Promise.resolve()
        }}
      >
        <Select
          name="column"
          label={t.entries.filter.column}
          options={fields.map((each) => ({ value: each.name, text: each.label }))}
          value={name}
          onChange={setName}
        />
        {field !== undefined && (
          <EntryInput key={name} field={field} name="value" label={t.entries.changeTo} isUnmarked />
        )}
      </Form>
    </Dialog>
  )
}
