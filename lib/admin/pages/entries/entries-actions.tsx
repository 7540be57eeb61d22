// What can be done with the entries of a datatable as a whole: a new one, and files in and out.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { ShownTable } from '../data/table.ts'
import { viewOf } from './entry-view.ts'
import { useExport } from './use-export.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useEntryRequests } from './use-entry-requests.ts'

export interface EntriesActionsProps {
  readonly shown: ShownTable
  readonly onChange: () => void
}

export function EntriesActions({ shown, onChange }: EntriesActionsProps) {
  const { t } = useTexts()
  const { record, grants } = shown
  const requests = useEntryRequests(record)
  const [isImporting, setIsImporting] = useState(false)
  const saved = useExport({ table: record, requests })
  const mayCreate = grants.has('create') || grants.has('modify')
  const { path } = useLocation()
  const items: readonly MenuItem[] = [
    // What is found stands in the address by the time that somebody chooses.
    {
      text: t.entries.exportAll,
      icon: 'download',
      onChoose: () => saved.begin({ qry: '', text: '', sort: undefined }),
    },
    {
      text: t.entries.exportFound,
      icon: 'download',
      onChoose: () => saved.begin(viewOf(Object.fromEntries(new URLSearchParams(location.search)))),
    },
    ...(mayCreate
      ? ([
          { text: t.entries.import, icon: 'upload', onChoose: () => setIsImporting(true) },
        ] as const)
      : []),
  ]
  return (
    <>
      <Menu
        key={path}
        button={{ class: 'button', icon: 'download', content: <span>{t.entries.csv}</span> }}
        items={items}
      />
      {mayCreate && (
        <ButtonLink kind="primary" icon="plus" href={pathOf(`/data/${record.datatable_id}/new`)}>
          {t.entries.newOne}
        </ButtonLink>
      )}
      {saved.view}
      {isImporting && (
        <ImportDialog
          table={record}
          requests={requests}
          mayModify={grants.has('modify')}
          onClose={() => setIsImporting(false)}
          onChange={onChange}
        />
      )}
    </>
  )
}
