// The bar above the grid: search, conditions, and visible columns.

import { useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../content/search-field.tsx'
import { ColumnsDialog } from './columns-dialog.tsx'
import { conditionsOf } from './conditions.ts'
import { type EntryView, isBadQuery } from './entry-view.ts'
import type { EntryField } from './fields.ts'
import { FilterPanel } from './filter-panel.tsx'
import type { useLayout } from './grid-columns.ts'

export interface AboveGridProps {
  readonly view: EntryView
  readonly onView: (view: EntryView) => void
  readonly fields: readonly EntryField[]
  readonly columns: ReturnType<typeof useLayout>
  /** Error of the current search. */
  readonly error: unknown
}

export function AboveGrid({ view, onView, fields, columns, error }: AboveGridProps) {
  const { t, formats } = useTexts()
  const [isFilterOpen, setIsFilterOpen] = useState(view.qry !== '')
  const [isColumnsOpen, setIsColumnsOpen] = useState(false)
  const count = view.qry === '' ? 0 : (conditionsOf(view.qry, fields)?.length ?? 1)
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
        <Button icon="table" onPress={() => setIsColumnsOpen(true)}>
          {t.entries.columns}
        </Button>
      </search>
      {isFilterOpen && (
        <FilterPanel
          qry={view.qry}
          fields={fields}
          error={isBadQuery(error) ? error : undefined}
          onChange={(qry) => onView({ ...view, qry })}
        />
      )}
      {isColumnsOpen && (
        <ColumnsDialog fields={fields} columns={columns} onClose={() => setIsColumnsOpen(false)} />
      )}
    </>
  )
}
