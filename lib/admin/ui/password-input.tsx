// A password input with a button that shows the password, and inputs for a new password and a one-time code. Their values
// are never stored.
//
//   <PasswordInput name="password" label={t.signIn.password} autoComplete="current-password" />

import { useLayoutEffect, useState } from 'preact/hooks'
import { PASSWORD_CHARACTERS } from '../../shared/limits.ts'
import { fill } from '../texts/fill.ts'
import { type Speech, useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Field, type Labeled } from './field.tsx'
import { InvalidFields } from './form.tsx'
import { TextInput } from './text-input.tsx'
import { useFocus } from './use-focus.ts'
import { type Bound, useBound, useForm } from './use-form.ts'

interface PasswordInputProps extends Labeled, Bound<string> {
  readonly autoComplete: 'current-password' | 'new-password'
  readonly isFocused?: boolean
}

export function PasswordInput(props: PasswordInputProps) {
  const { name, autoComplete, isFocused } = props
  const { t } = useTexts()
  const { keepSecret } = useForm()
  const { value, fault, change } = useBound(props, '')
  const ref = useFocus<HTMLInputElement>(isFocused)
  const [isShown, setIsShown] = useState(false)
  useLayoutEffect(() => keepSecret(name), [name])

  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <div class="input-with-button">
          <input
            ref={ref}
            id={id}
            name={name}
            class="input"
            type={isShown ? 'text' : 'password'}
            value={value}
            required
            autoComplete={autoComplete}
            autoCapitalize="off"
            spellcheck={false}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
          <Button
            kind="quiet"
            icon={isShown ? 'eyeOff' : 'eye'}
            label={isShown ? t.password.hide : t.password.show}
            onPress={() => setIsShown(!isShown)}
          />
        </div>
      )}
    </Field>
  )
}

/**
 * An input for a new password with its rules, and a check to run before sending.
 *
 *   <NewPassword name="password" label={t.profile.newPassword} />
 *   requireLong('password', password, t)
 */
interface NewPasswordProps {
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

interface CodeInputProps {
  /** Default: where codes come from. */
  readonly hint?: string
  readonly isFocused?: boolean
}

/** A field for a one-time code, which is never stored. */
export function CodeInput({ hint, isFocused = false }: CodeInputProps) {
  const { t } = useTexts()
  const { keepSecret } = useForm()
  useLayoutEffect(() => keepSecret('code'), [])
  return (
    <TextInput
      name="code"
      label={t.signIn.code}
      hint={hint ?? t.signIn.codeHint}
      autoComplete="one-time-code"
      isRequired
      isFocused={isFocused}
    />
  )
}
