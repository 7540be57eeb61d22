// The menu and dialogs of a calendar.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf, SERVER } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { CalendarRecord } from './events.ts'
import { FeedDialog, feedPath } from './feed-dialog.tsx'
import { DeleteCalendar, SettingsDialog } from './settings-dialog.tsx'
import type { CalendarProps } from './view.ts'

export function CalendarActions({ held, grants, onHeld, onMoved }: CalendarProps) {
  const { t } = useTexts()
  const toast = useToast()
  const download = useDownload(held.record)
  const { route } = useLocation()
  const [open, setOpen] = useState<'feed' | 'settings' | 'delete'>()
  const close = (): void => setOpen(undefined)
  const calendar = held.record
  const items: readonly (MenuItem | false)[] = [
    { text: t.calendar.download, icon: 'download', onChoose: download },
    grants.has('modify') && {
      text: t.calendar.settings,
      icon: 'edit',
      onChoose: () => setOpen('settings'),
    },
    grants.has('delete') && {
      text: t.calendar.deleteCalendar,
      icon: 'trash',
      isDangerous: true,
      onChoose: () => setOpen('delete'),
    },
  ]
  return (
    <>
      <Button icon="globe" onPress={() => setOpen('feed')}>
        {t.calendar.subscribe}
      </Button>
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.calendar.actions }}
        items={items.filter((item) => item !== false)}
      />
      {open === 'feed' && <FeedDialog calendar={calendar} onClose={close} />}
      {open === 'settings' && (
        <SettingsDialog
          held={held}
          onClose={close}
          onHeld={onHeld}
          onSaved={() => {
            close()
            onMoved()
            toast({ text: t.general.saved })
          }}
        />
      )}
      {open === 'delete' && (
        <DeleteCalendar
          calendar={calendar}
          onClose={close}
          onDeleted={() => {
            toast({ text: fill(t.calendar.calendarDeleted, { name: calendar.name }) })
            route(pathOf('/data'))
          }}
        />
      )}
    </>
  )
}

/** Downloads from a signed URL, because a link sends no header. */
function useDownload(calendar: CalendarRecord) {
  const api = useApi()
  const toast = useToast()

  async function download(): Promise<void> {
    const { path } = await dataOf(api.POST('/ticket', { body: { path: feedPath(calendar) } }))
    const link = document.createElement('a')
    link.href = `${SERVER}${path}`
    link.download = `${calendar.module_name}.ics`
    link.click()
  }

  return (): void => void download().catch(toast.problem)
}
