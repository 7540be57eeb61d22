// The head of the grid. A click sorts, and dragging the edge resizes; on the keyboard, Enter sorts and Alt with arrow
// keys resizes.

import { isNumeric, isSortable } from '../../client/column-kind.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Sort } from '../../ui/table.tsx'
import { type EntryField, useFieldName } from './fields.ts'
import type { CellPlace } from './grid-keys.ts'

export interface HeadProps {
  readonly fields: readonly EntryField[]
  readonly active: CellPlace
  readonly sort: Sort | undefined
  readonly onSort: (field: EntryField) => void
  readonly onWidth: (name: string, width: number) => void
  readonly onActive: (column: number) => void
  readonly isAllSelected: boolean
  readonly isSomeSelected: boolean
  readonly onSelectAll: () => void
  readonly canSelect: boolean
}

export function GridHead(props: HeadProps) {
  const { fields, active, onActive, isAllSelected, isSomeSelected, onSelectAll, canSelect } = props
  const { t } = useTexts()
  const isActive = active.row === -1 && active.column === 0
  return (
    <div class="entry-row entry-head" role="row" aria-rowindex={1}>
      <div
        class="entry-cell entry-select"
        role="columnheader"
        aria-colindex={1}
        data-column={0}
        tabIndex={isActive ? 0 : -1}
        aria-label={t.entries.select}
        onMouseDown={() => onActive(0)}
      >
        {canSelect && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t.entries.selectAll}
            checked={isAllSelected}
            // JSX has no attribute for this property.
            ref={(box) => {
              if (box !== null) box.indeterminate = isSomeSelected && !isAllSelected
            }}
            onChange={onSelectAll}
          />
        )}
      </div>
      {fields.map((field, at) => (
        <Heading key={field.name} {...props} field={field} column={at + 1} />
      ))}
    </div>
  )
}

interface HeadingProps extends HeadProps {
  readonly field: EntryField
  readonly column: number
}

function Heading({ field, column, active, sort, onSort, onWidth, onActive }: HeadingProps) {
  const { t } = useTexts()
  const name = useFieldName()(field)
  const isSorted = sort?.by === field.name
  const isDown = isSorted && sort.isDown
  const canSort = isSortable(field)
  const said = fill(isDown ? t.entries.sortedDown : t.entries.sortedUp, { column: name })
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys
    <div
      class={isNumeric(field) ? 'entry-cell entry-number' : 'entry-cell'}
      role="columnheader"
      aria-colindex={column + 1}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : canSort ? 'none' : undefined}
      data-column={column}
      tabIndex={active.row === -1 && active.column === column ? 0 : -1}
      title={isSorted ? `${field.name}: ${said}` : field.name}
      onMouseDown={() => onActive(column)}
      onClick={() => {
        if (canSort) onSort(field)
      }}
    >
      <bdi>{name}</bdi>
      {canSort && <Icon name={isSorted ? (isDown ? 'arrowDown' : 'arrowUp') : 'sort'} />}
      <Edge name={field.name} onWidth={onWidth} />
    </div>
  )
}

/** For the mouse; the keyboard has Alt with arrow keys and the columns dialog. */
function Edge({ name, onWidth }: { readonly name: string } & Pick<HeadProps, 'onWidth'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <span
      class="entry-edge"
      aria-hidden="true"
      onClick={(event) => event.stopPropagation()}
      onMouseDown={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return
        const box = currentTarget.parentElement?.getBoundingClientRect()
        if (box !== undefined) onWidth(name, clientX - box.left)
      }}
    />
  )
}
