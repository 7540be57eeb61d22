// Dialogs that replace a secret and show a new one, for keys and webhooks.

import type { ComponentChildren } from 'preact'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Secret } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'

/** How long the old secret stays valid. */
const OVERLAPS = ['0s', '1h', '1d', '7d'] as const

export type Overlap = (typeof OVERLAPS)[number]

interface RotateSecretProps {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly label: string
  readonly onRotate: (body: { readonly keep_old: Overlap }, filled: Filled) => Promise<void>
  readonly onClose: () => void
}

/** Asks how long the old secret stays valid, so that programs can switch. */
export function RotateSecret({ name, title, text, label, onRotate, onClose }: RotateSecretProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Form
        name={name}
        initial={{ keep_old: '1d' }}
        submit={t.keys.rotateSubmit}
        onSubmit={onRotate}
        isForgotten
      >
        <Select
          name="keep_old"
          label={label}
          options={OVERLAPS.map((value) => ({ value, text: t.keys.overlaps[value] }))}
        />
      </Form>
    </Dialog>
  )
}

interface NewSecretProps {
  readonly title: string
  readonly secret: string
  readonly children: ComponentChildren
  readonly onDone: () => void
}

/** Shows a new secret once. Only the button closes the dialog, so that a stray key press does not hide the secret. */
export function NewSecret({ title, secret, children, onDone }: NewSecretProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title}>
      <Secret secret={secret} />
      {children}
      <div class="dialog-actions">
        <Button kind="primary" onPress={onDone}>
          {t.keys.kept}
        </Button>
      </div>
    </Dialog>
  )
}
