// Saves only the changed fields of a form. After a conflict, the record is read again: untouched fields take the new
// values, typed values stay, and clash describes the conflict.
//
//   const edit = useEdit({ fetched, valuesOf, read, send, onSaved })
//   <Form initial={valuesOf(fetched.record)} onSubmit={edit.save}><Clash clash={edit.clash} fields={…} />…</Form>

import { useState } from 'preact/hooks'
import { Problem } from '../client/problem.ts'
import { InvalidFields } from './form.tsx'
import type { FormValues } from './use-form.ts'

/** A record as the server last returned it, and its ETag for the next change. */
export interface Fetched<R> {
  readonly record: R
  readonly etag: string
}

export interface ClashOf<V extends FormValues> {
  readonly before: V
  readonly now: V
}

export interface EditOptions<R, V extends FormValues> {
  readonly fetched: Fetched<R>
  readonly valuesOf: (record: R) => V
  readonly read: () => Promise<Fetched<R>>
  /** Sends the given fields and no others. */
  readonly send: (changed: Partial<V>, etag: string) => Promise<Fetched<R>>
  /** Called after a save or a reload. */
  readonly onFetched: (fetched: Fetched<R>) => void
  readonly onSaved: () => void
}

export function useEdit<R, V extends FormValues>(options: EditOptions<R, V>) {
  const { fetched, valuesOf, read, send, onFetched, onSaved } = options
  const [clash, setClash] = useState<ClashOf<V>>()

  async function save(values: V): Promise<void> {
    const before = valuesOf(fetched.record)
    const changed = Object.entries(values).filter(([name, value]) => value !== before[name])
    try {
      onFetched(await send(Object.fromEntries(changed) as Partial<V>, fetched.etag))
      setClash(undefined)
      onSaved()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precondition-failed') throw error
      const now = await read()
      setClash({ before, now: valuesOf(now.record) })
      onFetched(now)
      throw new InvalidFields({})
    }
  }

  return { save, clash }
}
