// All users of the site, searched and sorted by the server.

import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery, Pagination, useCursors } from '../../ui/pagination.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, type Sort, Table } from '../../ui/table.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { NewUser } from './new-user.tsx'
import { roleName, roleOptions, useOwnRoles } from './roles.ts'
import { UserTabs } from './user-tabs.tsx'
import { hasLink, shownName, type User } from './user.ts'

interface UserSearch {
  readonly text: string
  /** '' for any role. */
  readonly role: string
  readonly sort: Sort
}

const FIRST_SEARCH: UserSearch = { text: '', role: '', sort: { by: 'name', isDown: false } }

export function UsersPage() {
  const { t, formats } = useTexts()
  const api = useApi()
  const { route, query } = useLocation()
  const [search, setSearch] = useState({ ...FIRST_SEARCH, role: query['role'] ?? '' })
  const { isMaking, setIsMaking } = useMaking(query['new'] === 'user')
  const pages = useCursors()
  const { cursor } = pages
  const { data, error, isLoading, reload } = useRequest(
    (signal) => searchUsers(api, { ...search, cursor, signal }),
    [search, cursor],
  )
  const change = (next: UserSearch): void => {
    pages.restart()
    setSearch(next)
  }

  return (
    <Page
      title={t.titles.users}
      intro={t.users.intro}
      actions={
        <Button kind="primary" icon="plus" onPress={() => setIsMaking(true)}>
          {t.acts.newUser}
        </Button>
      }
      isWide
    >
      <UserTabs of="users" />
      <Filters search={search} onSearch={change} />
      <Loading data={data} error={error} reload={reload} lines={8} />
      {data?.users.length === 0 && (
        <EmptyState
          icon="search"
          title={t.users.notFound}
          action={<Button onPress={() => change(FIRST_SEARCH)}>{t.keys.showAll}</Button>}
        >
          {t.keys.notFoundText}
        </EmptyState>
      )}
      {data !== undefined && data.users.length > 0 && (
        <UserTable data={data} search={search} onSearch={change} isStale={isLoading} />
      )}
      {data !== undefined && (
        <Pagination pages={pages} next={data.next}>
          {formats.count(t.general.total, data.total)}
        </Pagination>
      )}
      {isMaking && (
        <NewUser
          onClose={() => setIsMaking(false)}
          onMade={(id) => route(pathOf(`/users/${id}`))}
        />
      )}
    </Page>
  )
}

function useMaking(isAtFirst: boolean) {
  const { t } = useTexts()
  const [isMaking, setIsMaking] = useState(isAtFirst)
  const run = (): void => setIsMaking(true)
  useActions([{ id: 'new-user', text: t.acts.newUser, icon: 'plus', keys: 'n', run }])
  return { isMaking, setIsMaking }
}

interface FiltersProps {
  readonly search: UserSearch
  readonly onSearch: (search: UserSearch) => void
}

interface UserTableProps extends FiltersProps {
  readonly data: { readonly users: readonly User[] }
  readonly isStale: boolean
}

function UserTable({ data, search, onSearch, isStale }: UserTableProps) {
  const { t, formats } = useTexts()
  return (
    <Table
      label={t.titles.users}
      rows={data.users}
      columns={columnsIn({ t, formats })}
      keyOf={(user) => user.user_id}
      nameOf={(user) => user.name}
      sort={search.sort}
      onSort={(sort) => onSearch({ ...search, sort })}
      isStale={isStale}
    />
  )
}

const PAUSE_MS = 200

function Filters({ search, onSearch }: FiltersProps) {
  const { t } = useTexts()
  const [text, setText] = useState(search.text)
  useEffect(() => setText(search.text), [search.text])
  useEffect(() => {
    if (text.trim() === search.text) return undefined
    const timer = setTimeout(() => onSearch({ ...search, text: text.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: own } = useOwnRoles()
  return (
    <div class="filters" role="search">
      <TextInput name="find" type="search" label={t.keys.find} value={text} onChange={setText} />
      <Select
        name="of-role"
        label={t.users.role}
        value={search.role}
        onChange={(role) => onSearch({ ...search, role })}
        options={[
          { value: '', text: t.users.anyRole },
          ...roleOptions(t, { own, value: search.role }),
        ]}
      />
    </div>
  )
}

interface Asked extends UserSearch {
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

async function searchUsers(api: Api, { text, role, sort, cursor, signal }: Asked) {
  const query = {
    ...pageQuery({ sort, cursor }),
    ...(text !== '' && { table_filter: text }),
    ...(role !== '' && { qry: JSON.stringify({ role }) }),
  }
  const { user, page } = await dataOf(api.GET('/user', { signal, params: { query } }))
  // Without `fields`, the response has all fields.
  const users = user as readonly User[]
  return { users, total: page.total ?? users.length, next: page.next }
}

function columnsIn({ t, formats }: Pick<Speech, 't' | 'formats'>): readonly Column<User>[] {
  return [
    {
      id: 'name',
      head: t.users.name,
      cell: (user) => (
        <span class="user-name">
          <Link href={pathOf(`/users/${user.user_id}`)}>
            <bdi class="clip">{shownName(user)}</bdi>
          </Link>
          {user.display_name !== null && <bdi class="clip quiet">{user.name}</bdi>}
        </span>
      ),
      canSort: true,
    },
    {
      id: 'role',
      head: t.users.role,
      cell: ({ role }) => <span class="table-line">{roleName(role, t)}</span>,
      canSort: true,
    },
    {
      id: 'category_roles',
      head: t.users.folderRoles,
      cell: ({ category_roles: roles }) =>
        roles === null || roles.length === 0 ? (
          <span class="quiet">{t.general.none}</span>
        ) : (
          <span class="table-line">{formats.count(t.users.inFolders, roles.length)}</span>
        ),
    },
    {
      id: 'status',
      head: t.keys.state,
      cell: ({ status }) => <UserBadge status={status} />,
      canSort: true,
    },
    {
      id: 'has_password',
      head: t.users.signsIn,
      cell: (user) => <span class="table-line">{signInText(user, t)}</span>,
    },
    {
      id: 'email',
      head: t.users.email,
      cell: ({ email }) => <bdi class="clip">{email}</bdi>,
    },
    {
      id: 'date_added',
      head: t.keys.added,
      cell: ({ date_added: date }) => <DateTime date={date} isRelative />,
      canSort: true,
    },
  ]
}

function signInText(user: User, t: Speech['t']): string {
  if (user.has_password) return t.users.withPassword
  return hasLink(user) ? t.users.invited : t.users.withoutPassword
}

export function UserBadge({ status }: Pick<User, 'status'>) {
  const { t } = useTexts()
  const isActive = status === 'active'
  return (
    <Badge kind={isActive ? 'live' : 'draft'}>
      {t.users.states[isActive ? 'active' : 'disabled']}
    </Badge>
  )
}
