// The deliveries of a webhook with their responses, newest first.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Pagination, useCursors } from '../../ui/pagination.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Delivery } from './webhook.tsx'

export interface DeliveriesProps {
  readonly id: number
  /** Changes after a delivery. */
  readonly round: number
  readonly onReload: () => void
}

const LENGTH = 25

export function Deliveries({ id, round, onReload }: DeliveriesProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const pages = useCursors()
  const { cursor } = pages
  const { data, error, isLoading, reload } = useRequest(
    (signal) => {
      const query = { length: LENGTH, ...(cursor !== undefined && { cursor: Number(cursor) }) }
      const params = { path: { id }, query }
      return dataOf(api.GET('/webhook/{id}/delivery', { signal, params }))
    },
    [id, cursor, round],
  )
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  if (data === undefined) return <Skeleton lines={4} />
  const again = (
    <Button icon="repeat" onPress={onReload}>
      {t.webhooks.lookAgain}
    </Button>
  )
  if (data.webhook_delivery.length === 0 && !pages.hasPrevious)
    return (
      <div class="deliveries">
        <p class="quiet">{t.webhooks.noDeliveries}</p>
        <div>{again}</div>
      </div>
    )
  return (
    <div class="deliveries">
      <div>{again}</div>
      <Table
        label={t.webhooks.deliveries}
        rows={data.webhook_delivery}
        columns={columnsIn({ t, formats })}
        keyOf={(each) => each.number ?? 0}
        nameOf={(each) => each.message_id}
        isStale={isLoading}
      />
      <Pagination pages={pages} next={data.page.next}>
        {formats.count(t.general.total, data.page.total ?? 0)}
      </Pagination>
    </div>
  )
}

function columnsIn({ t, formats }: Pick<Speech, 't' | 'formats'>): readonly Column<Delivery>[] {
  return [
    {
      id: 'sequence',
      head: t.webhooks.sequence,
      cell: ({ sequence }) => sequence ?? t.webhooks.ofTest,
      isNumber: true,
    },
    { id: 'type', head: t.webhooks.type, cell: ({ type }) => <code>{type}</code> },
    { id: 'attempt', head: t.webhooks.attempt, cell: ({ attempt }) => attempt, isNumber: true },
    { id: 'date', head: t.webhooks.when, cell: ({ date }) => <DateTime date={date} /> },
    { id: 'answer', head: t.webhooks.answer, cell: (each) => <Answer of={each} t={t} /> },
    {
      id: 'ms',
      head: t.webhooks.took,
      cell: ({ ms }) => fill(t.webhooks.ms, { ms: formats.number(ms) }),
      isNumber: true,
    },
  ]
}

function Answer({ of, t }: { readonly of: Delivery; readonly t: Speech['t'] }) {
  const { status, error, answer } = of
  return (
    <div class="delivery-answer">
      <Badge kind={error === null ? 'live' : 'danger'}>{status ?? t.webhooks.noAnswer}</Badge>
      {error !== null && <span>{error}</span>}
      {answer !== null && answer !== '' && (
        <details>
          <summary>{t.webhooks.answerText}</summary>
          <pre>{answer}</pre>
        </details>
      )}
    </div>
  )
}
