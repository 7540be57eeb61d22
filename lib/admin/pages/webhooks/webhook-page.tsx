// One webhook: status, actions, settings and deliveries.

import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { Pagination, useCursors } from '../../ui/pagination.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import {
  bodyOf,
  type Delivery,
  mayChangeWebhooks,
  valuesOf,
  type Webhook,
  WebhookBadge,
} from './webhook.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { requireChoices, WebhookFields } from './webhook-fields.tsx'

export function WebhookPage() {
  const { t } = useTexts()
  const api = useApi()
  const mayChange = mayChangeWebhooks(useMe())
  const id = Number(useRoute().params['id'])
  const found = useRequest((signal) => readWebhook(api, id, signal), [id])
  const [round, setRound] = useState(0)
  const { data } = found
  const up = <Link href={pathOf('/webhooks')}>{t.titles.webhooks}</Link>
  if (data === undefined) return <LoadingPage title={t.titles.webhook} intro={up} found={found} />

  function tried(): void {
    found.reload()
    setRound((count) => count + 1)
  }

  return (
    <Page
      key={id}
      title={data.record.name}
      intro={up}
      actions={mayChange && <WebhookActions fetched={data} onFetched={found.set} onTried={tried} />}
    >
      <Trouble of={data.record} />
      <WebhookFacts of={data.record} />
      {mayChange && (
        <Section title={t.keys.change}>
          <ChangeWebhook fetched={data} read={() => readWebhook(api, id)} onFetched={found.set} />
        </Section>
      )}
      <Section title={t.webhooks.deliveries}>
        <Deliveries id={id} round={round} onReload={tried} />
      </Section>
    </Page>
  )
}

async function readWebhook(api: Api, id: number, signal?: AbortSignal): Promise<Fetched<Webhook>> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  return (await recordOf(api.GET('/webhook/{id}', init))) as Fetched<Webhook>
}

function Trouble({ of }: { readonly of: Webhook }) {
  const { t, formats } = useTexts()
  const { state, last_error: error, date_retry: retry } = of
  if (state === 'given_up')
    return (
      <Notice kind="danger" title={t.webhooks.givenUp}>
        <p>{error}</p>
        <p>{t.webhooks.givenUpText}</p>
      </Notice>
    )
  if (error === null) return null
  const when =
    retry === null ? undefined : fill(t.webhooks.retry, { time: formats.dateTime(new Date(retry)) })
  return (
    <Notice kind="info" title={when ?? t.webhooks.troubled}>
      {error}
    </Notice>
  )
}

function WebhookFacts({ of }: { readonly of: Webhook }) {
  const { t } = useTexts()
  return (
    <Facts
      facts={[
        [t.keys.state, <WebhookBadge of={of} />],
        [t.webhooks.url, <bdi>{of.url}</bdi>],
        [t.webhooks.position, of.position],
        [t.webhooks.delivered, <DateTime date={of.date_delivered} />],
        [t.keys.added, <DateTime date={of.date_added} />],
        [t.keys.madeBy, <Person name={of.owner} />],
      ]}
    />
  )
}

interface ChangeWebhookProps {
  readonly fetched: Fetched<Webhook>
  readonly read: () => Promise<Fetched<Webhook>>
  readonly onFetched: (fetched: Fetched<Webhook>) => void
}

function ChangeWebhook({ fetched, read, onFetched }: ChangeWebhookProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const id = fetched.record.webhook_id
  const edit = useEdit({
    fetched,
    valuesOf,
    read,
    async send(changed, etag) {
      requireChoices(changed, t.webhooks.chooseOne)
      const params = { path: { id }, header: { 'If-Match': etag } }
      return recordOf(api.PATCH('/webhook/{id}', { params, body: bodyOf(changed) }))
    },
    onFetched,
    onSaved: () => toast({ text: t.general.saved }),
  })
  const text = (value: unknown): string => String(value) || t.picker.everywhere
  const fields: readonly ClashField[] = [
    { name: 'name', label: t.webhooks.name, text },
    { name: 'url', label: t.webhooks.url, text },
    { name: 'objects', label: t.webhooks.ofWhat, text },
    { name: 'actions', label: t.webhooks.doneTo, text },
    { name: 'asset_category_id', label: t.webhooks.folder, text },
  ]
  return (
    <Form
      name={`webhook-${id}`}
      initial={valuesOf(fetched.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={fields} />
      <WebhookFields />
    </Form>
  )
}

interface DeliveriesProps {
  readonly id: number
  /** Changes after a delivery. */
  readonly round: number
  readonly onReload: () => void
}

const LENGTH = 25

/** The deliveries of a webhook with their responses, newest first. */
function Deliveries({ id, round, onReload }: DeliveriesProps) {
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
  if (error !== undefined || data === undefined)
    return <Loading data={data} error={error} reload={reload} lines={4} />
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
