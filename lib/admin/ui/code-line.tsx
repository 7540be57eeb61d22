// A line to copy: a command, an address or a secret.
//
//   <CodeLine text={`curl ${address}`} label={t.start.uploadTitle} />
//   <Secret secret={made.secret} />                 with a note that it is shown only once

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface CodeLineProps {
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

interface CopyButtonProps {
  readonly text: string
  /** Names the text if a page has several copy buttons. */
  readonly label?: string
}

const TOLD_MS = 2_000

/**
 * Copies a text to the clipboard, and confirms that.
 *
 *   <CopyButton text={secret} />
 */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTexts()
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setIsCopied(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  return (
    <>
      <Button
        icon={isCopied ? 'check' : 'copy'}
        label={label ?? t.general.copy}
        onPress={() => void copyText(text).then(() => setIsCopied(true))}
      />
      <span class="unseen" role="status">
        {isCopied ? t.general.copied : ''}
      </span>
    </>
  )
}

/** Browsers have no Clipboard API without TLS, so this falls back to execCommand(). */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Inside a modal dialog, only its content can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without TLS
  document.execCommand('copy')
  area.remove()
}
