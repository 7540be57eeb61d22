// The menu and dialogs of a calendar.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf, SERVER } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { saveFrom, ticketFor } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import type { CalendarRecord } from './events.ts'
import { ImportDialog } from './import-dialog.tsx'
import { SecretFeeds } from './secret-feeds.tsx'
import { DeleteCalendar, SettingsDialog } from './settings-dialog.tsx'
import type { CalendarProps } from './view.ts'

interface CalendarActionsProps extends CalendarProps {
  readonly onImported: () => void
}

type Opened = 'feed' | 'import' | 'settings' | 'delete'

export function CalendarActions(props: CalendarActionsProps) {
  const { t } = useTexts()
  const [opened, setOpened] = useState<Opened>()
  const items = useItems(props, setOpened)
  return (
    <>
      <Button icon="globe" onPress={() => setOpened('feed')}>
        {t.calendar.subscribe}
      </Button>
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.calendar.actions }}
        items={items}
      />
      <OpenedDialog {...props} opened={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

/** The items of the menu that the user may choose. */
function useItems(
  { fetched, grants }: CalendarActionsProps,
  open: (dialog: Opened) => void,
): readonly MenuItem[] {
  const { t } = useTexts()
  const download = useDownload(fetched.record)
  const items: readonly (MenuItem | false)[] = [
    grants.has('modify') && {
      text: t.calendar.import,
      icon: 'upload',
      onChoose: () => open('import'),
    },
    { text: t.calendar.download, icon: 'download', onChoose: download },
    grants.has('modify') && {
      text: t.calendar.settings,
      icon: 'edit',
      onChoose: () => open('settings'),
    },
    grants.has('delete') && {
      text: t.calendar.deleteCalendar,
      icon: 'trash',
      isDangerous: true,
      onChoose: () => open('delete'),
    },
  ]
  return items.filter((item) => item !== false)
}

interface OpenedDialogProps extends CalendarActionsProps {
  readonly opened: Opened | undefined
  readonly onClose: () => void
}

function OpenedDialog(props: OpenedDialogProps) {
  const { opened, fetched, grants, onClose, onFetched, onMoved, onImported } = props
  const { t } = useTexts()
  const toast = useToast()
  const leave = useLeaveDeleted(fetched.record)
  const shared = { calendar: fetched.record, onClose }
  if (opened === 'feed') return <FeedDialog {...shared} />
  if (opened === 'import') return <ImportDialog {...shared} onImported={onImported} />
  if (opened === 'delete') return <DeleteCalendar {...shared} onDeleted={leave} />
  if (opened === undefined) return null
  return (
    <SettingsDialog
      fetched={fetched}
      mayPublish={grants.has('publish')}
      onClose={onClose}
      onFetched={onFetched}
      onSaved={() => {
        onClose()
        onMoved()
        toast({ text: t.general.saved })
      }}
    />
  )
}

/** Leaves the page of a deleted calendar, and offers to restore the calendar. */
function useLeaveDeleted({ calendar_id: id, name }: CalendarRecord) {
  const { t } = useTexts()
  const deleted = useDeletedToast()
  const { route } = useLocation()

  return (): void => {
    void deleted({
      text: fill(t.calendar.calendarDeleted, { name }),
      record: { object: 'calendar', id },
      onRestored: () => route(pathOf(`/calendars/${id}`)),
    })
    route(pathOf('/data'))
  }
}

/** Downloads from a signed URL, because a link sends no header. */
function useDownload(calendar: CalendarRecord) {
  const api = useApi()
  const toast = useToast()

  async function download(): Promise<void> {
    saveFrom(await ticketFor(api, feedPath(calendar)), `${calendar.module_name}.ics`)
  }

  return (): void => void download().catch(toast.problem)
}

interface FeedDialogProps {
  readonly calendar: CalendarRecord
  readonly onClose: () => void
}

/** Shows the feed URL of a calendar and how to subscribe to it. */
function FeedDialog({ calendar, onClose }: FeedDialogProps) {
  const { t } = useTexts()
  const address = `${SERVER}${feedPath(calendar)}`
  const tokens = (
    <Link href={pathOf('/profile/tokens')} class="link">
      {t.calendar.tokens}
    </Link>
  )
  return (
    <Dialog title={t.calendar.subscribe} onClose={onClose}>
      <p>{t.calendar.feedText}</p>
      <CodeLine text={address} label={t.calendar.feed} />
      {calendar.public && <p>{t.publicAccess.calendarKey}</p>}
      <h3>{t.calendar.feedSteps}</h3>
      <ol class="feed-steps">
        <li>
          <Sentence text={t.calendar.feedStep1} values={{ link: tokens }} />
        </li>
        <li>{t.calendar.feedStep2}</li>
        <li>{t.calendar.feedStep3}</li>
      </ol>
      <CodeLine text={`curl -u calendar:KEY ${address}`} label={t.calendar.feedTry} />
      <SecretFeeds calendar={calendar} path={feedPath(calendar)} />
    </Dialog>
  )
}

/** Path below the server. */
function feedPath({ calendar_id: id, module_name: name }: CalendarRecord): string {
  return `/api/v2/module/calendar/${id}/${name}.ics`
}
