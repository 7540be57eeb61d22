// Handles keys and clicks in grid cells: edit, clear, select, open.

import { useLocation } from 'preact-iso/router'
import { useLayoutEffect } from 'preact/hooks'
import type { ColumnKind } from '../../client/column-kind.ts'
import type { Entry } from '../../client/module-paths.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { fill } from '../../texts/fill.ts'
import { draftKey } from './cell-drafts.ts'
import { CellEditor, type Leave } from './cell-editor.tsx'
import { CellText } from './cell-text.tsx'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, idOf, textOf, useFieldName, valueOf, isWritable } from './fields.ts'
import type { CellView } from './grid.tsx'
import type { CellPlace } from './grid-keys.ts'
import { hasTitles } from './reference-titles.ts'
import type { Rows, RowsState } from './rows.ts'
import { useCellEdits } from './use-cell-edits.ts'
import type { Selection } from './use-selection.ts'

export interface GridKeysInput {
  readonly tableId: number
  readonly requests: EntryRequests
  readonly rows: Rows
  readonly state: RowsState
  readonly seen: readonly EntryField[]
  readonly mayEdit: boolean
  readonly active: CellPlace
  readonly setActive: (place: CellPlace) => void
  readonly selection: Selection
  readonly hrefOf: (entry: Entry, row: number) => string
}

const AFTER: Readonly<Record<Leave, readonly [number, number]>> = {
  down: [1, 0],
  up: [-1, 0],
  on: [0, 1],
  back: [0, -1],
  stay: [0, 0],
}

// oxlint-disable-next-line eslint/max-lines-per-function -- keys, clicks and editors act on the same cells
export function useGridKeys(input: GridKeysInput) {
  const { tableId, requests, rows, state, seen, mayEdit, active, setActive, selection, hrefOf } =
    input
  const { t } = useTexts()
  const { route } = useLocation()
  const nameOf = useFieldName()
  const edits = useCellEdits({
    tableId,
    fields: seen,
    requests,
    onEntry(entry) {
      const before = [...state.rows.values()].find((each) => idOf(each) === idOf(entry))
      rows.put(entry)
      // The new records are not known yet.
      if (!seen.every((field) => hasTitles({ ...before, ...entry }, field))) rows.reload()
    },
  })

  // A cell that could not be saved is opened again.
  useLayoutEffect(() => {
    const draft = edits.drafts.get(edits.openKey ?? '')
    const row = [...state.rows].find(([, entry]) => idOf(entry) === draft?.id)?.[0]
    const column = seen.findIndex(({ name }) => name === draft?.name) + 1
    if (row !== undefined && column > 0) setActive({ row, column })
  }, [edits.openKey])

  function cellAt({ row, column }: CellPlace) {
    const [entry, field] = [state.rows.get(row), seen[column - 1]]
    return entry === undefined || field === undefined ? undefined : { entry, field }
  }

  function edit(place: CellPlace, typed?: string): boolean {
    const cell = cellAt(place)
    if (cell === undefined || !mayEdit || !isWritable(cell.field)) return false
    edits.open(cell.entry, cell.field, typed)
    return true
  }

  function leave(way: Leave): void {
    edits.commit()
    const [down, on] = AFTER[way]
    if (way !== 'stay')
      setActive({ row: Math.max(active.row + down, 0), column: active.column + on })
  }

  function onKey(event: KeyboardEvent, place: CellPlace): boolean {
    const { key, shiftKey, altKey } = event
    const isMod = event.ctrlKey || event.metaKey
    const cell = cellAt(place)
    const entry = state.rows.get(place.row)
    if (altKey) return false
    if (isMod) return withMod(key.toLowerCase(), cell)
    if (key === ' ' && (place.column === 0 || shiftKey || cell?.field.kind !== 'boolean')) {
      selection.toggle(place.row, shiftKey)
      return true
    }
    if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const row = place.row + (key === 'ArrowDown' ? 1 : -1)
      if (row < 0 || row >= state.count) return true
      selection.extend(place.row, row)
      setActive({ ...place, row })
      return true
    }
    if (entry !== undefined && key === 'Enter' && (shiftKey || !canEdit(cell?.field))) {
      route(hrefOf(entry, place.row))
      return true
    }
    if (cell === undefined || !canEdit(cell.field)) return false
    if (key === ' ') edits.set(cell.entry, cell.field, String(cell.entry[cell.field.name] !== true))
    else if (key === 'Enter' || key === 'F2') edit(place)
    else if (key === 'Delete' || key === 'Backspace') empty(cell)
    else if (key.length === 1 && isTyped(cell.field)) edit(place, key)
    else return false
    return true
  }

  function canEdit(field: EntryField | undefined): boolean {
    return mayEdit && field !== undefined && isWritable(field)
  }

  /** Clearing a required value opens the editor with the error. */
  function empty({ entry, field }: { readonly entry: Entry; readonly field: EntryField }): void {
    if (valueOf(field, '') === null && field.column?.isRequired === true)
      edits.open(entry, field, '')
    else edits.set(entry, field, '')
  }

  function withMod(key: string, cell: ReturnType<typeof cellAt>): boolean {
    if (key === 'z') edits.undo()
    else if (key === 'a') selection.selectAll()
    else if (key === 'c' && cell !== undefined && isSecureContext)
      void navigator.clipboard.writeText(textOf(cell.field, cell.entry[cell.field.name]))
    else return false
    return true
  }

  function viewOf(entry: Entry, field: EntryField): CellView | undefined {
    const key = draftKey(idOf(entry), field.name)
    const draft = edits.drafts.get(key)
    if (draft === undefined) return undefined
    if (key !== edits.openKey) {
      if (draft.state === 'open') return undefined
      const value = valueOf(field, draft.text)
      const shown = field.kind === 'boolean' ? value === true : value
      return {
        state: draft.state,
        content: <CellText field={field} value={value === null ? null : shown} />,
      }
    }
    const label = fill(t.entries.unsavedItem, { column: nameOf(field), id: draft.id })
    return {
      state: 'editing',
      content: (
        <CellEditor
          field={field}
          draft={draft}
          label={label}
          onType={edits.type}
          onCommit={leave}
          onGiveUp={edits.giveUp}
          onTheirs={() => {
            edits.discard(key)
            rows.put({ ...entry, [field.name]: draft.theirs ?? null })
          }}
          onMine={() => edits.keepMine(key)}
        />
      ),
    }
  }

  return { edits, edit: (place: CellPlace) => void edit(place), onKey, viewOf }
}

/** Values of other fields are chosen, so a letter does not start editing. */
function isTyped({ kind, column }: EntryField): boolean {
  return !CHOSEN.has(kind) && column?.references?.object !== 'asset_file'
}

const CHOSEN: ReadonlySet<ColumnKind> = new Set(['boolean', 'choice', 'date', 'time', 'references'])
