// Lists failures that wait for somebody: webhooks that do not deliver, and actions that could not run at their time.

import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { type Me, mayEverywhere, maySomewhere } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useRequest } from '../../ui/use-request.ts'

/** Counted exactly; more are shown as this number. */
const MOST = 100

export function Attention({ me }: { readonly me: Me }) {
  const { t, formats } = useTexts()
  const { data } = useFailures(me)
  if (data === undefined) return null
  const { webhooks, schedules } = data
  return (
    <>
      {webhooks > 0 && (
        <Notice kind="danger" title={formats.count(t.start.failedWebhooks, webhooks)}>
          <Link href={pathOf('/webhooks')}>{t.start.showWebhooks}</Link>
        </Notice>
      )}
      {schedules > 0 && (
        <Notice kind="danger" title={formats.count(t.start.failedSchedules, schedules)}>
          <Link href={pathOf('/scheduled')}>{t.start.showScheduled}</Link>
        </Notice>
      )}
    </>
  )
}

function useFailures(me: Me) {
  const api = useApi()
  const seesWebhooks = mayEverywhere(me, 'admin')
  const seesSchedules = maySomewhere(me, 'publish')
  return useRequest(
    async (signal) => {
      const webhooks = async (): Promise<number> => {
        const query = { length: MOST, fields: 'webhook_id,status,state' }
        const { webhook } = await dataOf(api.GET('/webhook', { signal, params: { query } }))
        return webhook.filter(
          ({ status, state }) => status === 'active' && state !== 'delivering' && state !== null,
        ).length
      }
      const schedules = async (): Promise<number> => {
        const qry = JSON.stringify({ schedule_failed_at: { $exists: true } })
        const query = { qry, length: MOST, fields: 'asset_file_id' }
        const found = await dataOf(api.GET('/asset_file', { signal, params: { query } }))
        return found.asset_file.length
      }
      const [failedWebhooks, failedSchedules] = await Promise.all([
        seesWebhooks ? webhooks() : 0,
        seesSchedules ? schedules() : 0,
      ])
      return { webhooks: failedWebhooks, schedules: failedSchedules }
    },
    [seesWebhooks, seesSchedules],
  )
}
