// A line to copy: a command, an address or a secret.
//
//   <CodeLine text={`curl ${address}`} label={t.start.uploadTitle} />
//   <Secret secret={made.secret} />                 with a note that it is shown only once

import { useTexts } from '../texts/use-texts.ts'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'

export interface CodeLineProps {
  readonly text: string
  /** Accessible name of the copied text. */
  readonly label?: string
}

export function CodeLine({ text, label }: CodeLineProps) {
  const { t } = useTexts()
  return (
    <div class="code-line">
      <code role="group" aria-label={label ?? t.general.copy}>
        {text}
      </code>
      <CopyButton
        text={text}
        label={label === undefined ? t.general.copy : `${t.general.copy}: ${label}`}
      />
    </div>
  )
}

export function Secret({ secret }: { readonly secret: string }) {
  const { t } = useTexts()
  return (
    <div class="secret">
      <CodeLine text={secret} label={t.secret.label} />
      <p class="secret-note">
        <Icon name="info" />
        {t.secret.once}
      </p>
    </div>
  )
}
