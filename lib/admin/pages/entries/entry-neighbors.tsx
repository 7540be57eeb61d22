// Buttons to the previous and the next entry of the list from which the user opened an entry.

import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { ShownTable } from '../data/table.ts'
import { useEntryRequests } from './entry-requests.ts'
import { addressOf, listQueryOf, viewOf } from './entry-view.ts'
import { ID, idOf } from './fields.ts'

/** Uses the entry's position in the list; a URL without a position has no neighbors. */
export function Neighbors({ shown: { record: table } }: { readonly shown: ShownTable }) {
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
