// Actions for one entry: go to the previous or next entry of the list, duplicate, and delete.

import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import type { Entry } from '../../client/module-paths.ts'
import { Problem } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Held } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { ShownTable } from '../data/table.ts'
import { leaveCopy } from './entry-form.tsx'
import { addressOf, listQueryOf, viewOf } from './entry-view.ts'
import { ID, idOf } from './fields.ts'
import { useEntryRequests } from './entry-requests.ts'

export interface EntryActionsProps {
  readonly shown: ShownTable
  readonly held: Held<Entry>
}

export function EntryActions({ shown, held }: EntryActionsProps) {
  const { record: table, grants } = shown
  const { t } = useTexts()
  const { query, route } = useLocation()
  const confirm = useConfirm()
  const toast = useToast()
  const requests = useEntryRequests(table)
  const tableId = table.datatable_id
  const list = pathOf(`/data/${tableId}${addressOf(viewOf(query))}`)
  const mayCreate = grants.has('create') || grants.has('modify')

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: t.entries.deleteOneTitle,
      text: t.entries.deleteOneText,
      action: t.entries.delete,
      isDangerous: true,
    })
    if (!isSure) return
    await requests.remove(idOf(held.record), held.etag).catch((error: unknown) => {
      // Somebody else has already deleted the entry.
      if (!(error instanceof Problem) || error.code !== 'not-found') throw error
    })
    toast({ text: t.entries.form.deleted })
    route(list)
  }

  const items = [
    ...(mayCreate
      ? ([
          {
            text: t.entries.form.duplicate,
            icon: 'copy',
            onChoose: () => {
              leaveCopy(tableId, held.record)
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
      <Neighbours shown={shown} />
      {items.length > 0 && (
        <Menu
          button={{ class: 'button button-sign', icon: 'more', label: t.entries.more }}
          items={items}
        />
      )}
    </>
  )
}

/** Uses the entry's position in the list; a URL without a position has no neighbors. */
function Neighbours({ shown: { record: table } }: { readonly shown: ShownTable }) {
  const { t } = useTexts()
  const { query, route } = useLocation()
  const requests = useEntryRequests(table)
  const at = Number(query['at'] ?? Number.NaN)
  const key = JSON.stringify(query)
  const view = useMemo(() => viewOf(query), [key])
  const found = useRequest(
    async (signal) => {
      if (!Number.isSafeInteger(at) || at < 0) return undefined
      const idAt = async (place: number): Promise<number | undefined> => {
        if (place < 0) return undefined
        // The grid requests pages of 100 entries, this request a page of one.
        const asked = { ...listQueryOf(view), fields: ID, length: 1, start: place + 1 }
        const { datatable_entry: entries } = await requests.list(asked, signal)
        return entries[0] === undefined ? undefined : idOf(entries[0])
      }
      return Promise.all([idAt(at - 1), idAt(at + 1)])
    },
    [requests, key],
  )
  if (query['at'] === undefined) return null
  const [before, after] = found.data ?? []
  const go = (id: number | undefined, place: number) => () =>
    route(pathOf(`/data/${table.datatable_id}/${id}${addressOf(view, place)}`))
  return (
    <>
      <Button
        icon="chevronUp"
        label={t.entries.form.previous}
        isDisabled={before === undefined}
        onPress={go(before, at - 1)}
      />
      <Button
        icon="chevronDown"
        label={t.entries.form.next}
        isDisabled={after === undefined}
        onPress={go(after, at + 1)}
      />
    </>
  )
}
