// The read-only facts and the status of a key.

import { type Grant, ROLE_NAMES, ROLES } from '../../../shared/grants.ts'
import { pathOf } from '../../client/address.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Person } from '../../ui/person.tsx'
import type { Column } from '../../ui/table.tsx'
import { isEndedByClock, type Key, type ShownKey, textOfGrants } from './key.ts'
import type { FoundKeys } from './key-search.ts'

export function KeyFacts({ shown, base }: { readonly shown: ShownKey; readonly base: string }) {
  const { t } = useTexts()
  const { record: key, users, folders, maker } = shown
  const { user_id: user, asset_category_id: folder, made_by: made } = key
  return (
    <Facts
      facts={[
        [
          t.keys.state,
          <>
            <KeyBadge of={key} />
            {isEndedByClock(key) && <span class="quiet"> {t.keys.endedByClock}</span>}
          </>,
        ],
        [t.keys.user, <bdi>{users.get(user ?? 0) ?? `#${user}`}</bdi>],
        [t.keys.grants, powerText(key, t)],
        [
          t.keys.folder,
          folder === null ? t.picker.everywhere : <bdi>{folders.get(folder) ?? `#${folder}`}</bdi>,
        ],
        [t.keys.expires, <Expires of={key} />],
        [t.keys.lastUsed, <LastUsed date={key.last_used} />],
        [t.keys.hint, <code>{key.hint}</code>],
        [t.keys.added, <DateTime date={key.date_added} />],
        [
          t.keys.madeBy,
          <>
            <Person name={key.owner} />
            {maker !== undefined && (
              <>
                {' · '}
                <Link href={pathOf(`${base}/${made}`)}>
                  <bdi>{maker}</bdi>
                </Link>
              </>
            )}
          </>,
        ],
      ]}
    />
  )
}

interface KeyColumnsOptions extends Pick<FoundKeys, 'users' | 'folders'> {
  readonly t: Speech['t']
  readonly isOfAll: boolean
  /** Base path of key pages: /keys. */
  readonly base: string
}

export function keyColumns(options: KeyColumnsOptions): readonly Column<Key>[] {
  const { t, users, folders, isOfAll, base } = options
  const user: Column<Key> = {
    id: 'user_id',
    head: t.keys.user,
    cell: ({ user_id: id }) => <bdi class="clip">{users.get(id ?? 0) ?? `#${id}`}</bdi>,
    canSort: true,
  }
  return [
    {
      id: 'name',
      head: t.keys.name,
      cell: (key) => (
        <span class="key-name">
          <Link href={pathOf(`${base}/${key.api_key_id}`)}>
            <bdi class="clip">{key.name}</bdi>
          </Link>
          <code>{key.hint}</code>
        </span>
      ),
      canSort: true,
    },
    ...(isOfAll ? [user] : []),
    {
      id: 'status',
      head: t.keys.state,
      cell: (key) => <KeyBadge of={key} />,
      canSort: true,
    },
    { id: 'grants', head: t.keys.grants, cell: ({ grants }) => grantsText(grants, t) },
    {
      id: 'asset_category_id',
      head: t.keys.folder,
      cell: ({ asset_category_id: id }) =>
        id === null ? t.picker.everywhere : <bdi class="clip">{folders.get(id) ?? `#${id}`}</bdi>,
    },
    {
      id: 'date_expires',
      head: t.keys.expires,
      cell: (key) => <Expires of={key} />,
      canSort: true,
    },
    {
      id: 'last_used',
      head: t.keys.lastUsed,
      cell: ({ last_used: date }) => <LastUsed date={date} />,
    },
  ]
}

/** The columns of key lists, and shared texts about keys. */
function KeyBadge({ of }: { readonly of: Key }) {
  const { t } = useTexts()
  const { state } = of
  const kind = state === 'active' ? 'live' : state === 'expired' ? 'danger' : 'draft'
  return (
    <span title={isEndedByClock(of) ? t.keys.endedByClock : undefined}>
      <Badge kind={kind}>{t.keys.states[state]}</Badge>
    </span>
  )
}

function Expires({ of }: { readonly of: Key }) {
  const { t } = useTexts()
  if (of.date_expires === null) return <span class="quiet">{t.keys.never}</span>
  return <DateTime date={of.date_expires} isRelative />
}

function LastUsed({ date }: { readonly date: string | null }) {
  const { t } = useTexts()
  return date === null ? (
    <span class="quiet">{t.keys.notUsed}</span>
  ) : (
    <DateTime date={date} isRelative />
  )
}

/** Says what a key with the grant admin may do outside of folders. */
function powerText({ grants, asset_category_id: folder }: Key, t: Speech['t']): string {
  const text = grantsText(grants, t)
  const isAdmin = folder === null && grants?.includes('admin') === true
  if (!isAdmin || textOfGrants(grants) === textOfGrants(ROLES.admin)) return text
  return `${text}. ${t.keys.grantsAdminister}`
}

/** Names the role with these grants, or else lists the grants. */
export function grantsText(grants: readonly Grant[] | null, t: Speech['t']): string {
  if (grants === null) return t.keys.grantsAll
  if (grants.length === 0) return t.general.none
  const role = ROLE_NAMES.find((each) => textOfGrants(ROLES[each]) === textOfGrants(grants))
  if (role !== undefined) return t.keys.grantsOfRole[role]
  return grants.map((grant) => t.keys.grantNames[grant]).join(', ')
}
