// A password input with a button that shows the password. Its value is never stored.
//
//   <PasswordInput name="password" label={t.signIn.password} autoComplete="current-password" />

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Field, type Labelled } from './field.tsx'
import { useFocus } from './use-focus.ts'
import { type Bound, useBound, useForm } from './use-form.ts'

export interface PasswordInputProps extends Labelled, Bound<string> {
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
  useEffect(() => keepSecret(name), [name])

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
