// Actions for the entries of a datatable: create, import and export.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { ShownTable } from '../data/table.ts'
import { type EntryView, viewOf } from './entry-view.ts'
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
  const all = { qry: '', text: '', sort: undefined }
  // The URL contains the current search when the user opens the menu.
  const found = () => viewOf(Object.fromEntries(new URLSearchParams(location.search)))
  const saving = (isExact: boolean): readonly MenuItem[] => {
    const group = isExact ? t.entries.exactGroup : t.entries.guardedGroup
    const text = isExact ? t.entries.exportAllExactly : t.entries.exportAll
    const foundText = isExact ? t.entries.exportFoundExactly : t.entries.exportFound
    const begin = (view: EntryView) => saved.begin({ view, isExact })
    return [
      { group, text, icon: 'download', onChoose: () => begin(all) },
      { group, text: foundText, icon: 'download', onChoose: () => begin(found()) },
    ]
  }
  const items: readonly MenuItem[] = [
    ...saving(false),
    ...saving(true),
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
