// Unsaved cell values of a grid, stored in the tab so that they survive a reload or a server outage.

import type { EntryValue } from '../../client/module-paths.ts'
import { parseJson } from '../../client/stored.ts'
import type { KeptForm } from '../../ui/kept-form.ts'

export interface Draft {
  /** Identifier of the entry. */
  readonly id: number
  /** Name of the column. */
  readonly name: string
  readonly text: string
  /** The value when editing began. A different stored value now comes from somebody else. */
  readonly seen: EntryValue
  readonly state: 'open' | 'saving' | 'waiting'
  /** Why saving failed. */
  readonly fault?: string | undefined
  /** The value that somebody else saved. */
  readonly theirs?: EntryValue
}

export type Drafts = ReadonlyMap<string, Draft>

export function draftKey(id: number, name: string): string {
  return `${id}/${name}`
}

export function readDrafts(kept: KeptForm): Drafts {
  const found = Object.entries(kept.read() ?? {}).flatMap(([key, value]) => {
    const draft = draftOf(key, value)
    return draft === undefined ? [] : [[key, draft] as const]
  })
  return new Map(found)
}

function draftOf(key: string, value: string | boolean): Draft | undefined {
  const [, id = '', name = ''] = /^(\d+)\/(.+)$/s.exec(key) ?? []
  const stored = parseJson(String(value))
  const [text, seen] = Array.isArray(stored) ? (stored as readonly unknown[]) : []
  if (id === '' || typeof text !== 'string') return undefined
  return { id: Number(id), name, text, seen: isValue(seen) ? seen : null, state: 'waiting' }
}

export function writeDrafts(kept: KeptForm, drafts: Drafts): void {
  if (drafts.size === 0) return kept.forget()
  const values = [...drafts].map(([key, { text, seen }]) => [key, JSON.stringify([text, seen])])
  kept.write(Object.fromEntries(values) as Record<string, string>)
}

function isValue(value: unknown): value is EntryValue {
  return ['string', 'number', 'boolean', 'object'].includes(typeof value)
}
