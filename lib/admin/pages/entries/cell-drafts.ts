// What somebody has typed into cells of a grid and the server does not have yet. It is kept in the tab, as a form is,
// so a reload or a server that is gone takes nothing away.

import type { EntryValue } from '../../client/module-paths.ts'
import type { KeptForm } from '../../ui/kept-form.ts'

export interface Draft {
  /** Of the entry. */
  readonly id: number
  /** Of the column. */
  readonly name: string
  readonly text: string
  /** What stood there when it was begun: another value by now is that of somebody else. */
  readonly seen: EntryValue
  readonly state: 'open' | 'saving' | 'waiting'
  /** Why it could not be saved. */
  readonly fault?: string | undefined
  /** What somebody else has written meanwhile. */
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
  const [text, seen] = parse(String(value))
  if (id === '' || typeof text !== 'string') return undefined
  return { id: Number(id), name, text, seen: isValue(seen) ? seen : null, state: 'waiting' }
}

export function writeDrafts(kept: KeptForm, drafts: Drafts): void {
  if (drafts.size === 0) return kept.forget()
  const values = [...drafts].map(([key, { text, seen }]) => [key, JSON.stringify([text, seen])])
  kept.write(Object.fromEntries(values) as Record<string, string>)
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function isValue(value: unknown): value is EntryValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
