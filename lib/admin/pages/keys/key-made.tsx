// Shows a new secret once, with a test command. Only the button closes the dialog, so that a stray key press does not
// hide the secret.

import { API } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine, Secret } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export interface KeyMadeProps {
  readonly title: string
  readonly secret: string
  readonly note?: string | undefined
  readonly onDone: () => void
}

export function KeyMade({ title, secret, note, onDone }: KeyMadeProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title}>
      <Secret secret={secret} />
      {note !== undefined && <p>{note}</p>}
      <div class="key-try">
        <p class="field-label">{t.keys.tryOut}</p>
        <CodeLine
          label={t.keys.tryOut}
          text={`curl -H 'Authorization: Bearer ${secret}' ${API}/me`}
        />
      </div>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onDone}>
          {t.keys.kept}
        </Button>
      </div>
    </Dialog>
  )
}
