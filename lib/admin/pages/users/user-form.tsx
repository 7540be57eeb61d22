// Changes the names, the role, the folder roles and the email address of a user.

import type { ComponentChildren } from 'preact'
import { isRole } from '../../../shared/grants.ts'
import { recordOf } from '../../client/api.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import type { Labeled } from '../../ui/field.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { type Bound, useBound } from '../../ui/use-form.ts'
import { grantNames, type OwnRole, roleName, roleOptions, useOwnRoles } from './roles.ts'
import {
  bodyOf,
  type FolderRole,
  folderRolesOf,
  isLastAdmin,
  roleOf,
  type User,
  type UserValues,
  valuesOf,
} from './user.ts'

interface UserFormProps {
  readonly fetched: Fetched<User>
  readonly read: () => Promise<Fetched<User>>
  readonly onFetched: (fetched: Fetched<User>) => void
}

export function UserForm({ fetched, read, onFetched }: UserFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { session } = useClient()
  const toast = useToast()
  const id = fetched.record.user_id

  async function send(changed: Partial<UserValues>, etag: string): Promise<Fetched<User>> {
    requireFolders(changed, t.users.chooseFolders)
    const params = { path: { id }, header: { 'If-Match': etag } }
    return recordOf(api.PATCH('/user/{id}', { params, body: bodyOf(changed) })).catch(
      (error: unknown) => {
        throw isLastAdmin(error) ? new InvalidFields({ role: t.users.lastAdmin }) : error
      },
    )
  }

  const onSaved = (): void => {
    toast({ text: t.general.saved })
    // The frame shows the name, and the rights decide what the pages offer.
    if (id === me?.user.user_id) void session.reread().catch(toast.problem)
  }
  const { data: own = [] } = useOwnRoles()
  const edit = useEdit({ fetched, valuesOf, read, send, onFetched, onSaved })
  return (
    <Form
      name={`user-${id}`}
      initial={valuesOf(fetched.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={fieldsIn(t)} />
      <UserFields nameHint={t.users.renameHint} own={own}>
        <FolderRoles own={own} />
      </UserFields>
    </Form>
  )
}

interface UserFieldsProps {
  readonly nameHint: string
  readonly own: readonly OwnRole[]
  readonly isFocused?: boolean
  /** More fields after the role. */
  readonly children?: ComponentChildren
}

/** The fields of a new user, and of an existing one. */
export function UserFields({ nameHint, own, isFocused = false, children }: UserFieldsProps) {
  const { t } = useTexts()
  const { name, displayName, displayNameHint, role, email, emailHint } = t.users
  return (
    <>
      <TextInput name="name" label={name} hint={nameHint} isRequired isFocused={isFocused} />
      <TextInput name="display_name" label={displayName} hint={displayNameHint} isOptional />
      <RoleSelect name="role" label={role} own={own} />
      {children}
      <TextInput name="email" type="email" label={email} hint={emailHint} isOptional />
    </>
  )
}

function requireFolders({ category_roles: rows }: Partial<UserValues>, text: string): void {
  if (rows === undefined || folderRolesOf(rows).every(({ folder }) => folder !== '')) return
  throw new InvalidFields({ category_roles: text })
}

function fieldsIn(t: Speech['t']): readonly ClashField[] {
  const nameOf = (role: string): string => roleName(roleOf(role), t)
  return [
    { name: 'name', label: t.users.name, text: String },
    {
      name: 'display_name',
      label: t.users.displayName,
      text: (value) => String(value) || t.general.none,
    },
    { name: 'role', label: t.users.role, text: (value) => nameOf(String(value)) },
    {
      name: 'category_roles',
      label: t.users.folderRoles,
      text: (value) =>
        folderRolesOf(String(value))
          .map(({ folder, role }) => `#${folder} ${nameOf(role)}`)
          .join(', ') || t.general.none,
    },
    { name: 'email', label: t.users.email, text: (value) => String(value) || t.general.none },
  ]
}

const NAME = 'category_roles'

/** Roles in folders: one row per folder, with the role for the folder and its subfolders. */
function FolderRoles({ own }: { readonly own: readonly OwnRole[] }) {
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>({ name: NAME }, '[]')
  const rows = folderRolesOf(value)
  const put = (next: readonly FolderRole[]): void => change(JSON.stringify(next))
  const set = (at: number, part: Partial<FolderRole>): void =>
    put(rows.map((row, place) => (place === at ? { ...row, ...part } : row)))

  return (
    <fieldset class="folder-roles">
      <legend class="field-label">{t.users.folderRoles}</legend>
      <p class="field-hint">{t.users.folderRolesHint}</p>
      {rows.map((row, at) => (
        // The position is the key, because new rows have no folder yet.
        <div key={at} class="folder-role">
          <FolderPicker
            name={`folder-${at}`}
            label={t.keys.folder}
            empty={t.users.chooseFolder}
            value={row.folder}
            onChange={(folder) => set(at, { folder })}
          />
          <RoleSelect
            name={`role-${at}`}
            label={t.users.role}
            own={own}
            value={row.role}
            onChange={(role) => set(at, { role })}
            isBrief
          />
          <Button
            kind="quiet"
            icon="trash"
            label={t.users.removeFolderRole}
            onPress={() => put(rows.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
      <div>
        <Button icon="plus" onPress={() => put([...rows, { folder: '', role: 'editor' }])}>
          {t.users.addFolderRole}
        </Button>
      </div>
    </fieldset>
  )
}

/** Selects a role, with a sentence about its permissions. */
function RoleSelect(
  props: Bound<string> &
    Pick<Labeled, 'label'> & { readonly own: readonly OwnRole[]; readonly isBrief?: boolean },
) {
  const { t } = useTexts()
  const { value, change } = useBound(props, '')
  const { own } = props
  const role = roleOf(value)
  return (
    <Select
      name={props.name}
      label={props.label}
      value={value}
      onChange={change}
      hint={
        props.isBrief === true
          ? undefined
          : role === null
            ? t.users.roleTexts.none
            : isRole(role)
              ? t.users.roleTexts[role]
              : hintOf(own, role, t)
      }
      options={[...roleOptions(t, { own, value }), { value: '', text: t.users.roles.none }]}
    />
  )
}

/** The description of a role of the site, or its grants. */
function hintOf(own: readonly OwnRole[], name: string, t: Speech['t']): string | undefined {
  const role = own.find((each) => each.name === name)
  return role && (role.description ?? grantNames(role.grants, t))
}
