// Step 1: sets the password of the first user. It is typed twice, because nobody could reset it.

import { useClient } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { NarrowPage } from '../../ui/narrow-page.tsx'
import { NewPassword, requireLong } from '../../ui/new-password.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** The first user of a new server. */
const FIRST_USER = 'admin'

export interface FirstPasswordProps {
  readonly token: string
  readonly onDone: () => void
  /** The code has expired. */
  readonly onOver: () => void
}

export function FirstPassword({ token, onDone, onOver }: FirstPasswordProps) {
  const { t } = useTexts()
  const { session } = useClient()

  async function setPassword({ password, again }: Record<'password' | 'again', string>) {
    requireLong('password', password, t)
    if (password !== again) throw new InvalidFields({ again: t.password.notSame })
    try {
      await session.signInFirst({ token, password })
      onDone()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'welcome-over') throw error
      onOver()
    }
  }

  return (
    <NarrowPage title={t.welcome.passwordTitle} above={fill(t.welcome.steps, { step: 1 })}>
      <p>{t.welcome.passwordText}</p>
      <Form
        name="welcome-password"
        initial={{ password: '', again: '' }}
        submit={t.welcome.setPassword}
        onSubmit={setPassword}
        isWide
      >
        {/* Tells password managers which account this is. */}
        <TextInput
          name="user"
          label={t.welcome.user}
          value={FIRST_USER}
          autoComplete="username"
          isReadOnly
        />
        <NewPassword name="password" label={t.welcome.password} isFocused />
        <PasswordInput name="again" label={t.password.again} autoComplete="new-password" />
      </Form>
    </NarrowPage>
  )
}
