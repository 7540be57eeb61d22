// Creates a webhook, then shows its secret once.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { requireChoices, WebhookFields } from './webhook-fields.tsx'
import { bodyOf, NEW_WEBHOOK, type WebhookValues } from './webhook.ts'
import { WebhookSecret } from './webhook-secret.tsx'

export interface NewWebhookProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

interface Made {
  readonly name: string
  readonly secret: string
}

export function NewWebhook({ onClose, onMade }: NewWebhookProps) {
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
      <Form
        name="new-webhook"
        initial={NEW_WEBHOOK}
        submit={t.webhooks.makeSubmit}
        onSubmit={make}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
      >
        <WebhookFields isNew />
      </Form>
    </Dialog>
  )
}
