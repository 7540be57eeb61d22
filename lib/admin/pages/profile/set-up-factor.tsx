// Sets up the second factor in three steps: the password, the QR code with a first code, and the recovery
// codes.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { CodeInput } from './code-input.tsx'
import { inOwnWords, ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface SetUpFactorProps {
  /** The existing factor stays valid until the new one is confirmed. */
  readonly hasOne: boolean
  readonly onChanged: () => void
  readonly onClose: () => void
}

interface ShownFactor {
  readonly secret: string
  readonly uri: string
}

export function SetUpFactor({ hasOne, onChanged, onClose }: SetUpFactorProps) {
  const { t } = useTexts()
  const api = useApi()
  const [shown, setShown] = useState<ShownFactor>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} isFirst onDone={onClose} />
  if (shown === undefined) {
    return (
      <ProofDialog
        title={hasOne ? t.secondFactor.replace : t.secondFactor.setUp}
        text={hasOne ? t.secondFactor.replaceText : t.secondFactor.setUpText}
        submit={t.secondFactor.goOn}
        asksCode={hasOne}
        onClose={onClose}
        onProof={async (body) => setShown(await dataOf(api.POST('/me/second_factor', { body })))}
      />
    )
  }

  async function confirm({ code }: { readonly code: string }): Promise<void> {
    const body = { code: code.trim() }
    const made = await dataOf(api.POST('/me/second_factor/confirm', { body })).catch(
      (error: unknown) => {
        throw inOwnWords(error, t)
      },
    )
    setCodes(made.recovery_codes)
    onChanged()
  }

  return (
    <Dialog title={t.secondFactor.scanTitle} onClose={onClose}>
      <p>{t.secondFactor.scanText}</p>
      <div class="scan">
        <QrCode text={shown.uri} label={t.secondFactor.qrCode} />
        <div class="scan-secret">
          <p>{t.secondFactor.cannotScan}</p>
          <CodeLine text={inGroups(shown.secret)} label={t.secret.label} />
        </div>
      </div>
      <Form
        name="confirm-factor"
        initial={{ code: '' }}
        submit={t.secondFactor.confirm}
        onSubmit={confirm}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
        isForgotten
      >
        <CodeInput hint={t.secondFactor.codeHint} isFocused />
      </Form>
    </Dialog>
  )
}

/** Groups of four are easier to type; apps accept the spaces. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
