// The user's second factor: status, remaining recovery codes, and actions.

import { useState } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { saveText } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeLine, CopyButton } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CodeInput } from '../../ui/password-input.tsx'
import { Section } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { User } from '../users/user.ts'
import { translateFaults, ProofDialog } from './proof-dialog.tsx'

interface SecondFactorProps {
  /** Undefined while loading. */
  readonly user: User | undefined
  readonly onChanged: () => void
}

/** Below this number, the page advises new codes. */
const FEW = 3

export function SecondFactor({ user, onChanged }: SecondFactorProps) {
  const { t } = useTexts()
  return (
    <Section title={t.secondFactor.title}>
      <p class="quiet">{t.secondFactor.text}</p>
      {user === undefined ? <Skeleton lines={1} /> : <State user={user} onChanged={onChanged} />}
    </Section>
  )
}

type Step = 'set-up' | 'renew' | 'remove'

interface StateProps extends SecondFactorProps {
  readonly user: User
}

function State({ user, onChanged }: StateProps) {
  const { t, formats } = useTexts()
  const [step, setStep] = useState<Step>()
  // The server returns both fields for the user's own account.
  const isOn = user.has_second_factor === true
  const left = user.recovery_codes_left ?? 0
  const close = (): void => setStep(undefined)
  if (!user.has_password && !isOn) return <p>{t.secondFactor.needsPassword}</p>
  return (
    <>
      <div class="second-factor card">
        <div>
          <p class="session-name">
            {t.secondFactor.app}
            <Badge kind={isOn ? 'live' : 'draft'}>
              {isOn ? t.secondFactor.on : t.secondFactor.off}
            </Badge>
          </p>
          {isOn && <p class="quiet">{formats.count(t.secondFactor.left, left)}</p>}
        </div>
        <div class="second-factor-actions">
          {isOn ? (
            <>
              <Button onPress={() => setStep('renew')}>{t.secondFactor.renew}</Button>
              <Button onPress={() => setStep('set-up')}>{t.secondFactor.replace}</Button>
              <Button kind="quiet" onPress={() => setStep('remove')}>
                {t.secondFactor.remove}
              </Button>
            </>
          ) : (
            <Button icon="key" onPress={() => setStep('set-up')}>
              {t.secondFactor.setUp}
            </Button>
          )}
        </div>
      </div>
      {isOn && left < FEW && <Notice kind="danger" title={t.secondFactor.few} />}
      {step === 'set-up' && <SetUpFactor hasOne={isOn} onChanged={onChanged} onClose={close} />}
      {step === 'renew' && <RenewCodes onChanged={onChanged} onClose={close} />}
      {step === 'remove' && <RemoveFactor onChanged={onChanged} onClose={close} />}
    </>
  )
}

interface DialogProps {
  readonly onChanged: () => void
  readonly onClose: () => void
}

function RenewCodes({ onChanged, onClose }: DialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onClose} />
  return (
    <ProofDialog
      title={t.secondFactor.renew}
      text={t.secondFactor.renewText}
      submit={t.secondFactor.renewSubmit}
      asksCode
      onClose={onClose}
      onProof={async (body) => {
        const made = await dataOf(api.POST('/me/recovery_codes', { body }))
        setCodes(made.recovery_codes)
        onChanged()
      }}
    />
  )
}

function RemoveFactor({ onChanged, onClose }: DialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  return (
    <ProofDialog
      title={t.secondFactor.removeTitle}
      text={t.secondFactor.removeText}
      submit={t.secondFactor.remove}
      asksCode
      isDangerous
      onClose={onClose}
      onProof={async (body) => {
        await dataOf(api.POST('/me/second_factor/remove', { body }))
        toast({ text: t.secondFactor.removed })
        onClose()
        onChanged()
      }}
    />
  )
}

interface SetUpFactorProps {
  /** The existing factor stays valid until the new one is confirmed. */
  readonly hasOne: boolean
  readonly onChanged: () => void
  readonly onClose: () => void
}

interface ShownFactor {
  readonly secret: string
  readonly uri: string
}

/**
 * Sets up the second factor in three steps: the password, the QR code with a first code, and the recovery
 * codes.
 */
function SetUpFactor({ hasOne, onChanged, onClose }: SetUpFactorProps) {
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
        throw translateFaults(error, t)
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

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  /** The second factor was just turned on. */
  readonly isFirst?: boolean
  readonly onDone: () => void
}

/**
 * Shows new recovery codes once, to copy, download or print. Only the button closes the dialog.
 */
function RecoveryCodes({ codes, isFirst, onDone }: RecoveryCodesProps) {
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
