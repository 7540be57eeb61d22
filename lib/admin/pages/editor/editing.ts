// The state of an edited text. Every change becomes a draft, and a save becomes a version. If somebody else saved
// first, both texts are merged, or the user resolves the conflicts. A save without a response is repeated with its
// Idempotency-Key when the server is back, so that it happens once.

import { type Cell, openCell } from '../../client/cell.ts'
import { NoConnection, Problem } from '../../client/problem.ts'
import type { FileRecord } from '../content/records.ts'
import type { Draft, Drafts, Kept } from './drafts.ts'
import type { Base, Latest, SendVersion, Want } from './file-text.ts'
import { mergeTexts } from './merge-texts.ts'

export interface EditingState {
  readonly record: FileRecord
  /** The version that the text is based on. */
  readonly base: Base
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Waiting for the server to come back. */
  readonly isWaiting: boolean
  /** 'never' means that unsaved text is lost with the page. */
  readonly kept: Kept
  /** The stored draft, until the user continues or discards it. */
  readonly found: Draft | undefined
  readonly conflict: Conflict | undefined
  /** Error of the last save. */
  readonly error: unknown
}

export interface Conflict {
  readonly want: Want
  readonly now: Latest
  readonly mine: string
  readonly theirs: string
}

export type Outcome = 'saved' | 'merged' | 'merged-unsaved' | 'unchanged' | 'clash' | 'failed'

export interface Editing {
  readonly state: Cell<EditingState>
  readonly text: () => string
  readonly type: (text: string) => void
  readonly save: (want: Want) => Promise<Outcome>
  /** Saves with the resolved conflicts. */
  readonly settle: (text: string) => Promise<Outcome>
  /** Stores a partial resolution. */
  readonly decide: (text: string) => void
  readonly leaveConflict: () => void
  readonly keepFound: () => void
  readonly setKept: (kept: Kept) => void
  /** Discards the draft, and returns it for undo. */
  readonly discard: () => Promise<string>
}

export interface EditingOptions {
  readonly latest: Latest
  readonly draft: Draft | undefined
  /** Base of the draft, if it is older than the latest version. */
  readonly draftBase: Base | undefined
  readonly drafts: Drafts
  readonly send: SendVersion
  readonly readLatest: () => Promise<Latest>
  readonly untilBack: () => Promise<unknown>
  /** Replaces the shown text. */
  readonly show: (text: string) => void
}

/** Limits the retries while others keep saving. */
const MOST_ROUNDS = 5

// oxlint-disable-next-line eslint/max-lines-per-function -- these functions share the text and its state
export function openEditing(options: EditingOptions): Editing {
  const { latest, draft, drafts, send, readLatest, untilBack } = options
  let text = draft?.text ?? latest.base.text
  const base = (draft === undefined ? undefined : options.draftBase) ?? latest.base
  const state = openCell<EditingState>({
    record: latest.record,
    base,
    isDirty: text !== base.text,
    isSaving: false,
    isWaiting: false,
    kept: 'kept',
    found: draft,
    conflict: undefined,
    error: undefined,
  })
  const change = (next: Partial<EditingState>): void => state.set({ ...state.get(), ...next })

  function keep(kept = text): void {
    const { version, etag, text: before } = state.get().base
    const isDirty = kept !== before
    if (isDirty) drafts.write({ text: kept, version, etag, keptMs: Date.now() })
    else drafts.forget()
    if (isDirty !== state.get().isDirty) change({ isDirty })
  }

  /** Makes this version the base of the text. */
  function begin({ record, base: next }: Latest): void {
    change({ record, base: next, isDirty: text !== next.text })
    keep()
  }

  function show(next: string): void {
    text = next
    options.show(next)
  }

  /** Repeats the request with the same key until a response arrives. */
  async function sendOnce(want: Want): Promise<void> {
    const sent = text
    const request = send.prepare({ base: state.get().base, text: sent, want })
    for (;;) {
      try {
        begin(await request())
        return
      } catch (error) {
        if (!(error instanceof NoConnection)) throw error
        change({ isWaiting: true })
        await untilBack()
        change({ isWaiting: false })
      }
    }
  }

  async function run(want: Want): Promise<Outcome> {
    let outcome: Outcome = 'saved'
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      try {
        await sendOnce(want)
        return outcome
      } catch (error) {
        if (!isClash(error) || round === MOST_ROUNDS - 1) throw error
      }
      const met = await meet(want)
      if (met !== 'again') return met
      outcome = 'merged'
    }
    return outcome
  }

  /** Somebody else saved first: merges their text with this one. */
  async function meet(want: Want): Promise<Outcome | 'again'> {
    const now = await readLatest()
    const { base: held } = state.get()
    if (now.base.text === held.text) {
      begin(now)
      return 'again'
    }
    const { mine, theirs, hasConflict } = mergeTexts({
      base: held.text,
      mine: text,
      theirs: now.base.text,
    })
    if (hasConflict) {
      change({ conflict: { want, now, mine, theirs } })
      return 'clash'
    }
    if (mine !== text) show(mine)
    begin(now)
    // A merged text is not published before the user has seen it.
    if (want !== 'save') return 'merged-unsaved'
    return text === now.base.text ? 'merged' : 'again'
  }

  async function guarded(work: () => Promise<Outcome>): Promise<Outcome> {
    if (state.get().isSaving) return 'failed'
    change({ isSaving: true, error: undefined, found: undefined })
    try {
      return await work()
    } catch (error) {
      change({ error })
      return 'failed'
    } finally {
      change({ isSaving: false, isWaiting: false })
    }
  }

  return {
    state,
    text: () => text,
    type(next) {
      text = next
      keep()
      if (state.get().error !== undefined) change({ error: undefined })
    },
    async save(want) {
      const { isDirty, conflict } = state.get()
      if (conflict !== undefined) return 'clash'
      if (want === 'save' && !isDirty) return 'unchanged'
      return guarded(() => run(want))
    },
    settle(decided) {
      const { conflict } = state.get()
      if (conflict === undefined) return Promise.resolve('unchanged')
      show(decided)
      begin(conflict.now)
      change({ conflict: undefined })
      return guarded(() => run(conflict.want))
    },
    decide: keep,
    leaveConflict() {
      change({ conflict: undefined })
      keep()
    },
    keepFound: () => change({ found: undefined }),
    setKept(kept) {
      if (kept !== state.get().kept) change({ kept })
    },
    async discard() {
      const typed = text
      const now = state.get().base.version === latest.record.version ? latest : await readLatest()
      const { base: held } = state.get()
      const next =
        now.base.version >= held.version ? now : { record: state.get().record, base: held }
      show(next.base.text)
      begin(next)
      change({ found: undefined, error: undefined })
      return typed
    },
  }
}

function isClash(error: unknown): boolean {
  return error instanceof Problem && error.code === 'precondition-failed'
}
