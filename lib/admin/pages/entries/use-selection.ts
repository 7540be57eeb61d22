// The selected entries: single identifiers, or all results except some. Shift extends the selection from the last
// checkbox; the server returns the identifiers of entries that are not loaded.

import { useRef, useState } from 'preact/hooks'
import type { Entry } from '../../client/module-paths.ts'
import { idOf } from './fields.ts'
import type { GridSelection } from './grid.tsx'

export type Selected =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'all'; readonly but: ReadonlySet<number> }

const NOTHING: Selected = { kind: 'some', ids: new Set() }

export interface Selection extends GridSelection {
  readonly selected: Selected
  readonly selectAll: () => void
  /** Extends the selection by this range, inclusive. */
  readonly extend: (from: number, to: number) => void
  readonly clear: () => void
}

export interface SelectionOptions {
  readonly rows: ReadonlyMap<number, Entry>
  /** Identifiers from one list position to another. */
  readonly idsBetween: (from: number, to: number) => Promise<readonly number[]>
  readonly onFailure: (error: unknown) => void
}

export function useSelection({ rows, idsBetween, onFailure }: SelectionOptions): Selection {
  const [selected, setSelected] = useState<Selected>(NOTHING)
  const anchor = useRef(0)
  const has = (id: number): boolean =>
    selected.kind === 'some' ? selected.ids.has(id) : !selected.but.has(id)

  function toggle(row: number, isRange: boolean): void {
    const entry = rows.get(row)
    if (entry === undefined) return
    const isOn = !has(idOf(entry))
    const from = isRange ? Math.min(anchor.current, row) : row
    const to = isRange ? Math.max(anchor.current, row) : row
    anchor.current = row
    const known = Array.from({ length: to - from + 1 }, (_, at) => rows.get(from + at))
    const ids = known.flatMap((each) => (each === undefined ? [] : [idOf(each)]))
    const select = (all: readonly number[]): void =>
      setSelected((before) => withIds(before, all, isOn))
    if (ids.length === known.length) select(ids)
    else idsBetween(from, to).then(select, onFailure)
  }

  const isSome = selected.kind === 'all' || selected.ids.size > 0
  const isAll = selected.kind === 'all' && selected.but.size === 0
  return {
    selected,
    has,
    isAll,
    isSome,
    toggle,
    toggleAll: () => setSelected(isSome ? NOTHING : { kind: 'all', but: new Set() }),
    extend(from, to) {
      anchor.current = to
      const both = [rows.get(from), rows.get(to)]
      const ids = both.flatMap((each) => (each === undefined ? [] : [idOf(each)]))
      setSelected((before) => withIds(before, ids, true))
    },
    selectAll: () => setSelected({ kind: 'all', but: new Set() }),
    clear: () => setSelected(NOTHING),
  }
}

function withIds(selected: Selected, ids: readonly number[], isOn: boolean): Selected {
  const own = new Set(selected.kind === 'some' ? selected.ids : selected.but)
  const isIn = selected.kind === 'some' ? isOn : !isOn
  for (const id of ids) {
    if (isIn) own.add(id)
    else own.delete(id)
  }
  return selected.kind === 'some' ? { kind: 'some', ids: own } : { kind: 'all', but: own }
}
