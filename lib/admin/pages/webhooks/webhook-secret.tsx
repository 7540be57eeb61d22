// Shows the signing secret once. Only the button closes the dialog.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Secret } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export interface WebhookSecretProps {
  readonly title: string
  readonly secret: string
  readonly onDone: () => void
}

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
