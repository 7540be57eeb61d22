// Fits columns to their headings and first rows, once, so that widths do not change while the user scrolls. A width that the
// user sets comes first.

import { useRef } from 'preact/hooks'
import type { Entry } from '../../client/module-paths.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { readable } from './cell-text.tsx'
import { type EntryField, isReference, useFieldName } from './fields.ts'
import { leadWidth, LEAST_WIDTH, type Layout, usualWidth } from './grid-columns.ts'
import { filesIn, titlesIn } from './reference-titles.ts'
import type { RowsState } from './rows.ts'

const FIRST_ROWS = 40
/** Characters that are measured in a cell. */
const MOST_TEXT = 60
const MOST_FIT = 340
/** The paddings of a cell, and the sort arrow of a heading. */
const CELL_PX = 26
const HEAD_PX = 48
/** A thumbnail before the name of its file. */
const FILE_PX = 36
/** The link in the first column. */
const LEAD_PX = 24

interface FitOptions {
  readonly fields: readonly EntryField[]
  readonly layout: Layout
  readonly state: RowsState
}

/** The widths of the fields in pixels. */
export function useWidths({ fields, layout, state }: FitOptions): readonly number[] {
  const speech = useTexts()
  const nameOf = useFieldName()
  const fitted = useRef(new Map<string, number>())
  const rows = [...state.rows.values()].slice(0, FIRST_ROWS)

  function fit(field: EntryField, at: number): number | undefined {
    const known = fitted.current.get(field.name)
    if (known !== undefined) return known
    const isKnown = rows.some((row) => row[field.name] !== undefined)
    if (!isKnown) return undefined
    // The titles of references are known later, and a later width would shift the columns.
    if (isReference(field) && field.target === undefined) {
      fitted.current.set(field.name, usualWidth(field))
      return undefined
    }
    const texts = rows.map((row) => shownText(row, field, speech))
    const pictures = Math.max(
      ...rows.map((row) => filesIn(row, field, row[field.name] ?? null).length),
    )
    const extra = CELL_PX + (at === 0 ? LEAD_PX : 0) + Math.min(pictures, 1) * FILE_PX
    const widest = Math.max(...texts.map(textWidth)) + extra
    const width = Math.ceil(Math.max(widest, textWidth(nameOf(field)) + HEAD_PX, LEAST_WIDTH))
    const next = Math.min(width, MOST_FIT)
    fitted.current.set(field.name, next)
    return next
  }

  return fields.map((field, at) => {
    const width = layout.widths[field.name] ?? fit(field, at) ?? usualWidth(field)
    return at === 0 ? leadWidth(width) : width
  })
}

function shownText(row: Entry, field: EntryField, speech: Speech): string {
  const value = row[field.name] ?? null
  if (value === null) return ''
  const text = isReference(field)
    ? titlesIn(row, field, value).join(', ')
    : readable(field, value, speech)
  return text.slice(0, MOST_TEXT)
}

function textWidth(text: string): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return 0
  context.font = getComputedStyle(document.body).font
  return context.measureText(text).width
}
