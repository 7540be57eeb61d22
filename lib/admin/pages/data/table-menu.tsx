// Actions for the whole datatable, on each of its pages.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Requested } from '../../ui/use-request.ts'
import { DeleteTable } from './delete-table.tsx'
import type { ShownTable } from './table.ts'
import { TableSettings } from './table-settings.tsx'

export interface TableMenuProps {
  readonly shown: ShownTable
  readonly table: Requested<ShownTable>
}

/** Hidden without permitted actions. */
export function TableMenu({ shown, table }: TableMenuProps) {
  const { t } = useTexts()
  const toast = useToast()
  const { route } = useLocation()
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
          onHeld={(held) => {
            const isMoved = held.record.parent_category_id !== record.parent_category_id
            table.set({ ...shown, ...held })
            // Another folder may bring other grants.
            if (isMoved) table.reload()
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteTable
          id={record.datatable_id}
          onClose={close}
          onDeleted={(name) => {
            toast({ text: fill(t.data.deleted, { name }) })
            route(pathOf('/data'))
          }}
        />
      )}
    </>
  )
}
