// Name and password, and a code if the server asks for one. Also used in the dialog of an expired session.

import { useState } from 'preact/hooks'
import { useClient } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Form } from '../../ui/form.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { OtherWay } from './other-way.tsx'

export interface SignInFormProps {
  /** The previous user's name. */
  readonly userName?: string
}

export function SignInForm({ userName = '' }: SignInFormProps) {
  const { t } = useTexts()
  const { session } = useClient()
  const [wantsCode, setWantsCode] = useState(false)

  async function signIn({ name, password, code }: Record<'name' | 'password' | 'code', string>) {
    try {
      await session.signIn({ name: name.trim(), password, ...(wantsCode && { code: code.trim() }) })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'code-required' || wantsCode) throw error
      setWantsCode(true)
    }
  }

  return (
    <>
      <Form
        name="sign-in"
        initial={{ name: userName, password: '', code: '' }}
        submit={t.signIn.submit}
        onSubmit={signIn}
        isWide
        isForgotten
      >
        <TextInput
          name="name"
          label={t.signIn.name}
          autoComplete="username"
          isRequired
          isFocused={userName === ''}
        />
        <PasswordInput
          name="password"
          label={t.signIn.password}
          autoComplete="current-password"
          isFocused={userName !== ''}
        />
        {wantsCode && (
          <TextInput
            name="code"
            label={t.signIn.code}
            hint={t.signIn.codeHint}
            autoComplete="one-time-code"
            isRequired
            isFocused
          />
        )}
      </Form>
      <OtherWay isElsewhere={userName !== ''} />
    </>
  )
}
