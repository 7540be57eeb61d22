// The state of an edited text. Every change becomes a draft, and a save becomes a version. If somebody else saved
// first, both texts are merged, or the user resolves the conflicts. A save without a response is repeated with its
// Idempotency-Key when the server is back, so that it happens once.

import { type Cell, openCell } from '../../client/cell.ts'
import { NoConnection, Problem } from '../../client/problem.ts'
import type { FileRecord } from '../content/records.ts'
import type { Draft, Drafts, DraftState } from './drafts.ts'
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
  readonly kept: DraftState
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

export function openEditing(options: EditingOptions): Editing {
  return new Editing(options)
}

class Editing {
  readonly state: Cell<EditingState>
  readonly #options: EditingOptions
  #text: string
  /** Note for the next version. A conflict keeps the note until the text is saved. */
  #note: string | undefined

  constructor(options: EditingOptions) {
    const { latest, draft, draftBase } = options
    const base = (draft === undefined ? undefined : draftBase) ?? latest.base
    this.#options = options
    this.#text = draft?.text ?? latest.base.text
    this.state = openCell<EditingState>({
      record: latest.record,
      base,
      isDirty: this.#text !== base.text,
      isSaving: false,
      isWaiting: false,
      kept: 'kept',
      found: draft,
      conflict: undefined,
      error: undefined,
    })
  }

  text(): string {
    return this.#text
  }

  type(text: string): void {
    this.#text = text
    this.#keep(text)
    if (this.state.get().error !== undefined) this.#change({ error: undefined })
  }

  async save(want: Want, note?: string): Promise<Outcome> {
    const { isDirty, conflict } = this.state.get()
    if (conflict !== undefined) return 'clash'
    if (want === 'save' && !isDirty && note === undefined) return 'unchanged'
    this.#note = note
    return this.#guarded(() => this.#run(want))
  }

  /** Saves with the resolved conflicts. */
  async settle(text: string): Promise<Outcome> {
    const { conflict } = this.state.get()
    if (conflict === undefined) return 'unchanged'
    this.#show(text)
    this.#begin(conflict.now)
    this.#change({ conflict: undefined })
    return this.#guarded(() => this.#run(conflict.want))
  }

  /** Stores a partial resolution. */
  decide(text: string): void {
    this.#keep(text)
  }

  leaveConflict(): void {
    this.#change({ conflict: undefined })
    this.#keep(this.#text)
  }

  keepFound(): void {
    this.#change({ found: undefined })
  }

  setKept(kept: DraftState): void {
    if (kept !== this.state.get().kept) this.#change({ kept })
  }

  /** The record after a change that left the text as it is. */
  setRecord(record: FileRecord, etag: string): void {
    const { base } = this.state.get()
    if (record.version === base.version) this.#change({ record, base: { ...base, etag } })
  }

  /** Discards the draft, and returns it for undo. */
  async discard(): Promise<string> {
    const { latest, readLatest } = this.#options
    const typed = this.#text
    const isLatest = this.state.get().base.version === latest.record.version
    const now = isLatest ? latest : await readLatest()
    const { record, base } = this.state.get()
    const next = now.base.version >= base.version ? now : { record, base }
    this.#show(next.base.text)
    this.#begin(next)
    this.#change({ found: undefined, error: undefined })
    return typed
  }

  #change(next: Partial<EditingState>): void {
    this.state.set({ ...this.state.get(), ...next })
  }

  #keep(text: string): void {
    const { drafts } = this.#options
    const { version, etag, text: before } = this.state.get().base
    const isDirty = text !== before
    if (isDirty) drafts.write({ text, version, etag, keptMs: Date.now() })
    else drafts.forget()
    if (isDirty !== this.state.get().isDirty) this.#change({ isDirty })
  }

  #show(text: string): void {
    this.#text = text
    this.#options.show(text)
  }

  /** Makes this version the base of the text. */
  #begin({ record, base }: Latest): void {
    this.#change({ record, base, isDirty: this.#text !== base.text })
    this.#keep(this.#text)
  }

  async #guarded(work: () => Promise<Outcome>): Promise<Outcome> {
    if (this.state.get().isSaving) return 'failed'
    this.#change({ isSaving: true, error: undefined, found: undefined })
    try {
      return await work()
    } catch (error) {
      this.#change({ error })
      return 'failed'
    } finally {
      this.#change({ isSaving: false, isWaiting: false })
    }
  }

  async #run(want: Want): Promise<Outcome> {
    let outcome: Outcome = 'saved'
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      try {
        await this.#sendOnce(want)
        return outcome
      } catch (error) {
        if (!isClash(error) || round === MOST_ROUNDS - 1) throw error
      }
      const met = await this.#meet(want)
      if (met !== 'again') return met
      outcome = 'merged'
    }
    return outcome
  }

  /** Repeats the request with the same key until a response arrives. */
  async #sendOnce(want: Want): Promise<void> {
    const { send, untilBack } = this.#options
    const { base } = this.state.get()
    const request = send.prepare({ base, text: this.#text, want, note: this.#note })
    for (;;) {
      try {
        this.#begin(await request())
        this.#note = undefined
        return
      } catch (error) {
        if (!(error instanceof NoConnection)) throw error
        this.#change({ isWaiting: true })
        await untilBack()
        this.#change({ isWaiting: false })
      }
    }
  }

  /** Somebody else saved first: merges their text with this one. */
  async #meet(want: Want): Promise<Outcome | 'again'> {
    const now = await this.#options.readLatest()
    const base = this.state.get().base.text
    if (now.base.text === base) {
      this.#begin(now)
      return 'again'
    }
    const texts = { base, mine: this.#text, theirs: now.base.text }
    const { mine, theirs, hasConflict } = mergeTexts(texts)
    if (hasConflict) {
      this.#change({ conflict: { want, now, mine, theirs } })
      return 'clash'
    }
    if (mine !== this.#text) this.#show(mine)
    this.#begin(now)
    // A merged text is not published before the user has seen it.
    if (want !== 'save') return 'merged-unsaved'
    return this.#text === now.base.text ? 'merged' : 'again'
  }
}

function isClash(error: unknown): boolean {
  return error instanceof Problem && error.code === 'precondition-failed'
}
