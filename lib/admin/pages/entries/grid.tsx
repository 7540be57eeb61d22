// A grid for any number of entries, which renders only visible rows. The grid is our own: tabulator is 67 KB, fails
// axe, and needs inline styles that the content security policy blocks. It consists of positioned rows (scroll.ts),
// keys (grid-keys.ts) and cells. The active cell has the focus (roving tabindex), and its row stays rendered while
// the rest scrolls, so that neither the focus nor typed text is lost.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isNumeric, isSortable } from '../../client/column-kind.ts'
import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Sort } from '../../ui/table.tsx'
import { CellText } from './cell-text.tsx'
import { type EntryField, idOf } from './fields.ts'
import { GridHead } from './grid-head.tsx'
import { type CellPlace, type GridSize, placeByKey, within } from './grid-keys.ts'
import type { RowsState } from './rows.ts'
import { rowHeight, useScroll } from './scroll.ts'

export interface GridProps {
  readonly label: string
  readonly fields: readonly EntryField[]
  readonly widths: readonly number[]
  readonly onWidth: (name: string, width: number) => void
  readonly state: RowsState
  readonly onSight: (first: number, last: number) => void
  readonly sort: Sort | undefined
  readonly onSort: (field: EntryField) => void
  readonly active: CellPlace
  readonly onActive: (place: CellPlace) => void
  readonly selection: GridSelection | undefined
  readonly nameOf: (entry: Entry) => string
  readonly hrefOf: (entry: Entry, row: number) => string
  /** Stands after the first cell. */
  readonly markOf: (entry: Entry) => ComponentChildren
  /** Overrides what a cell shows. */
  readonly cellView: (entry: Entry, field: EntryField) => CellView | undefined
  /** Handles keys other than navigation; returns true if the key was handled. */
  readonly onKey: (event: KeyboardEvent, place: CellPlace) => boolean
  readonly onEdit: (place: CellPlace) => void
  readonly mayEdit: boolean
  /** Must stay the same: a grid of another density has another key. */
  readonly isCompact: boolean
  /** A new value scrolls to the beginning. */
  readonly search: string
}

export interface GridSelection {
  readonly has: (id: number) => boolean
  readonly isAll: boolean
  readonly isSome: boolean
  readonly toggle: (row: number, isRange: boolean) => void
  readonly toggleAll: () => void
}

export interface CellView {
  readonly content: ComponentChildren
  readonly state: 'editing' | 'saving' | 'waiting'
}

const SELECT_PX = 40

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts of one grid share its position
export function Grid(props: GridProps) {
  const { label, fields, widths, state, onActive, selection, mayEdit, search } = props
  const { onSight, onWidth, onSort } = props
  const { count, isCounted, rows } = state
  const rowPx = useRef(rowHeight(props.isCompact)).current
  const scroll = useScroll(count, rowPx)
  const { box, head, first, last, drawn } = scroll
  /** While the grid is in use, the focus follows the active cell. */
  const isFollowed = useRef(false)
  const size: GridSize = {
    rows: count,
    columns: fields.length + 1,
    rowsInSight: scroll.rowsInSight,
  }
  const active = within(props.active, size)

  useEffect(() => onSight(first, Math.max(last, first)), [first, last, search])
  useLayoutEffect(() => {
    const [lead = 0] = widths
    const all = widths.reduce((sum, width) => sum + width, SELECT_PX)
    const values = {
      columns: [SELECT_PX, ...widths].map((width) => `${width}px`).join(' '),
      all: `${all}px`,
      frozen: `${SELECT_PX + lead}px`,
      row: `${rowPx}px`,
    }
    for (const [name, value] of Object.entries(values))
      box.current?.style.setProperty(`--${name}`, value)
  }, [widths.join()])
  useEffect(() => scroll.toTop(), [search])
  // The list may have become shorter.
  useLayoutEffect(() => scroll.follow(), [count])
  useLayoutEffect(() => {
    if (!isFollowed.current) return
    const cell = box.current?.querySelector<HTMLElement>('[role] > [tabindex="0"]')
    const focused = document.activeElement
    if (cell === null || cell === undefined || cell.contains(focused)) return
    // Does not take the focus from a cell editor.
    if (focused?.closest('.cell-editor')) return
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  function goTo(place: CellPlace): void {
    isFollowed.current = true
    const next = within(place, size)
    if (next.row >= 0) scroll.reveal(next.row)
    onActive(next)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    isFollowed.current = true
    if (active.row === -1 && headKey(event)) return event.preventDefault()
    const next = event.altKey || event.shiftKey ? undefined : placeByKey(event, active, size)
    if (next !== undefined) {
      event.preventDefault()
      return goTo(next)
    }
    if (props.onKey(event, active)) event.preventDefault()
  }

  function headKey({ key, altKey }: KeyboardEvent): boolean {
    const field = fields[active.column - 1]
    const width = widths[active.column - 1]
    if (key === ' ' && active.column === 0) selection?.toggleAll()
    else if (field === undefined || width === undefined) return false
    else if (altKey && key === 'ArrowRight') onWidth(field.name, width + 16)
    else if (altKey && key === 'ArrowLeft') onWidth(field.name, width - 16)
    else if ((key === 'Enter' || key === ' ') && isSortable(field)) onSort(field)
    else return false
    return true
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its cells has the focus
    <div
      ref={box}
      class={state.isReady ? 'entry-grid' : 'entry-grid entry-waiting'}
      role="grid"
      aria-label={label}
      aria-rowcount={isCounted ? count + 1 : -1}
      aria-colcount={fields.length + 1}
      aria-multiselectable={selection !== undefined}
      aria-readonly={!mayEdit}
      aria-busy={state.isLoading}
      onScroll={scroll.follow}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        const isOutside =
          relatedTarget instanceof Node && box.current?.contains(relatedTarget) !== true
        if (isOutside) isFollowed.current = false
      }}
    >
      <div ref={head} class="entry-head-group" role="rowgroup">
        <GridHead
          {...props}
          active={active}
          isAllSelected={selection?.isAll === true}
          isSomeSelected={selection?.isSome === true}
          onSelectAll={() => selection?.toggleAll()}
          canSelect={selection !== undefined}
          onActive={(column) => goTo({ row: -1, column })}
        />
      </div>
      <Body height={scroll.height}>
        {linesOf(drawn, active.row, count).map((row) => (
          <Row
            key={row}
            {...props}
            active={active}
            row={row}
            entry={rows.get(row)}
            top={scroll.topOf(row)}
            onCell={(column) => goTo({ row, column })}
          />
        ))}
      </Body>
    </div>
  )
}

