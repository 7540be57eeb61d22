// Changes the user's own password. The current password is required, and all other sessions end.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Problem } from '../../client/problem.ts'
import { NewPassword, requireLong } from '../../ui/new-password.tsx'

type Values = Readonly<Record<'password' | 'new_password' | 'again', string>>

export function OwnPassword() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const toast = useToast()
  /** A sent form starts empty again. */
  const [round, setRound] = useState(0)

  async function change({ password, new_password, again }: Values): Promise<void> {
    requireLong('new_password', new_password, t)
    if (new_password !== again) throw new InvalidFields({ again: t.password.notSame })
    try {
      await dataOf(api.POST('/me/password', { body: { password, new_password } }))
    } catch (error) {
      if (isWrong(error)) throw new InvalidFields({ password: t.profile.wrongPassword })
      throw error
    }
    toast({ text: t.profile.passwordChanged })
    setRound(round + 1)
  }

  return (
    <Section title={t.profile.password}>
      <p class="quiet">{t.profile.passwordText}</p>
      <Form
        key={round}
        name="own-password"
        initial={{ password: '', new_password: '', again: '' }}
        submit={t.profile.changePassword}
        onSubmit={change}
        isForgotten
      >
        {/* Tells password managers which account this is. */}
        <input
          type="text"
          class="unseen"
          autoComplete="username"
          value={me?.user.name}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordInput
          name="password"
          label={t.profile.presentPassword}
          autoComplete="current-password"
        />
        <NewPassword name="new_password" label={t.profile.newPassword} />
        <PasswordInput name="again" label={t.password.again} autoComplete="new-password" />
      </Form>
    </Section>
  )
}

function isWrong(error: unknown): boolean {
  return (
    error instanceof Problem && error.facts.errors.some(({ pointer }) => pointer === '/password')
  )
}
