// Creates a user in a dialog over the list, then shows the link by which the user sets a password.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { UserFields } from './user-form.tsx'
import { type MadeLink, makeLink, UserLink } from './user-link.tsx'
import { useOwnRoles } from './roles.ts'
import { bodyOf, type UserValues } from './user.ts'

export interface NewUserProps {
  readonly onClose: () => void
  readonly onMade: (id: number) => void
}

/** A new user has no roles in folders yet. */
type NewValues = Pick<UserValues, 'name' | 'display_name' | 'role' | 'email'>

export function NewUser({ onClose, onMade }: NewUserProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { data: own = [] } = useOwnRoles()
  const [isInvited, setIsInvited] = useState(true)
  const [made, setMade] = useState<{ readonly id: number; readonly link: MadeLink }>()

  async function make(values: NewValues, { once }: Filled): Promise<void> {
    const name = values.name.trim()
    const body = { ...bodyOf(values), name }
    const { user_id: id } = await dataOf(
      api.POST('/user', { params: { header: once(body) }, body }),
    )
    if (!isInvited) return onMade(id)
    try {
      setMade({ id, link: await makeLink(api, { user_id: id, name }) })
    } catch (error) {
      // The user exists, and the page that opens can make the link.
      toast.problem(error)
      onMade(id)
    }
  }

  if (made !== undefined) return <UserLink link={made.link} onDone={() => onMade(made.id)} />
  return (
    <Dialog title={t.acts.newUser} onClose={onClose}>
      <Form
        name="new-user"
        initial={{ name: '', display_name: '', role: 'editor', email: '' }}
        submit={t.users.makeSubmit}
        onSubmit={make}
      >
        <UserFields nameHint={t.users.nameHint} own={own} isFocused />
        <Checkbox
          name="is_invited"
          label={t.users.invite}
          hint={t.users.inviteHint}
          value={isInvited}
          onChange={setIsInvited}
        />
      </Form>
    </Dialog>
  )
}
