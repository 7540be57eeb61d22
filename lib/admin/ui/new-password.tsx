// An input for a new password with its rules, and a check to run before sending.
//
//   <NewPassword name="password" label={t.profile.newPassword} />
//   requireLong('password', password, t)

import { PASSWORD_CHARACTERS } from '../../shared/page-limits.ts'
import { fill } from '../texts/fill.ts'
import { type Speech, useTexts } from '../texts/use-texts.ts'
import { InvalidFields } from './form.tsx'
import { PasswordInput } from './password-input.tsx'

export interface NewPasswordProps {
  readonly name: string
  readonly label: string
  readonly isFocused?: boolean
}

export function NewPassword({ name, label, isFocused = false }: NewPasswordProps) {
  const { t } = useTexts()
  return (
    <PasswordInput
      name={name}
      label={label}
      hint={fill(t.password.hint, { count: PASSWORD_CHARACTERS })}
      autoComplete="new-password"
      isFocused={isFocused}
    />
  )
}

/** Checked first, because requests before the one with the password would already be done. */
export function requireLong(field: string, password: string, t: Speech['t']): void {
  if ([...password.normalize('NFC')].length >= PASSWORD_CHARACTERS) return
  throw new InvalidFields({ [field]: fill(t.password.tooShort, { count: PASSWORD_CHARACTERS }) })
}
