import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { TablePage } from '../data/table-head.tsx'
import { useTable } from '../data/table.ts'
import { EntriesActions } from './entries-actions.tsx'
import { EntriesView } from './entries-view.tsx'

export function EntriesPage() {
  const id = Number(useRoute().params['id'])
  const table = useTable(id)
  /** Incremented after an import. */
  const [round, setRound] = useState(0)
  return (
    <TablePage
      key={id}
      table={table}
      current="entries"
      actions={
        table.data !== undefined && (
          <EntriesActions shown={table.data} onChange={() => setRound((count) => count + 1)} />
        )
      }
    >
      {(shown) => <EntriesView shown={shown} round={round} />}
    </TablePage>
  )
}
