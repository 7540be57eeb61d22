// The form page of a new or existing entry.

import { useLocation, useRoute } from 'preact-iso/router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { seesComments } from '../../client/comments.ts'
import type { Entry } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeletionNote } from '../../ui/delete-form.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import { CommentSection } from '../comments/comment-list.tsx'
import { type ShownTable, useTable } from '../data/table.ts'
import { UnknownPage } from '../error/error-pages.tsx'
import { plainText, readable } from './cell-text.tsx'
import { ChangeEntry, EntryFacts, formNameOf, HISTORY } from './entry-form.tsx'
import { EntryHistory } from './entry-history.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { Neighbors } from './entry-neighbors.tsx'
import { addressOf, viewOf } from './entry-view.ts'
import { fieldsOf, idOf, labelOf, nameOfEntry } from './fields.ts'
import { leaveCopy, NewEntry } from './new-entry.tsx'
import { BackReferences } from './references/back-references.tsx'
import { mayCreate } from './references/may-create.ts'
import { NewEntryDialogs } from './references/new-entry-dialogs.tsx'

const NEW = 'new'

export function EntryPage() {
  const { params } = useRoute()
  const entry = params['entry'] ?? ''
  if (entry !== NEW && !/^[1-9]\d{0,14}$/.test(entry)) return <UnknownPage />
  const id = Number(params['id'])
  // A reference may lead to another datatable.
  return (
    <NewEntryDialogs key={id}>
      <EntryOf id={id} entry={entry} />
    </NewEntryDialogs>
  )
}

function EntryOf({ id, entry }: { readonly id: number; readonly entry: string }) {
  const { t } = useTexts()
  const { data, error, reload } = useTable(id)
  if (data === undefined) return <Waiting error={error} onRetry={reload} tableId={id} />
  if (entry !== NEW) return <OneEntry key={entry} shown={data} entryId={Number(entry)} />
  return (
    <Page
      title={fill(t.entries.newTitle, { table: data.record.name })}
      intro={<ToList tableId={id} name={data.record.name} />}
    >
      <NewEntry shown={data} />
    </Page>
  )
}

interface ToListProps {
  readonly tableId: number
  readonly name: string
}

/** Links back to the list with its search. */
function ToList({ tableId, name }: ToListProps) {
  const { query } = useLocation()
  return (
    <Link href={pathOf(`/data/${tableId}${addressOf(viewOf(query))}`)}>
      <bdi>{name}</bdi>
    </Link>
  )
}

interface WaitingProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly tableId: number
}

function Waiting({ error, onRetry, tableId }: WaitingProps) {
  const { t } = useTexts()
  return (
    <LoadingPage title={t.titles.entry} found={{ error, reload: onRetry }}>
      <p>
        <ButtonLink href={pathOf(`/data/${tableId}`)}>{t.entries.form.toList}</ButtonLink>
      </p>
    </LoadingPage>
  )
}

interface OneEntryProps {
  readonly shown: ShownTable
  readonly entryId: number
}

