// Sets or removes the password of another user. Both end the user's sessions.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { NewPassword, requireLong } from '../../ui/new-password.tsx'
import type { User } from './user.ts'

export interface SetPasswordProps {
  readonly user: User
  readonly onClose: () => void
  readonly onSet: () => void
}

export function SetPassword({ user, onClose, onSet }: SetPasswordProps) {
  const { t } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const { user_id: id, name, has_password: hasPassword } = user
  const params = { path: { id } }

  async function set({ password }: { readonly password: string }): Promise<void> {
    requireLong('password', password, t)
    await dataOf(api.POST('/user/{id}/password', { params, body: { password } }))
    toast({ text: fill(t.users.passwordSet, { name }) })
    onSet()
  }

  async function takeAway(): Promise<void> {
    const isSure = await confirm({
      title: fill(t.users.takeAwayTitle, { name }),
      text: t.users.takeAwayText,
      action: t.users.takeAway,
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await dataOf(api.POST('/user/{id}/password', { params, body: { password: null } }))
      toast({ text: fill(t.users.takenAway, { name }) })
      onSet()
    } catch (error) {
      toast.problem(error)
    }
  }

  return (
    <Dialog title={fill(t.users.setPasswordTitle, { name })} onClose={onClose}>
      <p>{t.users.setPasswordText}</p>
      <Form
        name={`password-${id}`}
        initial={{ password: '' }}
        submit={t.users.setPassword}
        onSubmit={set}
        actions={
          <>
            <Button onPress={onClose}>{t.general.cancel}</Button>
            {hasPassword && (
              <Button kind="quiet" onPress={() => void takeAway()}>
                {t.users.takeAway}
              </Button>
            )}
          </>
        }
        isForgotten
      >
        <NewPassword name="password" label={t.profile.newPassword} />
      </Form>
    </Dialog>
  )
}
