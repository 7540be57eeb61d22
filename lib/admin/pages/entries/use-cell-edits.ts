// Edits single cells. Each change is saved at once with the ETag of its entry. After a concurrent change of another
// column, the request is repeated; after one of the same column, the user chooses a value. Ctrl-Z undoes the last
// changes of this page.

import { useMemo, useRef, useState } from 'preact/hooks'
import { useMe } from '../../client/client-context.ts'
import type { Entry, EntryValue } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { openKeptForm } from '../../ui/kept-form.ts'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useFaultText } from '../../ui/fault-text.ts'
import { useProblemText } from '../../ui/use-problem-text.ts'
import { type Draft, draftKey, type Drafts, readDrafts, writeDrafts } from './cell-drafts.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, idOf, isSame, labelOf, textOf, valueOf } from './fields.ts'
import { typedFault } from './typed-fault.ts'

export interface CellEdits {
  readonly drafts: Drafts
  /** Key of the draft in the open editor. */
  readonly openKey: string | undefined
  /** `typed` replaces the current value as the initial text. */
  readonly open: (entry: Entry, field: EntryField, typed?: string) => void
  readonly type: (text: string) => void
  /** Saves the typed text or the given one, and closes the editor. */
  readonly commit: (text?: string) => void
  readonly giveUp: () => void
  readonly discard: (key: string) => void
  readonly keepMine: (key: string) => void
  /** Saves a value without an editor. */
  readonly set: (entry: Entry, field: EntryField, text: string) => void
  readonly save: (key: string) => void
  readonly undo: () => void
}

export interface CellEditOptions {
  readonly tableId: number
  readonly fields: readonly EntryField[]
  readonly requests: EntryRequests
  /** Receives the current entry. */
  readonly onEntry: (entry: Entry) => void
}

interface Done {
  readonly id: number
  readonly name: string
  readonly before: EntryValue
  readonly after: EntryValue
  readonly etag: string
}

const MOST_UNDONE = 100
/** Limits the retries while others change the same entry. */
const MOST_TRIES = 5

/** Somebody else has changed the same value. */
class Clash extends Error {
  readonly theirs: EntryValue

