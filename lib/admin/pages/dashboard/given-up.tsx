// Lists failed webhooks, which stay stopped until a user resumes them.

import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { useRequest } from '../../ui/use-request.ts'

const LENGTH = 1_000

export function GivenUp() {
  const { t } = useTexts()
  const api = useApi()
  const read = (cursor: string | null, signal: AbortSignal) => {
    const fields = 'webhook_id,name,state'
    const query = { fields, length: LENGTH, ...(cursor !== null && { cursor }) }
    return dataOf(api.GET('/webhook', { signal, params: { query } }))
  }
  const { data, error, reload } = useRequest(async (signal) => {
    const found: Awaited<ReturnType<typeof read>>['webhook'] = []
    let next: string | null = null
    do {
      const { webhook, page }: Awaited<ReturnType<typeof read>> = await read(next, signal)
      // The server cannot filter by state.
      found.push(...webhook.filter(({ state }) => state === 'given_up'))
      next = page.next
    } while (next !== null)
    return found
  }, [])
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  if (data === undefined || data.length === 0) return null
  return (
    <Notice kind="danger" title={t.dashboard.givenUp}>
      <p>{t.dashboard.givenUpText}</p>
      <ul>
        {data.map(({ webhook_id: id, name }) => (
          <li key={id}>
            <Link href={pathOf(`/webhooks/${id}`)}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
