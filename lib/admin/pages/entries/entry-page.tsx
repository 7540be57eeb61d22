// The form page of a new or existing entry.

import { useLocation, useRoute } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { fill } from '../../texts/fill.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { type ShownTable, useTable } from '../data/table.ts'
import { UnknownPage } from '../error/error-pages.tsx'
import { EntryActions } from './entry-actions.tsx'
import { ChangeEntry, EntryFacts, NewEntry } from './entry-form.tsx'
import { addressOf, viewOf } from './entry-view.ts'
import { fieldsOf, nameOfEntry } from './fields.ts'
import { useEntryRequests } from './entry-requests.ts'

const NEW = 'new'

export function EntryPage() {
  const { params } = useRoute()
  const entry = params['entry'] ?? ''
  if (entry !== NEW && !/^[1-9]\d{0,14}$/.test(entry)) return <UnknownPage />
  return <EntryOf id={Number(params['id'])} entry={entry} />
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
    <Page title={t.titles.entry}>
      {error === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <ProblemNotice error={error} onRetry={onRetry} />
          <p>
            <ButtonLink href={pathOf(`/data/${tableId}`)}>{t.entries.form.toList}</ButtonLink>
          </p>
        </>
      )}
    </Page>
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
  const { data, error, reload } = found
  if (data === undefined)
    return <Waiting error={error} onRetry={reload} tableId={table.datatable_id} />
  return (
    <Page
      title={nameOfEntry(data.record, fieldsOf(table)[0])}
      intro={<ToList tableId={table.datatable_id} name={table.name} />}
      actions={<EntryActions shown={shown} held={data} />}
    >
      <ChangeEntry
        shown={shown}
        held={data}
        read={() => requests.read(entryId)}
        onHeld={found.set}
      />
      <EntryFacts entry={data.record} />
    </Page>
  )
}