  constructor(theirs: EntryValue) {
    super('Somebody else was faster.')
    this.theirs = theirs
  }
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts share the state of the typed values
export function useCellEdits(options: CellEditOptions): CellEdits {
  const { tableId, fields, requests, onEntry } = options
  const { t } = useTexts()
  const toast = useToast()
  const problemText = useProblemText()
  const faultText = useFaultText()
  const userId = useMe()?.user.user_id
  const kept = useMemo(() => openKeptForm(`cells-${tableId}`, userId), [tableId, userId])
  const [drafts, setDrafts] = useState<Drafts>(() => readDrafts(kept))
  const [openKey, setOpenKey] = useState<string>()
  const latest = useRef(drafts)
  const open = useRef<string>()
  /** Requested when a cell is opened, to be available when it is saved. */
  const fetched = useRef(new Map<number, Promise<Fetched<Entry>>>())
  const done = useRef<Done[]>([])

  const fieldOf = (name: string): EntryField | undefined =>
    fields.find((each) => each.name === name)
  const nameOf = (name: string): string => fieldOf(name)?.label ?? labelOf(name)

  function change(key: string, draft: Draft | undefined): void {
    const next = new Map(latest.current)
    if (draft === undefined) next.delete(key)
    else next.set(key, draft)
    latest.current = next
    setDrafts(next)
    writeDrafts(kept, next)
  }

  function show(key: string | undefined): void {
    open.current = key
    setOpenKey(key)
  }

  async function save(key: string): Promise<void> {
    const draft = latest.current.get(key)
    const field = draft && fieldOf(draft.name)
    if (draft === undefined || field === undefined) return
    const { id, name, text, seen } = draft
    const badText = typedFault(field, text, t)
    if (badText !== undefined) {
      change(key, { ...draft, state: 'waiting', fault: badText })
      if (open.current === undefined) show(key)
      return
    }
    const value = valueOf(field, text)
    if (isSame(value, seen)) return change(key, undefined)
    change(key, { ...draft, state: 'saving', fault: undefined })
    try {
      const first = await (fetched.current.get(id) ?? requests.read(id))
      const after = await send({ requests, id, name, value, seen, first })
      change(key, undefined)
      onEntry(after.record)
      remember({ id, name, before: seen, after: after.record[name] ?? null, etag: after.etag })
    } catch (error) {
      const told = faultOf(error, name)
      const stays = { ...draft, state: 'waiting', ...told } as const
      change(key, stays)
      // Reopens the cell unless another one is being edited.
      if (open.current === undefined) show(key)
    } finally {
      fetched.current.delete(id)
    }
  }

  function faultOf(error: unknown, name: string): Pick<Draft, 'fault' | 'theirs'> {
    if (error instanceof Clash) return { fault: t.entries.clash, theirs: error.theirs }
    if (error instanceof Problem && error.code === 'not-found') return { fault: t.entries.notThere }
    const own =
      error instanceof Problem
        ? error.facts.errors.find(({ pointer }) => pointer === `/${name}`)
        : undefined
    const { title, detail } = problemText(error)
    if (own !== undefined) return { fault: faultText(own.detail) }
    return { fault: detail === undefined ? title : `${title} ${detail}` }
  }

  function remember(item: Done): void {
    done.current = [...done.current, item].slice(-MOST_UNDONE)
    toast({
      name: 'cell',
      text: fill(t.entries.saved, { column: nameOf(item.name) }),
      action: { text: t.general.undo, onPress: () => void undo() },
    })
  }

  async function undo(): Promise<void> {
    const item = done.current.at(-1)
    if (item === undefined) return
    done.current = done.current.slice(0, -1)
    const { id, name, before, after, etag } = item
    try {
      const first = { record: { [name]: after }, etag }
      const { record } = await send({ requests, id, name, value: before, seen: after, first })
      onEntry(record)
      toast({ name: 'cell', text: fill(t.entries.undone, { column: nameOf(name) }) })
    } catch (error) {
      if (error instanceof Clash) toast({ text: t.entries.undoClash, isFault: true })
      else toast.problem(error)
    }
  }

  function begin(entry: Entry, field: EntryField, text: string | undefined): string {
    const [id, seen] = [idOf(entry), entry[field.name] ?? null]
    const key = draftKey(id, field.name)
    const before = latest.current.get(key)
    const reading = requests.read(id)
    // The error is reported on saving.
    reading.catch(() => undefined)
    fetched.current.set(id, reading)
    const draft = before ?? {
      id,
      name: field.name,
      text: textOf(field, seen),
      seen,
      state: 'open' as const,
    }
    change(key, { ...draft, ...(text !== undefined && { text }) })
    return key
  }

  return {
    drafts,
    openKey,
    open(entry, field, typed) {
      // A value that is being saved must not change.
      if (latest.current.get(draftKey(idOf(entry), field.name))?.state === 'saving') return
      const key = draftKey(idOf(entry), field.name)
      const isFaster = open.current === key && typed !== undefined
      // The previous keystroke opened the editor, which is not rendered yet.
      if (isFaster) change(key, withMore(latest.current.get(key), typed))
      else show(begin(entry, field, typed))
    },
    type(text) {
      const draft = latest.current.get(open.current ?? '')
      if (draft !== undefined) change(open.current ?? '', { ...draft, text })
    },
    commit(text) {
      const key = open.current
      const draft = latest.current.get(key ?? '')
      if (key === undefined || draft === undefined) return
      show(undefined)
      if (text !== undefined) change(key, { ...draft, text })
      void save(key)
    },
    giveUp() {
      const key = open.current
      show(undefined)
      if (key !== undefined) change(key, undefined)
    },
    discard(key) {
      if (open.current === key) show(undefined)
      change(key, undefined)
    },
    keepMine(key) {
      const draft = latest.current.get(key)
      if (draft === undefined) return
      if (open.current === key) show(undefined)
      change(key, { ...draft, seen: draft.theirs ?? null })
      void save(key)
    },
    set: (entry, field, text) => void save(begin(entry, field, text)),
    save: (key) => void save(key),
    undo: () => void undo(),
  }
}

function withMore(draft: Draft | undefined, typed: string): Draft | undefined {
  return draft && { ...draft, text: `${draft.text}${typed}` }
}

interface Sending {
  readonly requests: EntryRequests
  readonly id: number
  readonly name: string
  readonly value: EntryValue
  /** The value to be replaced. */
  readonly seen: EntryValue
  readonly first: Fetched<Entry>
}

/** Throws Clash if the stored value has changed. */
async function send({ requests, id, name, value, seen, first }: Sending): Promise<Fetched<Entry>> {
  let now = first
  for (let tries = 1; ; tries += 1) {
    const theirs = now.record[name] ?? null
    // For example after a request whose response was lost.
    if (isSame(theirs, value)) return now
    if (!isSame(theirs, seen)) throw new Clash(theirs)
    try {
      return await requests.change(id, { [name]: value }, now.etag)
    } catch (error) {
      const isLate = error instanceof Problem && error.code === 'precondition-failed'
      if (!isLate || tries === MOST_TRIES) throw error
      now = await requests.read(id)
    }
  }
}
