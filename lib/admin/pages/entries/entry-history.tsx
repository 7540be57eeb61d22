// The history of an entry: who changed which columns, with the values before and after, and a button that restores a state.

import { diffLines } from 'diff'
import { useMemo, useState } from 'preact/hooks'
import { useMe } from '../../client/client-context.ts'
import type { Entry, EntryChange, EntryValue, PastChange } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { openKeptForm } from '../../ui/kept-form.ts'
import { Person } from '../../ui/person.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { HistoryRequests } from './history-requests.ts'

/** How the names and values of an entry are shown. */
export interface HistoryWords {
  readonly nameOf: (name: string) => string
  readonly valueOf: (name: string, value: EntryValue) => string
  /** Says what the button to restore does. */
  readonly restoreText: string
}

interface EntryHistoryProps {
  readonly requests: HistoryRequests
  readonly entryId: number
  readonly etag: string
  readonly words: HistoryWords
  readonly mayRestore: boolean
  /** Name of the form of the entry. */
  readonly formName: string
  readonly onRestored: (fetched: Fetched<Entry>) => void
}

const LENGTH = 20

export function EntryHistory(props: EntryHistoryProps) {
  const { requests, entryId: id, etag, words, mayRestore, formName, onRestored } = props
  const { t } = useTexts()
  const texts = t.entries.history
  const confirm = useConfirm()
  const toast = useToast()
  const userId = useMe()?.user.user_id
  const [length, setLength] = useState(LENGTH)
  const loaded = useRequest(
    (signal) => requests.history(id, length, signal),
    [requests, id, length, etag],
  )
  const { history = [], page } = loaded.data ?? {}

  async function restore(number: number): Promise<void> {
    const { restoreTitle: title, restore: action } = texts
    if (!(await confirm({ title, text: words.restoreText, action }))) return
    const restored = await requests.restore(id, number, etag)
    // Values typed before would overwrite the restored ones at the next save.
    openKeptForm(formName, userId).forget()
    onRestored(restored)
    toast({ text: texts.restored })
  }

  return (
    <div class="entry-history">
      {loaded.data === undefined && <Loading {...loaded} lines={3} />}
      <ol>
        {history.map((change, at) => (
          <Change
            key={change.number}
            change={change}
            words={words}
            missing={missingAt(history, at)}
            {...(at > 0 &&
              mayRestore && {
                onRestore: () => void restore(change.number).catch(toast.problem),
              })}
          />
        ))}
      </ol>
      {typeof page?.next === 'string' && (
        <Button onPress={() => setLength(length + LENGTH)} isBusy={loaded.isLoading}>
          {texts.older}
        </Button>
      )}
    </div>
  )
}

/** The columns whose values in this state are too large for the history, so that it cannot be restored. */
function missingAt(history: readonly PastChange[], at: number): readonly string[] {
  const later = history.slice(0, at).flatMap(({ changes }) => changes)
  const oldest = new Map(later.map((change) => [change.name, change]))
  return [...oldest.values()]
    .filter((change) => change.from_omitted_bytes !== null)
    .map(({ name }) => name)
}

interface ChangeProps {
  readonly change: PastChange
  readonly missing: readonly string[]
  readonly words: HistoryWords
  readonly onRestore?: () => void
}

function Change({ change, words, missing, onRestore }: ChangeProps) {
  const { t, formats } = useTexts()
  const texts = t.entries.history
  const { action, user_name: user, date_added: date, changes } = change
  const when = date === null ? texts.earliest : formats.dateTime(new Date(date))
  return (
    <li class="card">
      <div class="entry-history-head">
        <span>
          <strong>{action === null ? texts.earliest : texts[action]}</strong>{' '}
          {date !== null && (
            <span class="quiet">
              <Person name={user ?? ''} />, <DateTime date={date} isRelative />
            </span>
          )}
        </span>
        {onRestore !== undefined && missing.length > 0 && (
          <span class="quiet">
            {fill(texts.missing, { names: missing.map(words.nameOf).join(', ') })}
          </span>
        )}
        {onRestore !== undefined && missing.length === 0 && (
          <Button label={fill(texts.restoreOf, { when })} onPress={onRestore}>
            {texts.restore}
          </Button>
        )}
      </div>
      {action === 'update' && (
        <ul class="clash">
          {changes.map((each) => (
            <Values key={each.name} change={each} words={words} />
          ))}
        </ul>
      )}
    </li>
  )
}

interface ValuesProps {
  readonly change: EntryChange
  readonly words: HistoryWords
}

function Values({ change, words }: ValuesProps) {
  const { t, formats } = useTexts()
  const { name, from, to, from_omitted_bytes: fromBytes, to_omitted_bytes: toBytes } = change
  const label = words.nameOf(name)
  const text = (value: EntryValue, bytes: number | null): string =>
    bytes === null
      ? words.valueOf(name, value)
      : fill(t.entries.history.omitted, { size: formats.bytes(bytes) })
  if (isLongText(from, to))
    return (
      <li>
        <bdi>{label}</bdi>: <TextDiff from={String(from)} to={String(to)} />
      </li>
    )
  return (
    <li>
      <bdi>{label}</bdi>: <del>{text(from, fromBytes)}</del> → <ins>{text(to, toBytes)}</ins>
    </li>
  )
}

interface TextDiffProps {
  readonly from: string
  readonly to: string
}

/** Unchanged lines beside a change. */
const AROUND = 2
/** Lines that are shown. */
const MOST_LINES = 200
/** Texts that differ in more lines are shown as removed and added, because the comparison would take long. */
const MOST_CHANGES = 500

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

const SIGNS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const

/**
 * The changed lines of a long text, each with a sign besides its color, and the lines around them.
 */
function TextDiff({ from, to }: TextDiffProps) {
  const { t, formats } = useTexts()
  const lines = useMemo(() => linesOf(from, to), [from, to])
  const rest = lines.length - MOST_LINES
  return (
    <div class="text-diff">
      {lines.slice(0, MOST_LINES).map(({ kind, text }, at) => {
        const content = `${SIGNS[kind]} ${text}`
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        if (kind === 'removed') return <del key={at}>{content}</del>
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        if (kind === 'added') return <ins key={at}>{content}</ins>
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        return <span key={at}>{content}</span>
      })}
      {rest > 0 && <p class="quiet">{formats.count(t.entries.history.moreLines, rest)}</p>}
    </div>
  )
}

function linesOf(from: string, to: string): readonly DiffLine[] {
  const parts = diffLines(from, to, { maxEditLength: MOST_CHANGES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ]
  return parts.flatMap(({ value, removed, added }, at) => {
    const lines = value.replace(/\n$/, '').split('\n')
    const kind = removed ? 'removed' : added ? 'added' : 'same'
    const all = lines.map((text) => ({ kind, text }) as const)
    if (kind !== 'same') return all
    const head = at === 0 ? [] : all.slice(0, AROUND)
    const tail = at === parts.length - 1 ? [] : all.slice(-AROUND)
    if (all.length <= head.length + tail.length) return all
    return [...head, { kind: 'gap', text: '' } as const, ...tail]
  })
}

/** Whether the two values are texts, of which one has several lines. */
function isLongText(from: unknown, to: unknown): boolean {
  const isText = typeof from === 'string' && typeof to === 'string'
  return isText && (from.includes('\n') || to.includes('\n'))
}
