// Shows who has access to a folder and why, and changes roles. Each change is saved at once and can be undone.

import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Person } from '../../ui/person.tsx'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { Select } from '../../ui/select.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { grantsText } from '../keys/key-facts.tsx'
import {
  ABOVE,
  type Given,
  type KeyHere,
  type Place,
  readFolderAccess,
  roleAt,
  type UserHere,
  useRoleHere,
} from './folder-access.ts'
import { type OwnRole, roleName, roleOptions, useOwnRoles } from './roles.ts'
import { shownName } from './user.ts'

export interface FolderAccessDialogProps {
  readonly name: string
  /** Everybody can read the published files of the folder. */
  readonly isPublic: boolean
  /** From the topmost folder to this one. */
  readonly line: readonly Place[]
  readonly onClose: () => void
}

export function FolderAccessDialog({ name, isPublic, line, onClose }: FolderAccessDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const { data, error, reload } = useRequest(
    (signal) => readFolderAccess(api, line, signal),
    [line],
  )
  const { data: roles = [] } = useOwnRoles()
  const { give, isBusy } = useRoleHere({ folder: line.at(-1), name, onChanged: reload })
  return (
    <Dialog title={fill(t.access.whoHereTitle, { name })} onClose={onClose}>
      <p class="quiet">{t.access.whoHereText}</p>
      {isPublic && <p>{t.publicAccess.folder.open}</p>}
      <Loading data={data} error={error} reload={reload} lines={5} />
      {data !== undefined && (
        <>
          <h3>{t.access.people}</h3>
          {data.users.length === 0 && <p>{t.access.nobody}</p>}
          <ul class="who-here">
            {data.users.map((each) => (
              <UserRow key={each.user.user_id} here={each} line={line} give={give} roles={roles} />
            ))}
          </ul>
          <GiveRole give={give} isBusy={isBusy} roles={roles} />
          <h3>{t.access.keysHere}</h3>
          {data.keys.length === 0 && <p class="quiet">{t.access.keysNone}</p>}
          <ul class="who-here">
            {data.keys.map((each) => (
              <KeyRow key={each.key.api_key_id} here={each} />
            ))}
          </ul>
          {data.isCut && <p class="quiet">{t.access.more}</p>}
        </>
      )}
    </Dialog>
  )
}

type Give = (given: Given) => Promise<boolean>

interface UserRowProps {
  readonly here: UserHere
  readonly line: readonly Place[]
  readonly give: Give
  /** The roles of the site. */
  readonly roles: readonly OwnRole[]
}

function UserRow({ here, line, give, roles }: UserRowProps) {
  const { t } = useTexts()
  const own = useMe()?.user.user_id
  const { user, role, at } = here
  const { user_id: id } = user
  const isHere = at !== undefined && at === line.at(-1)
  const above = roleAt(user, line.slice(0, -1)).role
  return (
    <li class="who-here-row">
      <div>
        <Link href={pathOf(`/users/${id}`)}>
          <Person name={user.name} id={id} />
        </Link>
        <p class="quiet">
          {roleName(role, t)}, {sourceText(here, isHere, t)}
        </p>
      </div>
      {id === own ? (
        <span class="quiet">{t.access.you}</span>
      ) : (
        <Select
          name={`role-here-${id}`}
          label={fill(t.access.roleOf, { name: shownName(user) })}
          value={isHere ? (role ?? '') : ABOVE}
          onChange={(next) => void give({ userId: id, role: next })}
          options={[
            { value: ABOVE, text: fill(t.access.asAbove, { role: roleName(above, t) }) },
            ...roleOptions(t, { own: roles, value: role ?? '' }),
            { value: '', text: t.users.roles.none },
          ]}
        />
      )}
    </li>
  )
}

function sourceText({ at }: UserHere, isHere: boolean, t: Speech['t']): string {
  if (isHere) return t.access.setHere
  return at === undefined ? t.access.ownRole : fill(t.access.setIn, { path: at.path })
}

interface GiveRoleProps extends Pick<UserRowProps, 'give' | 'roles'> {
  readonly isBusy: boolean
}

function GiveRole({ give, isBusy, roles }: GiveRoleProps) {
  const { t } = useTexts()
  const [user, setUser] = useState('')
  const [role, setRole] = useState('editor')
  return (
    <fieldset class="give-role">
      <legend class="field-label">{t.access.addTitle}</legend>
      <RecordPicker
        object="user"
        name="give-user"
        label={t.access.addUser}
        empty={t.access.addChoose}
        value={user}
        onChange={setUser}
      />
      <Select
        name="give-role"
        label={t.users.role}
        value={role}
        onChange={setRole}
        options={[...roleOptions(t, { own: roles }), { value: '', text: t.users.roles.none }]}
      />
      <Button
        isDisabled={user === ''}
        isBusy={isBusy}
        onPress={() => {
          void give({ userId: Number(user), role }).then((isGiven) => isGiven && setUser(''))
        }}
      >
        {t.access.add}
      </Button>
    </fieldset>
  )
}

function KeyRow({ here }: { readonly here: KeyHere }) {
  const { t } = useTexts()
  const { key, userName, grants, limit } = here
  return (
    <li class="who-here-row">
      <div>
        <Link href={pathOf(`/keys/${key.api_key_id}`)}>
          <bdi>{key.name}</bdi>
        </Link>{' '}
        <span class="quiet">
          <Sentence text={t.access.keyOf} values={{ name: <Person name={userName} /> }} />
        </span>
        <p class="quiet">
          {grantsText(grants, t)}
          {limit !== undefined && ` · ${fill(t.access.keyIn, { path: limit.path })}`}
        </p>
      </div>
    </li>
  )
}
