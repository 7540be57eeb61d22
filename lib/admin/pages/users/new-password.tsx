// A field for the password of somebody else, and what it has to be.

import { useTexts } from '../../texts/use-texts.ts'
import { InvalidFields } from '../../ui/form.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

/** As the server has it. */
const FEWEST = 12

export function NewPassword({ name, label }: { readonly name: string; readonly label: string }) {
  const { t } = useTexts()
  return (
    <PasswordInput
      name={name}
      label={label}
      hint={t.profile.passwordHint}
      autoComplete="new-password"
    />
  )
}

/** Before anything is sent: what comes before it would be done already. */
export function requireLong(field: string, password: string, text: string): void {
  if ([...password.normalize('NFC')].length < FEWEST) throw new InvalidFields({ [field]: text })
}
