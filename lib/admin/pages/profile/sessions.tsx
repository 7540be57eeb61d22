// The user's sessions, with buttons to end one or all of them.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Key } from '../keys/key.ts'

export function Sessions() {
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
      {error !== undefined && <ProblemNotice error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton lines={2} />}
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
