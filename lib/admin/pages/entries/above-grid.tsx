// The bar above the grid: search, conditions, and visible columns.

import { useState } from 'preact/hooks'
import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SavedViews } from '../content/saved-views.tsx'
import { SearchField } from '../content/search-field.tsx'
import { conditionsOf } from './conditions.ts'
import { addressOf, type EntryView, isBadQuery, viewOf } from './entry-view.ts'
import { type EntryField, useFieldName } from './fields.ts'
import { FilterPanel } from './filter-panel.tsx'
import {
  isShown,
  LEAST_WIDTH,
  MOST_WIDTH,
  type useDensity,
  type useLayout,
} from './grid-columns.ts'

interface AboveGridProps {
  readonly tableId: number
  readonly view: EntryView
  readonly onView: (view: EntryView) => void
  readonly fields: readonly EntryField[]
  /** Includes the titles of referenced records. */
  readonly searched: readonly EntryField[]
  readonly columns: ReturnType<typeof useLayout>
  readonly density: ReturnType<typeof useDensity>
  readonly widthOf: (field: EntryField) => number
  /** The loaded entries, whose values filters offer. */
  readonly rows: ReadonlyMap<number, Entry>
  /** Error of the current search. */
  readonly error: unknown
}

export function AboveGrid(props: AboveGridProps) {
  const { tableId, view, onView, searched, rows, error } = props
  const { t, formats } = useTexts()
  const [isFilterOpen, setIsFilterOpen] = useState(view.qry !== '')
  const [isColumnsOpen, setIsColumnsOpen] = useState(false)
  const count = view.qry === '' ? 0 : (conditionsOf(view.qry, searched)?.length ?? 1)
  const button =
    count === 0
      ? t.entries.filter.button
      : fill(t.entries.filter.buttonCount, { count: formats.number(count) })
  return (
    <>
      <search class="entries-tools">
        <SearchField
          label={t.entries.search}
          hint={t.entries.searchHint}
          value={view.text}
          onChange={(text) => onView({ ...view, text })}
        />
        <Button
          icon="list"
          isExpanded={isFilterOpen}
          isPressed={count > 0}
          onPress={() => setIsFilterOpen(!isFilterOpen)}
        >
          {button}
        </Button>
        {count > 0 && (
          <Button kind="quiet" icon="close" onPress={() => onView({ ...view, qry: '' })}>
            {t.entries.filter.clear}
          </Button>
        )}
        <SavedViews
          page={`data/${tableId}`}
          query={addressOf(view).slice(1)}
          onOpen={(query) => onView(viewOf(query))}
        />
        <Button icon="table" onPress={() => setIsColumnsOpen(true)}>
          {t.entries.columns}
        </Button>
      </search>
      {isFilterOpen && (
        <FilterPanel
          qry={view.qry}
          fields={searched}
          rows={rows}
          error={isBadQuery(error) ? error : undefined}
          onChange={(qry) => onView({ ...view, qry })}
        />
      )}
      {isColumnsOpen && <ColumnsDialog {...props} onClose={() => setIsColumnsOpen(false)} />}
    </>
  )
}

interface ColumnsDialogProps
  extends Pick<AboveGridProps, 'fields' | 'columns' | 'density' | 'widthOf'> {
  readonly onClose: () => void
}

const STEP = 20

/** Chooses the visible columns and their widths. */
function ColumnsDialog(props: ColumnsDialogProps) {
  const { fields, columns, density, widthOf, onClose } = props
  const { t } = useTexts()
  const nameOf = useFieldName()
  const { layout, setWidth, setShown, reset } = columns
  return (
    <Dialog title={t.entries.columns} onClose={onClose}>
      <p class="quiet">{t.entries.columnsText}</p>
      <ul class="entries-columns">
        {fields.map((field, at) => (
          <li key={field.name}>
            {at === 0 ? (
              <strong>
                <bdi>{nameOf(field)}</bdi>
              </strong>
            ) : (
              <Checkbox
                name={field.name}
                label={nameOf(field)}
                value={isShown(layout, field)}
                onChange={(shows) => setShown(field.name, shows)}
              />
            )}
            <input
              type="number"
              class="input"
              min={LEAST_WIDTH}
              max={MOST_WIDTH}
              step={STEP}
              aria-label={fill(t.entries.width, { column: nameOf(field) })}
              value={widthOf(field)}
              onChange={({ currentTarget }) =>
                setWidth(field.name, currentTarget.valueAsNumber || 0)
              }
            />
          </li>
        ))}
      </ul>
      <Checkbox
        name=":compact"
        label={t.entries.compact}
        hint={t.entries.compactHint}
        value={density.isCompact}
        onChange={density.setIsCompact}
      />
      <div class="dialog-actions">
        <Button kind="quiet" onPress={reset}>
          {t.entries.resetColumns}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {t.general.close}
        </Button>
      </div>
    </Dialog>
  )
}
