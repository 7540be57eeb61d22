// The dialogs that rotate the secret and resend changes.

import { useState } from 'preact/hooks'
import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { NewSecret, RotateSecret } from '../keys/secret-dialogs.tsx'
import type { Webhook } from './webhook.tsx'

interface WebhookDialogProps {
  readonly fetched: Fetched<Webhook>
  readonly onFetched: (fetched: Fetched<Webhook>) => void
  readonly onClose: () => void
}

export function RotateDialog({ fetched, onFetched, onClose }: WebhookDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const { webhook_id: id, name } = fetched.record
  const [secret, setSecret] = useState<string>()

  if (secret !== undefined) {
    const title = fill(t.webhooks.rotatedTitle, { name })
    return <WebhookSecret title={title} secret={secret} onDone={onClose} />
  }
  return (
    <RotateSecret
      name={`rotate-webhook-${id}`}
      title={fill(t.webhooks.rotateTitle, { name })}
      text={t.webhooks.rotateText}
      label={t.webhooks.keepOld}
      onClose={onClose}
      onRotate={async (body, { once }) => {
        const params = { path: { id }, header: { 'If-Match': fetched.etag, ...once(body) } }
        const { record, etag } = await recordOf(api.POST('/webhook/{id}/rotate', { params, body }))
        onFetched({ record, etag })
        setSecret(record.secret)
      }}
    />
  )
}

export function ReplayDialog({ fetched, onFetched, onClose }: WebhookDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { webhook_id: id, name, position } = fetched.record

  async function replay({ since }: { readonly since: string }): Promise<void> {
    if (!/^\d{1,15}$/.test(since.trim())) throw new InvalidFields({ since: t.webhooks.sinceFault })
    const params = { path: { id }, header: { 'If-Match': fetched.etag } }
    const body = { since: Number(since) }
    onFetched(await recordOf<Webhook>(api.POST('/webhook/{id}/replay', { params, body })))
    toast({ text: fill(t.webhooks.replayed, { name, since: since.trim() }) })
  }

  return (
    <Dialog title={fill(t.webhooks.replayTitle, { name })} onClose={onClose}>
      <p>{t.webhooks.replayText}</p>
      <Form
        name={`replay-webhook-${id}`}
        initial={{ since: String(position) }}
        submit={t.webhooks.replay}
        onSubmit={replay}
        isForgotten
      >
        <TextInput
          name="since"
          label={t.webhooks.since}
          hint={t.webhooks.sinceHint}
          inputMode="numeric"
          isRequired
          isFocused
        />
      </Form>
    </Dialog>
  )
}

interface WebhookSecretProps {
  readonly title: string
  readonly secret: string
  readonly onDone: () => void
}

/** Shows the signing secret once. */
export function WebhookSecret(props: WebhookSecretProps) {
  const { t } = useTexts()
  return (
    <NewSecret {...props}>
      <p>{t.webhooks.secretText}</p>
    </NewSecret>
  )
}
