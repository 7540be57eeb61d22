// The user's own account: permissions, password and sessions.

import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Fact } from '../keys/key-facts.tsx'
import { Rights } from '../start/rights.tsx'
import type { User } from '../users/user.ts'
import { OwnPassword } from './own-password.tsx'
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
