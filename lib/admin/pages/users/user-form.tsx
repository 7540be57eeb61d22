// Changes a user's role, folder roles and email address.

import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Held, useEdit } from '../../ui/use-edit.ts'
import { FolderRoles } from './folder-roles.tsx'
import { isLastAdmin } from './last-admin.ts'
import { RoleSelect } from './role-select.tsx'
import { bodyOf, folderRolesOf, roleOf, type User, type UserValues, valuesOf } from './user.ts'

export interface UserFormProps {
  readonly held: Held<User>
  readonly read: () => Promise<Held<User>>
  readonly onHeld: (held: Held<User>) => void
}

export function UserForm({ held, read, onHeld }: UserFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const id = held.record.user_id

  async function send(changed: Partial<UserValues>, etag: string): Promise<Held<User>> {
    requireFolders(changed, t.users.chooseFolders)
    const params = { path: { id }, header: { 'If-Match': etag } }
    return recordOf(api.PATCH('/user/{id}', { params, body: bodyOf(changed) })).catch(
      (error: unknown) => {
        throw isLastAdmin(error) ? new InvalidFields({ role: t.users.lastAdmin }) : error
      },
    )
  }

  const onSaved = (): void => toast({ text: t.general.saved })
  const edit = useEdit({ held, valuesOf, read, send, onHeld, onSaved })
  return (
    <Form
      name={`user-${id}`}
      initial={valuesOf(held.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={fieldsIn(t)} />
      <RoleSelect name="role" label={t.users.role} />
      <FolderRoles />
      <TextInput
        name="email"
        type="email"
        label={t.users.email}
        hint={t.users.emailHint}
        isOptional
      />
    </Form>
  )
}

function requireFolders({ category_roles: rows }: Partial<UserValues>, text: string): void {
  if (rows === undefined || folderRolesOf(rows).every(({ folder }) => folder !== '')) return
  throw new InvalidFields({ category_roles: text })
}

function fieldsIn(t: Speech['t']): readonly ClashField[] {
  const nameOf = (role: string): string => t.users.roles[roleOf(role) ?? 'none']
  return [
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
