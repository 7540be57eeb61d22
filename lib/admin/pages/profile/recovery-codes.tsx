// Shows new recovery codes once, to copy, download or print. Only the button closes the dialog.

import { SERVER } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { saveText } from '../../client/save-file.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

export interface RecoveryCodesProps {
  readonly codes: readonly string[]
  /** The second factor was just turned on. */
  readonly isFirst?: boolean
  readonly onDone: () => void
}

export function RecoveryCodes({ codes, isFirst, onDone }: RecoveryCodesProps) {
  const { t } = useTexts()
  const toast = useToast()
  const name = useMe()?.user.name ?? ''
  const heading = fill(t.secondFactor.codesOf, { name, site: new URL(SERVER).host })
  const text = `${[heading, '', ...codes].join('\n')}\n`
  return (
    <Dialog title={t.secondFactor.codes}>
      {isFirst === true && <p>{t.secondFactor.isOn}</p>}
      <p>{t.secondFactor.codesText}</p>
      <p class="printed-only">{heading}</p>
      <ol class="recovery-codes" aria-label={t.secondFactor.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="recovery-actions">
        <CopyButton text={codes.join('\n')} label={t.secondFactor.copyCodes} />
        <Button
          icon="download"
          onPress={() => void saveText('recovery-codes.txt', text).catch(toast.problem)}
        >
          {t.secondFactor.download}
        </Button>
        <Button icon="printer" onPress={() => print()}>
          {t.secondFactor.print}
        </Button>
      </div>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onDone}>
          {t.keys.kept}
        </Button>
      </div>
    </Dialog>
  )
}
