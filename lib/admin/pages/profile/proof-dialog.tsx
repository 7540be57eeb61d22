// Asks for the password, and for a code if the second factor is on, so that an unattended session cannot
// change the sign-in.

import { Problem } from '../../client/problem.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { CodeInput, PasswordInput } from '../../ui/password-input.tsx'

interface Proof {
  readonly password: string
  readonly code?: string
}

interface ProofDialogProps {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly asksCode?: boolean
  readonly isDangerous?: boolean
  readonly onProof: (proof: Proof) => Promise<void>
  readonly onClose: () => void
}

export function ProofDialog(props: ProofDialogProps) {
  const { title, text, submit, asksCode, isDangerous, onProof, onClose } = props
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Form
        name="proof"
        initial={{ password: '', code: '' }}
        submit={submit}
        onSubmit={({ password, code }) =>
          onProof({ password, ...(asksCode === true && { code: code.trim() }) }).catch(
            (error: unknown) => {
              throw translateFaults(error, t)
            },
          )
        }
        {...(isDangerous === true && { isDangerous })}
        isForgotten
      >
        <PasswordInput
          name="password"
          label={t.profile.presentPassword}
          autoComplete="current-password"
          isFocused
        />
        {asksCode === true && <CodeInput />}
      </Form>
    </Dialog>
  )
}

/** Replaces known errors with texts in the page language. */
export function translateFaults(error: unknown, t: Speech['t']): unknown {
  if (!(error instanceof Problem)) return error
  const pointers = new Set(error.facts.errors.map(({ pointer }) => pointer))
  const faults = {
    ...(pointers.has('/password') && { password: t.profile.wrongPassword }),
    ...(pointers.has('/code') && { code: t.secondFactor.wrongCode }),
  }
  return Object.keys(faults).length === 0 ? error : new InvalidFields(faults)
}
