// The entries that refer to an entry, as lists to which entries are added and from which they are removed.

import { useMemo } from 'preact/hooks'
import { pathOf } from '../../../client/address.ts'
import { useApi, useMe } from '../../../client/client-context.ts'
import type { Entry } from '../../../client/module-paths.ts'
import type { Grant } from '../../../../shared/grants.ts'
import { fill } from '../../../texts/fill.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Link } from '../../../ui/link.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { Loading } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type Requested, useRequest } from '../../../ui/use-request.ts'
import { openReferenceTarget, pathOfReferenced } from '../reference-target.ts'
import { mayCreate, readGrants } from './may-create.ts'
import { useNewEntry } from './new-entry-context.ts'
import {
  addReference,
  findReferring,
  type FoundEntries,
  qryOf,
  readReferring,
  type ReferredEntry,
  removeReference,
  type Referring,
} from './referring.ts'

interface BackReferencesProps {
  readonly tableId: number
  readonly entryId: number
}

export function BackReferences({ tableId, entryId }: BackReferencesProps) {
  const { t } = useTexts()
  const api = useApi()
  const { data } = useRequest((signal) => findReferring(api, tableId, signal), [tableId])
  if (data === undefined || data.length === 0) return null
  return (
    <section class="entry-history back-references" aria-labelledby="back-references">
      <h2 id="back-references">{t.entries.back.title}</h2>
      {data.map((referring) => (
        <ReferringEntries
          key={`${referring.object} ${referring.id} ${referring.column}`}
          referring={referring}
          entryId={entryId}
        />
      ))}
    </section>
  )
}

function ReferringEntries({ referring, entryId }: ReferredEntry) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { object, id, name, column, label } = referring
  const found = useRequest(
    (signal) => readReferring(api, { referring, entryId }, signal),
    [object, id, column, entryId],
  )
  const { data } = found
  const grants = useGrants(referring)
  const work = useReferenceWork({ referring, entryId }, found)
  return (
    <div class="card" role="group" aria-label={`${name}: ${label}`}>
      <div class="entry-history-head">
        <h3>
          <bdi>{name}</bdi>: <span title={column}>{label}</span>
        </h3>
        {work.create !== undefined && mayCreate(grants) && (
          <Button
            icon="plus"
            label={fill(t.entries.back.add, { table: name })}
            onPress={work.create}
          />
        )}
      </div>
      <Loading data={data} error={found.error} reload={found.reload} lines={2} />
      {data !== undefined && (
        <>
          <p class="quiet">{formats.count(t.entries.rows, data.total)}</p>
          <EntryList
            referring={referring}
            entries={data.entries}
            {...(grants.has('modify') && !referring.isRequired && { onRemove: work.remove })}
          />
          {object === 'datatable' && data.total > data.entries.length && (
            <p>
              <Link
                href={pathOf(`/data/${id}?qry=${encodeURIComponent(qryOf(referring, entryId))}`)}
              >
                {t.entries.back.all}
              </Link>
            </p>
          )}
          {grants.has('modify') && (
            <EntryPicker referring={referring} entries={data.entries} onChoose={work.add} />
          )}
        </>
      )}
    </div>
  )
}

interface EntryListProps {
  readonly referring: Referring
  readonly entries: readonly Entry[]
  readonly onRemove?: (id: number, title: string) => void
}

function EntryList({ referring, entries, onRemove }: EntryListProps) {
  const { t } = useTexts()
  const target = targetOf(referring)
  return (
    <ul class="reference-list">
      {entries.map((entry) => {
        const id = idIn(referring, entry)
        const title = titleIn(referring, entry)
        return (
          <li key={id}>
            <Link href={pathOfReferenced(target, id)} class="link reference-title">
              <bdi>{title}</bdi>
            </Link>
            {onRemove !== undefined && (
              <Button
                kind="quiet"
                icon="close"
                label={fill(t.entries.back.remove, { name: title })}
                onPress={() => onRemove(id, title)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface EntryPickerProps {
  readonly referring: Referring
  readonly entries: readonly Entry[]
  readonly onChoose: (id: number, title: string) => void
}

/** Adds an entry that exists. */
function EntryPicker({ referring, entries, onChoose }: EntryPickerProps) {
  const { t } = useTexts()
  const api = useApi()
  const target = useMemo(() => openReferenceTarget(api, targetOf(referring)), [api, referring])
  const shown = entries.map((entry) => idIn(referring, entry))
  const nameOf = (title: string, id: number): string => (title === '' ? `#${id}` : title)
  return (
    <Picker
      name={`back=${referring.object}.${referring.id}.${referring.column}`}
      label={t.entries.back.pick}
      hint={referring.isMany ? undefined : t.entries.back.pickHint}
      value=""
      find={async (text, signal) => {
        const found = await target.find(text, signal)
        return found
          .filter(({ id }) => !shown.includes(id))
          .map(({ id, title }) => ({ value: String(id), text: nameOf(title, id), note: `#${id}` }))
      }}
      nameOf={async () => ''}
      empty={t.entries.form.searchReference}
      onChange={(value) => {
        const id = Number(value)
        if (value === '') return
        void target.read([id]).then((found) => onChoose(id, nameOf(found.get(id)?.title ?? '', id)))
      }}
    />
  )
}

/** Changes the list, and offers to undo each change. */
function useReferenceWork(referred: ReferredEntry, { reload }: Requested<FoundEntries>) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const open = useNewEntry()
  const { referring, entryId } = referred
  const { object, id: tableId, column, isMany } = referring
  const texts = t.entries.back

  async function change(work: typeof addReference, id: number, text: string): Promise<void> {
    const undo = await work(api, referred, id)
    reload()
    toast({
      text,
      action: { text: t.general.undo, onPress: () => void undo().then(reload, toast.problem) },
    })
  }

  return {
    add: (id: number, name: string): void =>
      void change(addReference, id, fill(texts.added, { name })).catch(toast.problem),
    remove: (id: number, name: string): void =>
      void change(removeReference, id, fill(texts.removed, { name })).catch(toast.problem),
    /** Undefined for calendars, whose events are created in their own view. */
    create:
      open === undefined || object === 'calendar'
        ? undefined
        : () =>
            open({
              tableId,
              place: `${column}-of-${entryId}`,
              initial: { [column]: isMany ? [entryId] : entryId },
              onMade: reload,
            }),
  }
}

/** None until they are known. */
function useGrants({ folderId }: Referring): ReadonlySet<Grant> {
  const api = useApi()
  const me = useMe()
  const { data } = useRequest((signal) => readGrants(api, { me, folderId }, signal), [folderId, me])
  return data ?? new Set()
}

function targetOf({ object, id, isMany }: Referring) {
  return { object, module_id: id, isMany, onDelete: 'restrict', accept: null } as const
}

function idIn({ object }: Referring, entry: Entry): number {
  return Number(entry[`${object}_entry_id`])
}

/** An entry without a title is shown by its number. */
function titleIn(referring: Referring, entry: Entry): string {
  const title = referring.titleName === null ? '' : String(entry[referring.titleName] ?? '')
  return title === '' ? `#${idIn(referring, entry)}` : title
}
