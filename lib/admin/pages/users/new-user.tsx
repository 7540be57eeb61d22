// Creates a user in a dialog over the list. With a password, the user can sign in at once.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { NewPassword, requireLong } from '../../ui/password-input.tsx'
import { RoleSelect } from './user-form.tsx'
import { roleOf } from './user.ts'

export interface NewUserProps {
  readonly onClose: () => void
  readonly onMade: (id: number) => void
}

interface NewUserValues {
  readonly [name: string]: string
  readonly name: string
  readonly role: string
  readonly email: string
  readonly password: string
}

export function NewUser({ onClose, onMade }: NewUserProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [hasPassword, setHasPassword] = useState(true)

  async function make(values: NewUserValues, { once }: Filled): Promise<void> {
    const { name, role, email, password } = values
    if (hasPassword) requireLong('password', password, t)
    const body = { name, role: roleOf(role), ...(email.trim() !== '' && { email: email.trim() }) }
    const { user_id: id } = await dataOf(
      api.POST('/user', { params: { header: once(body) }, body }),
    )
    if (hasPassword) {
      const params = { path: { id } }
      // If this fails, the user exists, and the page that opens can set the password.
      await dataOf(api.POST('/user/{id}/password', { params, body: { password } })).catch(
        toast.problem,
      )
    }
    onMade(id)
  }

  return (
    <Dialog title={t.acts.newUser} onClose={onClose}>
      <Form
        name="new-user"
        initial={{ name: '', role: 'editor', email: '', password: '' }}
        submit={t.users.makeSubmit}
        onSubmit={make}
        onCancel={onClose}
      >
        <TextInput name="name" label={t.users.name} hint={t.users.nameHint} isRequired isFocused />
        <RoleSelect name="role" label={t.users.role} />
        <TextInput
          name="email"
          type="email"
          label={t.users.email}
          hint={t.users.emailHint}
          isOptional
        />
        <Checkbox
          name="has_password"
          label={t.users.canSignIn}
          hint={t.users.canSignInHint}
          value={hasPassword}
          onChange={setHasPassword}
        />
        {hasPassword && <NewPassword name="password" label={t.users.password} />}
      </Form>
    </Dialog>
  )
}