interface BodyProps {
  readonly height: number
  readonly children: ComponentChildren
}

function Body({ height, children }: BodyProps) {
  return (
    <div class="entry-body" role="rowgroup" style={{ height: `${height}px` }}>
      {children}
    </div>
  )
}

/** The visible rows and the row with the focus, in order. */
function linesOf([from, to]: readonly [number, number], active: number, count: number) {
  const lines = Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at)
  if (active < 0 || active >= count || (active >= from && active <= to)) return lines
  return active < from ? [active, ...lines] : [...lines, active]
}

interface RowProps extends GridProps {
  readonly row: number
  readonly entry: Entry | undefined
  readonly top: number
  readonly onCell: (column: number) => void
}

function Row(props: RowProps) {
  const { row, entry, top, fields, selection, active, nameOf, onCell } = props
  const { t } = useTexts()
  const isSelected = entry !== undefined && selection?.has(idOf(entry)) === true
  const isFirst = active.row === row && active.column === 0
  return (
    <div
      class="entry-row"
      role="row"
      aria-rowindex={row + 2}
      aria-selected={selection === undefined ? undefined : isSelected}
      style={{ top: `${top}px` }}
    >
      <div
        class="entry-cell entry-select"
        role="gridcell"
        aria-colindex={1}
        tabIndex={isFirst ? 0 : -1}
        onMouseDown={() => onCell(0)}
      >
        {entry !== undefined && selection !== undefined && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={fill(t.general.selectRow, { name: nameOf(entry) })}
            checked={isSelected}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => selection.toggle(row, event.shiftKey)}
          />
        )}
      </div>
      {fields.map((field, at) => (
        <Cell key={field.name} {...props} field={field} column={at + 1} />
      ))}
    </div>
  )
}

interface CellProps extends RowProps {
  readonly field: EntryField
  readonly column: number
}

function Cell(props: CellProps) {
  const { row, entry, field, column, active, nameOf, hrefOf, cellView, onCell, onEdit } = props
  const { t } = useTexts()
  const isActive = active.row === row && active.column === column
  const view = entry && cellView(entry, field)
  const isLead = column === 1
  return (
    <div
      class={classOf(field, view, isLead)}
      role="gridcell"
      aria-colindex={column + 1}
      tabIndex={isActive ? 0 : -1}
      onMouseDown={() => onCell(column)}
      onDblClick={() => onEdit({ row, column })}
    >
      {entry === undefined ? (
        <span class="entry-awaited" />
      ) : (
        (view?.content ?? <CellText field={field} value={entry[field.name]} entry={entry} />)
      )}
      {isLead && view === undefined && entry !== undefined && props.markOf(entry)}
      {isLead && entry !== undefined && view?.state !== 'editing' && (
        <a
          class="entry-open"
          href={hrefOf(entry, row)}
          aria-label={fill(t.entries.open, { name: nameOf(entry) })}
          title={fill(t.entries.open, { name: nameOf(entry) })}
          // The keyboard uses Shift-Enter; otherwise Tab would stop in every row.
          tabIndex={-1}
        >
          <Icon name="edit" />
        </a>
      )}
    </div>
  )
}

function classOf(field: EntryField, view: CellView | undefined, isLead: boolean): string {
  const classes = ['entry-cell']
  if (isNumeric(field)) classes.push('entry-number')
  if (isLead) classes.push('entry-lead')
  if (view !== undefined) classes.push(`entry-${view.state}`)
  return classes.join(' ')
}
