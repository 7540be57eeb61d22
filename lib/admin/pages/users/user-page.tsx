// One user: facts, roles, and permissions by folder.

import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { isRole } from '../../../shared/grants.ts'
import { pathOf } from '../../client/address.ts'
import { type Api, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { type Requested, useRequest } from '../../ui/use-request.ts'
import { ToWhy, WhyDenied } from '../keys/why-denied.tsx'
import { DeleteUser, SetPassword, useFactorRemoval, useKeyCount } from './user-dialogs.tsx'
import { type MadeLink, makeLink, UserLink } from './user-link.tsx'
import { hasLink, isLastAdmin, shownName, type User } from './user.ts'
import { grantNames } from './roles.ts'
import { UserForm } from './user-form.tsx'
import { UserBadge } from './users-page.tsx'
import { SharedLinks } from './shared-links.tsx'
import { WhoMayWhat } from './who-may-what.tsx'

export function UserPage() {
  const { t } = useTexts()
  const api = useApi()
  const id = Number(useRoute().params['id'])
  const found = useRequest((signal) => readUser(api, id, signal), [id])
  const { data } = found
  const up = <Link href={pathOf('/users')}>{t.titles.users}</Link>
  if (data === undefined) return <LoadingPage title={t.titles.user} intro={up} found={found} />
  return (
    <Page
      key={id}
      title={shownName(data.record)}
      intro={up}
      actions={<UserActions fetched={data} found={found} />}
    >
      <UserFacts user={data.record} />
      <div id="change">
        <Section title={t.keys.change}>
          <UserForm fetched={data} read={() => readUser(api, id)} onFetched={found.set} />
        </Section>
      </div>
      <WhoMayWhat user={data.record} />
      <SharedLinks
        userId={id}
        title={t.profile.links.titleOfUser}
        about={t.profile.links.aboutOfUser}
      />
      <WhyDenied of={{ kind: 'user', id, name: data.record.name, userId: id, etag: data.etag }} />
    </Page>
  )
}

async function readUser(api: Api, id: number, signal?: AbortSignal): Promise<Fetched<User>> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  return (await recordOf(api.GET('/user/{id}', init))) as Fetched<User>
}

function UserFacts({ user }: { readonly user: User }) {
  const speech = useTexts()
  const { t } = speech
  const keys = useKeyCount(user.user_id)
  return (
    <Facts
      facts={[
        [t.users.name, <bdi>{user.name}</bdi>],
        [t.keys.state, <UserBadge status={user.status} />],
        [t.keys.grants, rightsText(user, speech)],
        [t.users.signsIn, signInText(user, speech)],
        [
          t.titles.keys,
          <Link href={`${pathOf('/keys')}?user=${user.user_id}`}>{keys ?? '…'}</Link>,
        ],
        [t.keys.added, <DateTime date={user.date_added} />],
        [t.keys.madeBy, <Person name={user.owner} />],
      ]}
    />
  )
}

/** Names the grants of the role, and counts the folders in which another role decides. */
function rightsText(
  { role, role_grants: own, category_roles: folders }: User,
  { t, formats }: Speech,
): string {
  const grants = role === null ? undefined : own?.[role]
  const text =
    grants !== undefined ? grantNames(grants, t) : t.users.roleTexts[isRole(role) ? role : 'none']
  const count = folders?.length ?? 0
  if (count === 0) return text
  return `${text} ${formats.count(t.users.otherInFolders, count)}`
}

function signInText(user: User, { t, formats }: Speech): string {
  const own = !user.has_password
    ? t.users.withoutPassword
    : user.has_second_factor
      ? t.secondFactor.ofUser
      : t.users.withPassword
  if (!hasLink(user)) return own
  const date = formats.dateTime(new Date(user.date_link_expires ?? ''))
  return `${own}. ${fill(t.users.linkUntil, { date })}`
}

interface UserActionsProps {
  readonly fetched: Fetched<User>
  readonly found: Requested<Fetched<User>>
}

function UserActions({ fetched, found }: UserActionsProps) {
  const { t } = useTexts()
  const setStatus = useStatus({ fetched, found })
  const toast = useToast()
  const { route } = useLocation()
  const own = useMe()?.user.user_id
  const [open, setOpen] = useState<'password' | 'delete'>()
  const { record, etag } = fetched
  const { user_id: id, name } = record
  const isActive = record.status === 'active'
  const removeFactor = useFactorRemoval(record, found.reload)

  if (id === own) return <ButtonLink href={pathOf('/profile')}>{t.users.toProfile}</ButtonLink>
  return (
    <>
      <ToWhy />
      {isActive && <LinkButton user={record} onMade={found.reload} />}
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.users.more }}
        items={[
          { text: t.users.setPassword, icon: 'key', onChoose: () => setOpen('password') },
          ...(record.has_second_factor
            ? [{ text: t.secondFactor.takeAway, onChoose: () => void removeFactor() }]
            : []),
          {
            text: isActive ? t.users.disable : t.users.enable,
            icon: isActive ? 'pause' : 'play',
            onChoose: () => void setStatus(isActive ? 'disabled' : 'active', etag),
          },
          {
            text: t.keys.delete,
            icon: 'trash',
            isDangerous: true,
            onChoose: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'password' && (
        <SetPassword
          user={record}
          onClose={() => setOpen(undefined)}
          onSet={() => {
            setOpen(undefined)
            found.reload()
          }}
        />
      )}
      {open === 'delete' && (
        <DeleteUser
          fetched={fetched}
          onClose={() => setOpen(undefined)}
          onDeleted={() => {
            toast({ text: fill(t.users.deleted, { name }) })
            route(pathOf('/users'))
          }}
        />
      )}
    </>
  )
}

interface LinkButtonProps {
  readonly user: User
  readonly onMade: () => void
}

function LinkButton({ user, onMade }: LinkButtonProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [link, setLink] = useState<MadeLink>()

  function done(): void {
    setLink(undefined)
    onMade()
  }

  return (
    <>
      <Button icon="send" onPress={() => void makeLink(api, user).then(setLink, toast.problem)}>
        {user.has_password ? t.users.newPasswordLink : t.users.newLink}
      </Button>
      {link !== undefined && <UserLink link={link} onDone={done} />}
    </>
  )
}

function useStatus({ fetched, found }: UserActionsProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { user_id: id, name } = fetched.record

  async function setStatus(status: 'active' | 'disabled', of: string): Promise<void> {
    try {
      const params = { path: { id }, header: { 'If-Match': of } }
      const next = await recordOf(api.PATCH('/user/{id}', { params, body: { status } }))
      found.set(next)
      const back = status === 'active' ? 'disabled' : 'active'
      toast({
        text: fill(status === 'active' ? t.users.enabled : t.users.disabled, { name }),
        action: { text: t.general.undo, onPress: () => void setStatus(back, next.etag) },
      })
    } catch (error) {
      if (isLastAdmin(error)) toast({ text: t.users.lastAdmin, isFault: true })
      else toast.problem(error)
      found.reload()
    }
  }

  return setStatus
}
