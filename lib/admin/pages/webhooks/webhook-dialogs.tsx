// The dialogs that rotate the secret and resend changes.

import { useState } from 'preact/hooks'
import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Secret } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Held } from '../../ui/use-edit.ts'
import type { Webhook } from './webhook.tsx'

interface WebhookDialogProps {
  readonly held: Held<Webhook>
  readonly onHeld: (held: Held<Webhook>) => void
  readonly onClose: () => void
}

const OVERLAPS = ['0s', '1h', '1d', '7d'] as const

export function RotateDialog({ held, onHeld, onClose }: WebhookDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const { webhook_id: id, name } = held.record
  const [secret, setSecret] = useState<string>()

  async function rotate(body: { readonly keep_old: string }, { once }: Filled): Promise<void> {
    const params = { path: { id }, header: { 'If-Match': held.etag, ...once(body) } }
    const { record, etag } = await recordOf(api.POST('/webhook/{id}/rotate', { params, body }))
    onHeld({ record, etag })
    setSecret(record.secret)
  }

  if (secret !== undefined) {
    const title = fill(t.webhooks.rotatedTitle, { name })
    return <WebhookSecret title={title} secret={secret} onDone={onClose} />
  }
  return (
    <Dialog title={fill(t.webhooks.rotateTitle, { name })} onClose={onClose}>
      <p>{t.webhooks.rotateText}</p>
      <Form
        name={`rotate-webhook-${id}`}
        initial={{ keep_old: '1d' }}
        submit={t.keys.rotateSubmit}
        onSubmit={rotate}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
        isForgotten
      >
        <Select
          name="keep_old"
          label={t.webhooks.keepOld}
          options={OVERLAPS.map((value) => ({ value, text: t.keys.overlaps[value] }))}
        />
      </Form>
    </Dialog>
  )
}

export function ReplayDialog({ held, onHeld, onClose }: WebhookDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { webhook_id: id, name, position } = held.record

  async function replay({ since }: { readonly since: string }): Promise<void> {
    if (!/^\d{1,15}$/.test(since.trim())) throw new InvalidFields({ since: t.webhooks.sinceFault })
    const params = { path: { id }, header: { 'If-Match': held.etag } }
    const body = { since: Number(since) }
    onHeld(await recordOf<Webhook>(api.POST('/webhook/{id}/replay', { params, body })))
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
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
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

/** Shows the signing secret once. Only the button closes the dialog. */
export function WebhookSecret({ title, secret, onDone }: WebhookSecretProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title}>
      <Secret secret={secret} />
      <p>{t.webhooks.secretText}</p>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onDone}>
          {t.keys.kept}
        </Button>
      </div>
    </Dialog>
  )
}
