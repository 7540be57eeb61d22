// A schema draft that is stored in the tab until it is sent or discarded. It survives a reload and a sign-out.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useMe } from '../../client/client-context.ts'
import { openKeptForm } from '../../ui/kept-form.ts'
import { readSchema } from './schema-columns.ts'
import {
  draftOf,
  followText,
  namesOf,
  possible,
  type Renames,
  type SchemaDraft,
  takeIn,
} from './schema-draft.ts'

export interface SchemaState {
  readonly draft: SchemaDraft
  /** The last text without errors, which the list shows. */
  readonly good: string
  /** Columns of the existing table; empty for a new one. */
  readonly original: ReadonlySet<string>
  readonly change: (text: string) => void
  readonly setRenames: (renames: Renames) => void
}

export interface KeptSchema extends SchemaState {
  readonly isDirty: boolean
  readonly wasKept: boolean
  /** The table when the draft began, if somebody else has changed it since. */
  readonly before: string | undefined
  readonly discard: () => void
  readonly takeIn: () => void
  readonly keepMine: () => void
  /** Records the saved schema of the table. */
  readonly saved: (text: string) => void
}

interface State {
  readonly draft: SchemaDraft
  readonly good: string
  /** Schema of the table when the draft began. */
  readonly began: string
}

export interface DraftOptions {
  /** Storage key. */
  readonly name: string
  /** Current schema of the table; '' for a new one. */
  readonly base: string
  /** Initial text, if different from the schema of the table. */
  readonly initial?: string
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts share the state of one schema
export function useSchemaDraft({ name, base, initial = base }: DraftOptions): KeptSchema {
  const userId = useMe()?.user.user_id
  const kept = useMemo(() => openKeptForm(name, userId), [name, userId])
  const found = useMemo(() => readKept(kept.read()), [kept])
  const [state, setState] = useState<State>(() => found ?? stateOf(initial, base))
  const [wasKept, setWasKept] = useState(found !== undefined)
  /** Keystrokes can arrive faster than renders. */
  const latest = useRef(state)
  const original = useMemo(() => new Set(namesOf(base)), [base])

  function set(next: State): void {
    latest.current = next
    setState(next)
    if (isDraftOf(next.draft, initial)) kept.forget()
    else kept.write(valuesOf(next))
  }

  function follow(text: string): void {
    const { draft, good, began } = latest.current
    const next = followText({ good, draft: { ...draft, text }, original })
    set({ draft: next, good: goodOf(text, good), began })
  }

  function reset(text: string, began: string): void {
    set(stateOf(text, began))
    kept.forget()
    setWasKept(false)
  }

  // An unchanged text is not stored.
  useEffect(() => {
    if (state.began !== base && isDraftOf(state.draft, state.began)) reset(base, base)
  }, [base])

  return {
    draft: state.draft,
    good: state.good,
    original,
    isDirty: !isDraftOf(state.draft, initial),
    wasKept,
    before: state.began === base ? undefined : state.began,
    change: follow,
    setRenames: (renames) => {
      const names = namesOf(latest.current.good)
      const next = possible(renames, { names, original })
      set({ ...latest.current, draft: { ...latest.current.draft, renames: next } })
    },
    discard: () => reset(initial, base),
    takeIn() {
      const draft = takeIn({ before: state.began, now: base, draft: state.draft })
      set({ draft, good: goodOf(draft.text, state.good), began: base })
    },
    keepMine() {
      const { text, renames } = state.draft
      const known = possible(renames, { names: namesOf(text), original })
      set({ ...state, draft: { text, renames: known }, began: base })
    },
    saved: (text) => reset(text, text),
  }
}

function stateOf(text: string, began: string): State {
  const draft = draftOf(text)
  return { draft, good: draft.text, began }
}

function goodOf(text: string, before: string): string {
  return readSchema(text).faults.length === 0 ? text : before
}

function isDraftOf({ text, renames }: SchemaDraft, base: string): boolean {
  return text === draftOf(base).text && Object.keys(renames).length === 0
}

function valuesOf({ draft, good, began }: State) {
  return { text: draft.text, renames: JSON.stringify(draft.renames), good, began }
}

function readKept(values: Readonly<Record<string, unknown>> | undefined): State | undefined {
  const { text, renames, good, began } = values ?? {}
  if (typeof text !== 'string' || typeof good !== 'string' || typeof began !== 'string')
    return undefined
  const known = typeof renames === 'string' ? (JSON.parse(renames) as Renames) : {}
  return { draft: { text, renames: known }, good, began }
}
