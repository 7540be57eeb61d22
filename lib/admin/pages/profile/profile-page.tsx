// The user's own account: permissions, password and sessions.

import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { NewPassword, PasswordInput, requireLong } from '../../ui/password-input.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Fact } from '../keys/key-facts.tsx'
import { Rights } from '../start/rights.tsx'
import type { User } from '../users/user.ts'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function ProfilePage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const id = me?.user.user_id ?? 0
  const { data, reload } = useRequest(
    // Without `fields`, the response has all fields.
    async (signal) =>
      (await dataOf(api.GET('/user/{id}', { signal, params: { path: { id } } }))) as User,
    [id],
  )
  return (
    <Page
      title={t.titles.profile}
      intro={t.profile.intro}
      actions={
        <ButtonLink href={pathOf('/profile/tokens')} icon="key">
          {t.titles.tokens}
        </ButtonLink>
      }
    >
      <dl class="facts card">
        <Fact name={t.users.name}>
          <bdi>{me?.user.name}</bdi>
        </Fact>
        <Fact name={t.users.role}>
          {data === undefined ? '…' : t.users.roles[data.role ?? 'none']}
        </Fact>
        <Fact name={t.users.email}>{data?.email ?? t.general.none}</Fact>
      </dl>
      <Rights />
      <OwnPassword />
      <SecondFactor user={data} onChanged={reload} />
      <Sessions />
    </Page>
  )
}

type Values = Readonly<Record<'password' | 'new_password' | 'again', string>>

/**
 * Changes the user's own password. The current password is required, and all other sessions end.
 */
function OwnPassword() {
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
