// Puts a text where it can be pasted from, and says that it has.
//
//   <CopyButton text={secret} />

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** Where several are on a page: what it copies. */
  readonly label?: string
}

const TOLD_MS = 2_000

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
        onPress={() => void copy(text).then(() => setIsCopied(true))}
      />
      <span class="unseen" role="status">
        {isCopied ? t.general.copied : ''}
      </span>
    </>
  )
}

/** Without TLS browsers have no clipboard, but for the way of before. */
async function copy(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // A dialog lets nothing outside of it be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without TLS
  document.execCommand('copy')
  area.remove()
}
