// Which entries are selected: some by their numbers, or all that a search finds but a few. With Shift from the box that
// was pressed before; of rows between that were never read, the server is asked by who acts upon all.

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
  readonly clear: () => void
}

export function useSelection(rows: ReadonlyMap<number, Entry>): Selection {
  const [selected, setSelected] = useState<Selected>(NOTHING)
  const anchor = useRef(0)
  const has = (id: number): boolean =>
    selected.kind === 'some' ? selected.ids.has(id) : !selected.but.has(id)

  function toggle(row: number, isRange: boolean): void {
    const entry = rows.get(row)
    if (entry === undefined) return
    const isOn = !has(idOf(entry))
    const [from, to] = isRange ? [anchor.current, row].toSorted((a, b) => a - b) : [row, row]
    anchor.current = row
    const ids = [...rows].flatMap(([at, each]) =>
      at >= (from ?? row) && at <= (to ?? row) ? [idOf(each)] : [],
    )
    setSelected(withIds(selected, ids, isOn))
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
