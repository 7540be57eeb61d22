// The user's second factor: status, remaining recovery codes, and actions.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { User } from '../users/user.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpFactor } from './set-up-factor.tsx'

export interface SecondFactorProps {
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
              <Button kind="danger" onPress={() => setStep('remove')}>
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
