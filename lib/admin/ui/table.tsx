// A plain table of loaded rows. Sortable heads are buttons. Checkboxes select rows, Shift selects a range, and arrow
// keys move between checkboxes. On narrow screens, the table scrolls horizontally.
//
//   <Table label={t.titles.keys} rows={keys} keyOf={(key) => key.api_key_id} nameOf={(key) => key.name}
//     columns={[
//       { id: 'name', head: t.keys.name, cell: (key) => key.name, canSort: true },
//       { id: 'used', head: t.keys.lastUsed, cell: (key) => <DateTime date={key.last_used} />, isNumber: true },
//     ]}
//     sort={sort} onSort={setSort}
//     selected={selected} onSelect={setSelected} />

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from './icon.tsx'

export interface Column<R> {
  readonly id: string
  readonly head: ComponentChildren
  readonly cell: (row: R) => ComponentChildren
  readonly canSort?: boolean
  /** Right-aligned with tabular figures. */
  readonly isNumber?: boolean
  /** A menu or buttons: as narrow as possible, and visible while the table scrolls. */
  readonly isActions?: boolean
  /** A class for the cells of the column. */
  readonly look?: string
}

export interface Sort {
  readonly by: string
  readonly isDown: boolean
}

export interface TableProps<R> {
  /** Accessible name of the table. */
  readonly label: string
  readonly rows: readonly R[]
  readonly columns: readonly Column<R>[]
  readonly keyOf: (row: R) => number
  /** Accessible name of a row. */
  readonly nameOf: (row: R) => string
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selected?: ReadonlySet<number>
  readonly onSelect?: (selected: ReadonlySet<number>) => void
  /** The rows are outdated while others load. */
  readonly isStale?: boolean
  /** Rows of another kind, which stand before the others and cannot be selected. */
  readonly firstRows?: ComponentChildren
  /** Keyboard and drag handlers of a row. */
  readonly rowEvents?: (row: R) => RowEvents
}

export interface RowEvents {
  readonly draggable?: boolean
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onDragStart?: (event: DragEvent) => void
}

export function Table<R>(props: TableProps<R>) {
  const { label, rows, columns, keyOf, onSelect, isStale } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table class="table" aria-busy={isStale}>
        <thead>
          <tr>
            {onSelect !== undefined && <SelectAll {...props} />}
            {columns.map((column) => (
              <Head key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {props.firstRows}
          {rows.map((row, at) => (
            <Row key={keyOf(row)} row={row} at={at} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head<R>({ column, sort, onSort }: TableProps<R> & { readonly column: Column<R> }) {
  const { t } = useTexts()
  const { id, head, canSort } = column
  const name = classOf(column)
  if (canSort !== true || onSort === undefined) {
    return (
      <th scope="col" class={name}>
        {head}
      </th>
    )
  }
  const isSorted = sort?.by === id
  const isDown = isSorted && sort.isDown
  return (
    <th
      scope="col"
      class={name}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="table-sort"
        title={isSorted ? (isDown ? t.table.sortDown : t.table.sortUp) : undefined}
        onClick={() => onSort({ by: id, isDown: isSorted && !isDown })}
      >
        {head}
        <Icon name={isSorted ? (isDown ? 'arrowDown' : 'arrowUp') : 'sort'} />
      </button>
    </th>
  )
}

function classOf<R>({ isNumber, isActions, look }: Column<R>): string | undefined {
  if (isActions === true) return 'table-actions'
  return isNumber === true ? ['table-number', look].join(' ').trimEnd() : look
}

function SelectAll<R>({ rows, keyOf, selected = new Set(), onSelect }: TableProps<R>) {
  const { t } = useTexts()
  const count = rows.filter((row) => selected.has(keyOf(row))).length
  const isAll = count > 0 && count === rows.length
  return (
    <th scope="col" class="table-select">
      <input
        type="checkbox"
        aria-label={t.general.selectAll}
        checked={isAll}
        // JSX has no attribute for this property.
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !isAll
        }}
        onChange={() => onSelect?.(new Set(isAll ? [] : rows.map(keyOf)))}
      />
    </th>
  )
}

interface RowProps<R> extends TableProps<R> {
  readonly row: R
  readonly at: number
}

function Row<R>(props: RowProps<R>) {
  const { row, columns, keyOf, selected, onSelect, rowEvents } = props
  return (
    <tr
      aria-selected={onSelect === undefined ? undefined : selected?.has(keyOf(row)) === true}
      {...rowEvents?.(row)}
    >
      {onSelect !== undefined && (
        <td class="table-select">
          <SelectRow {...props} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} class={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** The last clicked checkbox, where a Shift selection starts. */
const ANCHOR = 'anchor'

function SelectRow<R>({
  rows,
  row,
  at,
  keyOf,
  nameOf,
  selected = new Set(),
  onSelect,
}: RowProps<R>) {
  const { t } = useTexts()
  const isShift = useRef(false)
  const id = keyOf(row)

  function toggle(box: HTMLInputElement): void {
    const body = box.closest('tbody')
    const from = isShift.current ? Number(body?.dataset[ANCHOR] ?? at) : at
    const range = rows.slice(Math.min(from, at), Math.max(from, at) + 1).map(keyOf)
    const next = new Set(selected)
    for (const each of range) {
      if (box.checked) next.add(each)
      else next.delete(each)
    }
    if (body !== null) body.dataset[ANCHOR] = String(at)
    onSelect?.(next)
  }

  return (
    <input
      type="checkbox"
      aria-label={fill(t.general.selectRow, { name: nameOf(row) })}
      checked={selected.has(id)}
      onClick={(event) => {
        isShift.current = event.shiftKey
      }}
      onChange={({ currentTarget }) => toggle(currentTarget)}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (step === undefined) return
        event.preventDefault()
        const boxes = event.currentTarget
          .closest('tbody')
          ?.querySelectorAll<HTMLElement>('.table-select input')
        boxes?.[at + step]?.focus()
      }}
    />
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
