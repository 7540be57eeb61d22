// The user's own account: permissions, password and sessions.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { NewPassword, PasswordInput, requireLong } from '../../ui/password-input.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Key } from '../keys/key.ts'
import { Rights } from '../start/rights.tsx'
import { roleName } from '../users/roles.ts'
import { SharedLinks } from '../users/shared-links.tsx'
import type { User } from '../users/user.ts'
import { SecondFactor } from './second-factor.tsx'

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
      <Facts
        facts={[
          [t.users.name, <bdi>{me?.user.name}</bdi>],
          [t.users.displayName, <bdi>{me?.user.display_name ?? t.general.none}</bdi>],
          [t.users.role, data === undefined ? '…' : roleName(data.role, t)],
          [t.users.email, data?.email ?? t.general.none],
        ]}
      />
      <Rights />
      <OwnPassword />
      <SecondFactor user={data} onChanged={reload} />
      <Sessions />
      {id > 0 && (
        <SharedLinks userId={id} title={t.profile.links.title} about={t.profile.links.about} />
      )}
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

/** The user's sessions, with buttons to end one or all of them. */
function Sessions() {
  const { t } = useTexts()
  const api = useApi()
  const own = useMe()
  const toast = useToast()
  const id = own?.user.user_id ?? 0
  const { data, error, reload } = useRequest((signal) => readSessions(api, id, signal), [id])

  async function end(session: Key): Promise<void> {
    try {
      const params = { path: { id: session.api_key_id } }
      await dataOf(api.DELETE('/api_key/{id}', { params }))
      toast({ text: fill(t.profile.signedOut, { name: session.name }) })
    } catch (reason) {
      toast.problem(reason)
    }
    reload()
  }

  return (
    <Section title={t.profile.sessions}>
      <p class="quiet">{t.profile.sessionsText}</p>
      <Loading data={data} error={error} reload={reload} lines={2} />
      {data !== undefined && (
        <ul class="sessions card">
          {data.map((session) => (
            <Session
              key={session.api_key_id}
              session={session}
              isThis={session.api_key_id === own?.api_key.api_key_id}
              onEnd={() => void end(session)}
            />
          ))}
        </ul>
      )}
      <Everywhere />
    </Section>
  )
}

async function readSessions(api: Api, id: number, signal: AbortSignal): Promise<readonly Key[]> {
  const qry = JSON.stringify({ user_id: id, date_signed_in: { $exists: true } })
  const query = { qry, orderStr: 'date_added', orderDir: 'DESC' }
  const found = await dataOf(api.GET('/api_key', { signal, params: { query } }))
  // Without `fields`, the response has all fields.
  return found.api_key as readonly Key[]
}

interface SessionProps {
  readonly session: Key
  readonly isThis: boolean
  readonly onEnd: () => void
}

function Session({ session, isThis, onEnd }: SessionProps) {
  const { t } = useTexts()
  const { name, date_signed_in: since, last_used: used } = session
  return (
    <li class="session">
      <div>
        <p class="session-name">
          <bdi>{name}</bdi>
          {isThis && <Badge kind="live">{t.profile.thisSession}</Badge>}
        </p>
        <p class="quiet">
          {t.profile.since} <DateTime date={since} />
          {used !== null && (
            <>
              {' · '}
              {t.profile.used} <DateTime date={used} isRelative />
            </>
          )}
        </p>
      </div>
      {!isThis && <Button onPress={onEnd}>{t.profile.signOutThere}</Button>}
    </li>
  )
}

function Everywhere() {
  const { t } = useTexts()
  const { session } = useClient()
  const { route } = useLocation()
  const confirm = useConfirm()
  const toast = useToast()

  async function signOut(): Promise<void> {
    const isSure = await confirm({
      title: t.profile.everywhereTitle,
      text: t.profile.everywhereText,
      action: t.profile.everywhere,
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await session.signOut({ isEverywhere: true })
      route(pathOf('/sign-in'))
    } catch (error) {
      toast.problem(error)
    }
  }

  return (
    <div>
      <Button icon="signOut" onPress={() => void signOut()}>
        {t.profile.everywhere}
      </Button>
    </div>
  )
}
