// All webhooks with their status; failed webhooks stand out.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery, Pagination, useCursors } from '../../ui/pagination.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useRequest } from '../../ui/use-request.ts'
import {
  bodyOf,
  mayChangeWebhooks,
  NEW_WEBHOOK,
  type Webhook,
  WebhookBadge,
  type WebhookValues,
} from './webhook.tsx'
import { requireChoices, WebhookFields } from './webhook-fields.tsx'
import { WebhookSecret } from './webhook-dialogs.tsx'

export function WebhooksPage() {
  const { t, formats } = useTexts()
  const api = useApi()
  const mayChange = mayChangeWebhooks(useMe())
  const isAsked = useLocation().query['new'] !== undefined
  const [isMaking, setIsMaking] = useState(isAsked && mayChange)
  const pages = useCursors()
  const { cursor } = pages
  const { data, error, isLoading, reload } = useRequest(
    (signal) => searchWebhooks(api, { cursor, signal }),
    [cursor],
  )
  const open = (): void => setIsMaking(true)
  useActions(
    mayChange
      ? [{ id: 'new-webhook', text: t.acts.newWebhook, icon: 'plus', keys: 'n', run: open }]
      : [],
  )
  const make = mayChange && (
    <Button kind="primary" icon="plus" onPress={open}>
      {t.acts.newWebhook}
    </Button>
  )
  const isEmpty = data?.webhooks.length === 0 && !pages.hasPrevious

  return (
    <Page title={t.titles.webhooks} intro={t.webhooks.intro} actions={make} isWide>
      <Loading data={data} error={error} reload={reload} lines={6} />
      {isEmpty && (
        <EmptyState icon="send" title={t.webhooks.empty} action={make}>
          {t.webhooks.emptyText}
        </EmptyState>
      )}
      {data !== undefined && !isEmpty && (
        <>
          <Table
            label={t.titles.webhooks}
            rows={data.webhooks}
            columns={columnsIn(t)}
            keyOf={(each) => each.webhook_id}
            nameOf={(each) => each.name}
            isStale={isLoading}
          />
          <Pagination pages={pages} next={data.next}>
            {formats.count(t.general.total, data.total)}
          </Pagination>
        </>
      )}
      {isMaking && <NewWebhook onClose={() => setIsMaking(false)} onMade={reload} />}
    </Page>
  )
}

interface Asked {
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

async function searchWebhooks(api: Api, { cursor, signal }: Asked) {
  const query = pageQuery({ sort: { by: 'name', isDown: false }, cursor })
  const { webhook, page } = await dataOf(api.GET('/webhook', { signal, params: { query } }))
  // Without `fields`, the response has all fields.
  const webhooks = webhook as readonly Webhook[]
  return { webhooks, next: page.next, total: page.total ?? webhooks.length }
}

function columnsIn(t: Speech['t']): readonly Column<Webhook>[] {
  return [
    {
      id: 'name',
      head: t.webhooks.name,
      cell: ({ webhook_id: id, name }) => (
        <Link href={pathOf(`/webhooks/${id}`)}>
          <bdi class="clip">{name}</bdi>
        </Link>
      ),
    },
    { id: 'state', head: t.keys.state, cell: (each) => <WebhookBadge of={each} /> },
    { id: 'url', head: t.webhooks.url, cell: ({ url }) => <bdi class="clip">{url}</bdi> },
    {
      id: 'date_delivered',
      head: t.webhooks.delivered,
      cell: ({ date_delivered: date }) => <DateTime date={date} isRelative />,
    },
    {
      id: 'position',
      head: t.webhooks.position,
      cell: ({ position }) => position,
      isNumber: true,
    },
  ]
}

interface NewWebhookProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

interface Made {
  readonly name: string
  readonly secret: string
}

/** Creates a webhook, then shows its secret once. */
function NewWebhook({ onClose, onMade }: NewWebhookProps) {
  const { t } = useTexts()
  const api = useApi()
  const [made, setMade] = useState<Made>()

  async function make(values: WebhookValues, { once }: Filled): Promise<void> {
    requireChoices(values, t.webhooks.chooseOne)
    const body = { ...bodyOf(values), name: values.name, url: values.url.trim() }
    const { name, secret } = await dataOf(
      api.POST('/webhook', { params: { header: once(body) }, body }),
    )
    onMade()
    setMade({ name, secret })
  }

  if (made !== undefined) {
    const title = fill(t.webhooks.madeTitle, { name: made.name })
    return <WebhookSecret title={title} secret={made.secret} onDone={onClose} />
  }
  return (
    <Dialog title={t.acts.newWebhook} onClose={onClose}>
      <Form name="new-webhook" initial={NEW_WEBHOOK} submit={t.webhooks.makeSubmit} onSubmit={make}>
        <WebhookFields isNew />
      </Form>
    </Dialog>
  )
}
