// One calendar: its month, week or list, and its events.

import { useRoute } from 'preact-iso/router'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { LoadingPage } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { grantsIn, readFolderLine } from '../content/records.ts'
import { CalendarView } from './calendar-view.tsx'
import { readCalendar } from './settings-dialog.tsx'

export function CalendarPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const id = Number(useRoute().params['id'])
  const { data, error, reload, set } = useRequest(
    async (signal) => {
      const fetched = await readCalendar(api, id, signal)
      const line = await readFolderLine(api, fetched.record.parent_category_id, signal)
      return { fetched, line }
    },
    [id],
  )
  if (data === undefined || data.fetched.record.calendar_id !== id) {
    return <LoadingPage title={t.titles.calendar} isWide found={{ error, reload }} lines={12} />
  }
  const { fetched, line } = data
  return (
    <CalendarView
      // A change of the time zone needs a new clock.
      key={`${id} ${fetched.record.time_zone ?? ''}`}
      fetched={fetched}
      line={line}
      grants={grantsIn(me, line)}
      onFetched={(next) => set({ fetched: next, line })}
      onMoved={reload}
    />
  )
}
