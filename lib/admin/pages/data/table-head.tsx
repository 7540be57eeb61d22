// The head of all datatable pages: name, folder, and links to the sections.
//
//   const table = useTable(id)
//   <TablePage table={table} current="schema" actions={…}>{(shown) => <Editor key={id} shown={shown} />}</TablePage>

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DeleteForm } from '../../ui/delete-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TabLinks } from '../../ui/tabs.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import { type Requested, useRequest } from '../../ui/use-request.ts'
import { Breadcrumb } from '../content/breadcrumb.tsx'
import { PublicMark } from '../content/public-mark.tsx'
import { readTable, type ShownTable } from './table.ts'
import { TableSettings } from './table-settings.tsx'

type TablePart = 'entries' | 'schema' | 'api'

interface TablePageProps {
  readonly table: Requested<ShownTable>
  readonly current: TablePart
  /** Actions of this section. */
  readonly actions?: ComponentChildren
  readonly children: (shown: ShownTable) => ComponentChildren
}

export function TablePage({ table, current, actions, children }: TablePageProps) {
  const { t } = useTexts()
  const { data } = table
  if (data === undefined) {
    return (
      <LoadingPage title={t.titles.table} isWide found={table}>
        <p>
          <ButtonLink href={pathOf('/data')}>{t.data.toAll}</ButtonLink>
        </p>
      </LoadingPage>
    )
  }

  const { record, line } = data
  return (
    <Page
      title={record.name}
      mark={<PublicMark isPublic={record.public} />}
      actions={
        <>
          {actions}
          <TableMenu shown={data} table={table} />
        </>
      }
      isWide
    >
      <div class="table-head">
        <Breadcrumb line={line} leaf={record.name} />
        <TabLinks
          label={t.data.parts}
          links={PARTS.map((part) => ({
            href: pathOf(`/data/${record.datatable_id}${part === 'entries' ? '' : `/${part}`}`),
            text: t.data.partNames[part],
            isCurrent: part === current,
          }))}
        />
      </div>
      {children(data)}
    </Page>
  )
}

const PARTS: readonly TablePart[] = ['entries', 'schema', 'api']

interface TableMenuProps {
  readonly shown: ShownTable
  readonly table: Requested<ShownTable>
}

/** Hidden without permitted actions. */
function TableMenu({ shown, table }: TableMenuProps) {
  const { t } = useTexts()
  const leave = useLeaveDeleted(shown.record.datatable_id)
  const [open, setOpen] = useState<'settings' | 'delete'>()
  const { grants, record } = shown
  const close = (): void => setOpen(undefined)
  const items: readonly MenuItem[] = [
    ...(grants.has('modify')
      ? [
          {
            text: t.data.settings,
            icon: 'edit',
            onChoose: () => setOpen('settings'),
          } satisfies MenuItem,
        ]
      : []),
    ...(grants.has('delete')
      ? [
          {
            text: t.data.delete,
            icon: 'trash',
            isDangerous: true,
            onChoose: () => setOpen('delete'),
          } satisfies MenuItem,
        ]
      : []),
  ]
  if (items.length === 0) return null

  return (
    <>
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.data.actions }}
        items={items}
      />
      {open === 'settings' && (
        <TableSettings
          shown={shown}
          onFetched={(fetched) => {
            const isMoved = fetched.record.parent_category_id !== record.parent_category_id
            table.set({ ...shown, ...fetched })
            // Another folder may bring other grants.
            if (isMoved) table.reload()
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteTable id={record.datatable_id} onClose={close} onDeleted={leave} />
      )}
    </>
  )
}

/** Leaves the page of a deleted datatable, and offers to restore the datatable. */
function useLeaveDeleted(id: number) {
  const { t } = useTexts()
  const deleted = useDeletedToast()
  const { route } = useLocation()

  return (name: string): void => {
    void deleted({
      text: fill(t.data.deleted, { name }),
      record: { object: 'datatable', id },
      onRestored: () => route(pathOf(`/data/${id}`)),
    })
    route(pathOf('/data'))
  }
}

interface DeleteTableProps {
  readonly id: number
  readonly onDeleted: (name: string) => void
  readonly onClose: () => void
}

/** Deletes a datatable, after showing how many entries are affected. */
function DeleteTable({ id, onDeleted, onClose }: DeleteTableProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { data, error, reload } = useRequest((signal) => readTable(api, id, signal), [id])
  const record = data?.record
  const entries = record?.entry_count ?? 0

  async function remove(): Promise<void> {
    const params = { path: { id }, header: { 'If-Match': data?.etag ?? '' } }
    await dataOf(api.DELETE('/datatable/{id}', { params }))
    onDeleted(record?.name ?? '')
  }

  return (
    <Dialog title={t.data.deleteTitle} onClose={onClose}>
      <Loading data={data} error={error} reload={reload} lines={2} />
      {record !== undefined && (
        <DeleteForm
          name={record.name}
          isFull={entries > 0}
          submit={t.data.deleteSubmit}
          onDelete={remove}
        >
          <p>
            <bdi>{fill(t.data.deleteText, { name: record.name })}</bdi>
          </p>
          <p>
            <code class="delete-address">{record.module_url}</code>
          </p>
          {entries > 0 && <p>{formats.count(t.data.deleteEntries, entries)}</p>}
        </DeleteForm>
      )}
    </Dialog>
  )
}
