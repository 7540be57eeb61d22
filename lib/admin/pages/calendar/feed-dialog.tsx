// Shows the feed URL of a calendar and how to subscribe to it.

import { pathOf, SERVER } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { CalendarRecord } from './events.ts'
import { SecretFeeds } from './secret-feeds.tsx'

interface FeedDialogProps {
  readonly calendar: CalendarRecord
  readonly onClose: () => void
}

export function FeedDialog({ calendar, onClose }: FeedDialogProps) {
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
export function feedPath({ calendar_id: id, module_name: name }: CalendarRecord): string {
  return `/api/v2/module/calendar/${id}/${name}.ics`
}
