// Saves only the changed fields of a form. After a conflict, the record is read again: untouched fields take the new
// values, typed values stay, and clash describes the conflict.
//
//   const edit = useEdit({ held, valuesOf, read, send, onSaved })
//   <Form initial={valuesOf(held.record)} onSubmit={edit.save}><Clash clash={edit.clash} fields={…} />…</Form>

import { useState } from 'preact/hooks'
import { Problem } from '../client/problem.ts'
import { InvalidFields } from './form.tsx'
import type { FormValues } from './use-form.ts'

export interface Held<R> {
  readonly record: R
  readonly etag: string
}

export interface ClashOf<V extends FormValues> {
  readonly before: V
  readonly now: V
}

export interface EditOptions<R, V extends FormValues> {
  readonly held: Held<R>
  readonly valuesOf: (record: R) => V
  readonly read: () => Promise<Held<R>>
  /** Sends the given fields and no others. */
  readonly send: (changed: Partial<V>, etag: string) => Promise<Held<R>>
  /** Called after a save or a reload. */
  readonly onHeld: (held: Held<R>) => void
  readonly onSaved: () => void
}

export function useEdit<R, V extends FormValues>(options: EditOptions<R, V>) {
  const { held, valuesOf, read, send, onHeld, onSaved } = options
  const [clash, setClash] = useState<ClashOf<V>>()

  async function save(values: V): Promise<void> {
    const before = valuesOf(held.record)
    const changed = Object.entries(values).filter(([name, value]) => value !== before[name])
    try {
      onHeld(await send(Object.fromEntries(changed) as Partial<V>, held.etag))
      setClash(undefined)
      onSaved()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precondition-failed') throw error
      const now = await read()
      setClash({ before, now: valuesOf(now.record) })
      onHeld(now)
      throw new InvalidFields({})
    }
  }

  return { save, clash }
}
