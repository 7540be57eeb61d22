// Column widths and visibility of one datatable and the density of rows, stored in this browser.

import { useState } from 'preact/hooks'
import { isNumeric } from '../../client/column-kind.ts'
import { isObject, parseJson, readStored, writeStored } from '../../client/stored.ts'
import type { EntryField } from './fields.ts'

export interface Layout {
  /** Pixels by field name. */
  readonly widths: Readonly<Record<string, number>>
  /** The user's choice; other columns have a default visibility. */
  readonly shown: Readonly<Record<string, boolean>>
}

const USUAL: Layout = { widths: {}, shown: {} }

export const LEAST_WIDTH = 64
export const MOST_WIDTH = 960

/** Long texts are hidden by default, because each page would load them to show one line. */
const HIDDEN: ReadonlySet<string> = new Set(['datatable_entry_id', 'date_added', 'owner'])

export function isShown({ shown }: Layout, { name, kind }: EntryField): boolean {
  return shown[name] ?? (kind !== 'long' && kind !== 'json' && !HIDDEN.has(name))
}

/** On narrow screens, the fixed first column is narrower. */
const NARROW = '(max-width: 48rem)'
const MOST_LEAD = 168

export function leadWidth(width: number): number {
  return matchMedia(NARROW).matches ? Math.min(width, MOST_LEAD) : width
}

/** The width before the first rows are known (column-fit.ts). */
export function usualWidth({ kind, column }: EntryField): number {
  if (kind === 'long' || kind === 'json') return 260
  if (kind === 'time') return 172
  if (kind === 'date') return 120
  if (kind === 'boolean') return 92
  if (column?.type === 'I8') return 176
  if (isNumeric({ kind })) return 116
  return (column?.size ?? 40) > 60 ? 220 : 152
}

/** All datatables share the density. */
const DENSITY = 'cms.entries.density'
const COMPACT = 'compact'

export function useDensity() {
  const [isCompact, setIsCompact] = useState(() => readStored(DENSITY) === COMPACT)
  return {
    isCompact,
    setIsCompact(next: boolean) {
      setIsCompact(next)
      writeStored(DENSITY, next ? COMPACT : '')
    },
  }
}

export function useLayout(tableId: number) {
  const key = `cms.entries.${tableId}`
  const [layout, setLayout] = useState<Layout>(() => stored(key))
  function change(next: Layout): void {
    setLayout(next)
    writeStored(key, JSON.stringify(next))
  }
  return {
    layout,
    setWidth(name: string, width: number) {
      const within = Math.round(Math.min(Math.max(width, LEAST_WIDTH), MOST_WIDTH))
      change({ ...layout, widths: { ...layout.widths, [name]: within } })
    },
    setShown(name: string, shows: boolean) {
      change({ ...layout, shown: { ...layout.shown, [name]: shows } })
    },
    reset: () => change(USUAL),
  }
}

function stored(key: string): Layout {
  const value = parseJson(readStored(key))
  if (!isObject(value)) return USUAL
  return {
    widths: entriesOf(value['widths'], (item): item is number => typeof item === 'number'),
    shown: entriesOf(value['shown'], (item): item is boolean => typeof item === 'boolean'),
  }
}

function entriesOf<T>(value: unknown, isRight: (item: unknown) => item is T): Record<string, T> {
  const all: readonly (readonly [string, unknown])[] = Object.entries(value ?? {})
  const found: Record<string, T> = {}
  for (const [name, item] of all) if (isRight(item)) found[name] = item
  return found
}
