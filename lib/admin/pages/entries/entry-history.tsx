// The history of an entry: who changed which columns, with the values before and after, and a button that restores a state.

import { useState } from 'preact/hooks'
import { useMe } from '../../client/client-context.ts'
import type { Entry, EntryChange, EntryValue, PastChange } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { openKeptForm } from '../../ui/kept-form.ts'
import { Loading } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { ShownTable } from '../data/table.ts'
import { readable } from './cell-text.tsx'
import { formNameOf } from './entry-form.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { type EntryField, fieldsOf, idOf } from './fields.ts'
import { isLongText, TextDiff } from './text-diff.tsx'

interface EntryHistoryProps {
  readonly shown: ShownTable
  readonly fetched: Fetched<Entry>
  readonly onRestored: (fetched: Fetched<Entry>) => void
}

const LENGTH = 20

export function EntryHistory({ shown, fetched, onRestored }: EntryHistoryProps) {
  const { record: table, grants } = shown
  const { t } = useTexts()
  const texts = t.entries.history
  const confirm = useConfirm()
  const toast = useToast()
  const requests = useEntryRequests(table)
  const userId = useMe()?.user.user_id
  const [length, setLength] = useState(LENGTH)
  const id = idOf(fetched.record)
  const loaded = useRequest(
    (signal) => requests.history(id, length, signal),
    [requests, id, length, fetched.etag],
  )
  const { history = [], page } = loaded.data ?? {}

  async function restore(number: number): Promise<void> {
    const { restoreTitle: title, restoreText: text, restore: action } = texts
    if (!(await confirm({ title, text, action }))) return
    const restored = await requests.restore(id, number, fetched.etag)
    // Values typed before would overwrite the restored ones at the next save.
    openKeptForm(formNameOf(table, id), userId).forget()
    onRestored(restored)
    toast({ text: texts.restored })
  }

  return (
    <section class="entry-history" aria-labelledby="entry-history">
      <h2 id="entry-history">{texts.title}</h2>
      {loaded.data === undefined && <Loading {...loaded} lines={3} />}
      <ol>
        {history.map((change, at) => (
          <Change
            key={change.number}
            change={change}
            fields={fieldsOf(table)}
            missing={missingAt(history, at)}
            {...(at > 0 &&
              grants.has('modify') && {
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
    </section>
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
  readonly fields: readonly EntryField[]
  readonly onRestore?: () => void
}

function Change({ change, fields, missing, onRestore }: ChangeProps) {
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
              <bdi>{user}</bdi>, <DateTime date={date} isRelative />
            </span>
          )}
        </span>
        {onRestore !== undefined && missing.length > 0 && (
          <span class="quiet">{fill(texts.missing, { names: missing.join(', ') })}</span>
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
            <Values key={each.name} change={each} fields={fields} />
          ))}
        </ul>
      )}
    </li>
  )
}

interface ValuesProps {
  readonly change: EntryChange
  readonly fields: readonly EntryField[]
}

function Values({ change, fields }: ValuesProps) {
  const speech = useTexts()
  const { name, from, to, from_omitted_bytes: fromBytes, to_omitted_bytes: toBytes } = change
  const field = fields.find((each) => each.name === name)
  const text = (value: EntryValue, bytes: number | null): string => {
    if (bytes !== null)
      return fill(speech.t.entries.history.omitted, { size: speech.formats.bytes(bytes) })
    const plain = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return field === undefined ? plain : readable(field, value, speech)
  }
  if (isLongText(from, to))
    return (
      <li>
        <bdi>{name}</bdi>: <TextDiff from={String(from)} to={String(to)} />
      </li>
    )
  return (
    <li>
      <bdi>{name}</bdi>: <del>{text(from, fromBytes)}</del> → <ins>{text(to, toBytes)}</ins>
    </li>
  )
}
