// The user's permissions in a chosen folder, and where they come from: the role of the nearest folder that sets one,
// or else the user's own role.

import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { GRANTS, grantsOfRole } from '../../../shared/grants.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { roleName } from './roles.ts'
import { shownName, type User } from './user.ts'

interface Found {
  readonly role: string | null
  /** The folder that sets the role; undefined for the user's own role. */
  readonly path: string | undefined
}

export function WhoMayWhat({ user }: { readonly user: User }) {
  const { t } = useTexts()
  const api = useApi()
  const [folder, setFolder] = useState('')
  const { data, error, reload } = useRequest(
    (signal) => findRole(api, { user, folder, signal }),
    [folder, user],
  )
  return (
    <Section title={t.users.whoMayWhat}>
      <div class="who-may-what">
        <FolderPicker
          name="where"
          label={t.users.where}
          hint={t.users.whereHint}
          empty={t.users.whereTop}
          value={folder}
          onChange={setFolder}
        />
        <Loading data={data} error={error} reload={reload} lines={3} />
        {data !== undefined && <Answer user={user} found={data} />}
      </div>
    </Section>
  )
}

function Answer({ user, found }: { readonly user: User; readonly found: Found }) {
  const { t } = useTexts()
  const { status } = user
  const role = roleName(found.role, t)
  const held = status === 'active' ? grantsOfRole(found.role, user.role_grants) : []
  return (
    <div class="card who-answer" aria-live="polite">
      <p>
        {status !== 'active'
          ? fill(t.users.becauseDisabled, { name: shownName(user) })
          : found.path === undefined
            ? fill(t.users.becauseOwn, { role })
            : fill(t.users.becauseFolder, { role, path: found.path })}
      </p>
      <ul>
        {GRANTS.map((grant) => {
          const isHeld = held.some((each) => each === grant)
          return (
            <li key={grant} class={isHeld ? 'may' : 'may-not'}>
              <Icon name={isHeld ? 'check' : 'close'} />
              <span>
                {t.keys.grantNames[grant]}
                <span class="unseen"> {isHeld ? t.users.may : t.users.mayNot}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface Asked {
  readonly user: User
  /** '' for the topmost folder. */
  readonly folder: string
  readonly signal: AbortSignal
}

async function findRole(api: Api, { user, folder, signal }: Asked): Promise<Found> {
  const roles = user.category_roles ?? []
  let id: number | null = folder === '' ? null : Number(folder)
  while (id !== null && roles.length > 0) {
    const place: Place = await readPlace(api, id, signal)
    const own = roles.find((each) => each.asset_category_id === id)
    if (own !== undefined) return { role: own.role, path: place.path }
    id = place.above
  }
  return { role: user.role, path: undefined }
}

interface Place {
  readonly path: string
  readonly above: number | null
}

async function readPlace(api: Api, id: number, signal: AbortSignal): Promise<Place> {
  const params = { path: { id }, query: { fields: 'path,parent_category_id' } }
  const found = await dataOf(api.GET('/asset_category/{id}', { signal, params }))
  return { path: found.path ?? '', above: found.parent_category_id ?? null }
}
