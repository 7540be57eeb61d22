// Secret addresses of a feed, for calendar programs that send no password. Each belongs to a key of the person who made
// the address, and works as long as the person may view the calendar. Deleting the key revokes the address.

import { useState } from 'preact/hooks'
import { dataOf, newRequestKey } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { permanentTicketFor } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { CalendarRecord } from './events.ts'

interface SecretFeedsProps {
  readonly calendar: CalendarRecord
  /** The path of the feed below the server. */
  readonly path: string
}

/** Addresses of one calendar that the list shows. */
const MOST = 50

export function SecretFeeds({ calendar, path }: SecretFeedsProps) {
  const { t } = useTexts()
  const { address, keys, isBusy, make, withdraw } = useSecretFeeds(calendar, path)
  return (
    <section class="secret-feeds">
      <h3>{t.calendar.secretFeed}</h3>
      <p>{t.calendar.secretFeedText}</p>
      {address !== undefined && (
        <>
          <CodeLine text={address} label={t.calendar.secretFeed} />
          <p class="field-hint">{t.calendar.secretFeedOnce}</p>
        </>
      )}
      <ul>
        {keys.map(({ api_key_id: id = 0, date_added: added = '', last_used: used = null }) => (
          <li key={id}>
            <span>
              <Sentence
                text={used === null ? t.calendar.feedUnused : t.calendar.feedUsed}
                values={{
                  added: <DateTime date={added} />,
                  used: <DateTime date={used ?? added} />,
                }}
              />
            </span>
            <Button
              kind="quiet"
              label={fill(t.calendar.feedWithdrawLabel, { id })}
              onPress={() => withdraw(id)}
            >
              {t.calendar.feedWithdraw}
            </Button>
          </li>
        ))}
      </ul>
      <Button isBusy={isBusy} onPress={make}>
        {t.calendar.secretFeedMake}
      </Button>
    </section>
  )
}

/** The keys of the secret addresses, and the address that was made last. */
function useSecretFeeds({ calendar_id: calendarId }: CalendarRecord, path: string) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [address, setAddress] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const name = `feed of calendar ${calendarId}`
  const found = useRequest(
    (signal) => {
      const query = { qry: JSON.stringify({ name }), orderStr: 'date_added', length: MOST }
      return dataOf(api.GET('/api_key', { params: { query }, signal }))
    },
    [name],
  )

  async function make(): Promise<void> {
    // Without a folder, the key may read whatever the person may read, so that the address still works after the
    // calendar has moved. The address reads the feed alone, and nobody keeps the secret.
    const body = { name, grants: ['view' as const], asset_category_id: null }
    const header = { 'Idempotency-Key': newRequestKey() }
    const { secret } = await dataOf(api.POST('/api_key', { params: { header }, body }))
    setAddress(await permanentTicketFor(path, secret))
  }

  async function withdraw(id: number): Promise<void> {
    await api.DELETE('/api_key/{id}', { params: { path: { id } } })
    setAddress(undefined)
    toast({ text: t.calendar.feedWithdrawn, name: 'feed' })
  }

  async function act(work: Promise<void>): Promise<void> {
    setBusy(true)
    await work.catch(toast.problem)
    setBusy(false)
    found.reload()
  }

  return {
    address,
    keys: found.data?.api_key ?? [],
    isBusy,
    make: () => void act(make()),
    withdraw: (id: number) => void act(withdraw(id)),
  }
}