function OneEntry({ shown, entryId }: OneEntryProps) {
  const { record: table } = shown
  const requests = useEntryRequests(table)
  const found = useRequest((signal) => requests.read(entryId, signal), [requests, entryId])
  const [restores, setRestores] = useState(0)
  const { data, error, reload } = found
  if (data === undefined)
    return <Waiting error={error} onRetry={reload} tableId={table.datatable_id} />
  // A form shows the values that it began with, so a restored entry needs a new form.
  const showRestored = (fetched: Fetched<Entry>): void => {
    found.set(fetched)
    setRestores((count) => count + 1)
  }
  return (
    <Page
      title={nameOfEntry(data.record, fieldsOf(table)[0])}
      intro={<ToList tableId={table.datatable_id} name={table.name} />}
      actions={<EntryActions shown={shown} fetched={data} />}
      isWide
    >
      <div class="entry-layout">
        <div class="entry-main">
          <ChangeEntry
            key={restores}
            shown={shown}
            fetched={data}
            read={() => requests.read(entryId)}
            onFetched={found.set}
          />
          <HistoryOfEntry shown={shown} fetched={data} onRestored={showRestored} />
          <BackReferences tableId={table.datatable_id} entryId={entryId} />
        </div>
        <div class="entry-side">
          <EntryFacts entry={data.record} />
          {seesComments(shown.grants) && (
            <CommentSection
              target={`datatable/${table.datatable_id}/${entryId}`}
              isAdmin={shown.grants.has('admin')}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

interface HistoryOfEntryProps extends EntryActionsProps {
  readonly onRestored: (fetched: Fetched<Entry>) => void
}

function HistoryOfEntry({ shown, fetched, onRestored }: HistoryOfEntryProps) {
  const { record: table, grants } = shown
  const speech = useTexts()
  const texts = speech.t.entries.history
  const requests = useEntryRequests(table)
  const id = idOf(fetched.record)
  const fields = fieldsOf(table)
  const heading = useRef<HTMLHeadingElement>(null)
  // A link to the history opens the page before its parts are loaded.
  useEffect(() => {
    if (location.hash === `#${HISTORY}`) heading.current?.focus()
  }, [])
  return (
    <section class="entry-past" aria-labelledby={HISTORY}>
      <h2 id={HISTORY} ref={heading} tabIndex={-1}>
        {texts.title}
      </h2>
      <EntryHistory
        requests={requests}
        entryId={id}
        etag={fetched.etag}
        words={{
          nameOf: (name) => fields.find((each) => each.name === name)?.label ?? labelOf(name),
          valueOf(name, value) {
            const field = fields.find((each) => each.name === name)
            return field === undefined ? plainText(value) : readable(field, value, speech)
          },
          restoreText: texts.restoreText,
        }}
        mayRestore={grants.has('modify')}
        formName={formNameOf(table, id)}
        onRestored={onRestored}
      />
    </section>
  )
}

interface EntryActionsProps {
  readonly shown: ShownTable
  readonly fetched: Fetched<Entry>
}

/** Actions for one entry: go to the previous or next entry of the list, duplicate, and delete. */
function EntryActions({ shown, fetched }: EntryActionsProps) {
  const { record: table, grants } = shown
  const { t } = useTexts()
  const { route } = useLocation()
  const toast = useToast()
  const remove = useRemoval({ shown, fetched })
  const tableId = table.datatable_id
  const items = [
    ...(mayCreate(grants)
      ? ([
          {
            text: t.entries.form.duplicate,
            icon: 'copy',
            onChoose: () => {
              leaveCopy(tableId, fetched.record)
              route(pathOf(`/data/${tableId}/new`))
            },
          },
        ] as const)
      : []),
    ...(grants.has('delete')
      ? ([
          {
            text: t.entries.delete,
            icon: 'trash',
            isDangerous: true,
            onChoose: () => void remove().catch(toast.problem),
          },
        ] as const)
      : []),
  ]
  return (
    <>
      <Neighbors shown={shown} />
      {items.length > 0 && (
        <Menu
          button={{ class: 'button button-sign', icon: 'more', label: t.entries.more }}
          items={items}
        />
      )}
    </>
  )
}

/** Deletes the entry after a confirmation, and shows the list with an offer to restore the entry. */
function useRemoval({ shown: { record: table }, fetched }: EntryActionsProps) {
  const { t } = useTexts()
  const { query, route } = useLocation()
  const confirm = useConfirm()
  const deleted = useDeletedToast()
  const note = useDeletionNote()
  const requests = useEntryRequests(table)
  const tableId = table.datatable_id
  const list = pathOf(`/data/${tableId}${addressOf(viewOf(query))}`)

  return async (): Promise<void> => {
    const isSure = await confirm({
      title: t.entries.deleteOneTitle,
      text: note,
      action: t.entries.delete,
      isDangerous: true,
    })
    if (!isSure) return
    await requests.remove(idOf(fetched.record), fetched.etag).catch((error: unknown) => {
      // Somebody else has already deleted the entry.
      if (!(error instanceof Problem) || error.code !== 'not-found') throw error
    })
    const id = idOf(fetched.record)
    void deleted({
      text: t.entries.form.deleted,
      record: { object: 'datatable_entry', id, moduleId: tableId },
      onRestored: () => route(pathOf(`/data/${tableId}/${id}`)),
    })
    route(list)
  }
}
