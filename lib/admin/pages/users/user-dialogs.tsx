// Deletes a user and its keys, after showing how many keys are affected.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useDangerousAction } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { NewPassword, requireLong } from '../../ui/password-input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import { isLastAdmin, type User } from './user.ts'

interface DeleteUserProps {
  readonly fetched: Fetched<User>
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export function DeleteUser({ fetched, onDeleted, onClose }: DeleteUserProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { user_id: id, name } = fetched.record
  const [isLast, setIsLast] = useState(false)
  const count = useKeyCount(id) ?? 0

  async function remove(): Promise<void> {
    setIsLast(false)
    try {
      const params = { path: { id }, header: { 'If-Match': fetched.etag } }
      await dataOf(api.DELETE('/user/{id}', { params }))
      onDeleted()
    } catch (error) {
      if (!isLastAdmin(error)) throw error
      setIsLast(true)
      throw new InvalidFields({})
    }
  }

  return (
    <Dialog title={fill(t.users.deleteTitle, { name })} onClose={onClose}>
      {isLast && <Notice kind="danger" title={t.users.lastAdmin} />}
      <p>{t.users.deleteText}</p>
      <p class="delete-keys">
        {count === 0 ? t.users.deleteNoKeys : formats.count(t.users.deleteKeys, count)}
      </p>
      <Form
        name={`delete-user-${id}`}
        initial={{}}
        submit={t.keys.delete}
        onSubmit={remove}
        isDangerous
        isForgotten
      >
        {null}
      </Form>
    </Dialog>
  )
}

/** Turns off the second factor of a user who has lost the device. */
export function useFactorRemoval({ user_id: id, name }: User, onDone: () => void) {
  const { t } = useTexts()
  const api = useApi()
  const act = useDangerousAction()
  const params = { path: { id } }
  return () =>
    act({
      title: fill(t.secondFactor.takeAwayTitle, { name }),
      text: t.secondFactor.takeAwayText,
      action: t.secondFactor.takeAway,
      run: () => dataOf(api.POST('/user/{id}/second_factor/remove', { params })),
      done: fill(t.secondFactor.takenAway, { name }),
      after: onDone,
    })
}

/** Sets or removes the password of another user. Both end the user's sessions. */
interface SetPasswordProps {
  readonly user: User
  readonly onClose: () => void
  readonly onSet: () => void
}

export function SetPassword({ user, onClose, onSet }: SetPasswordProps) {
  const { t } = useTexts()
  const api = useApi()
  const act = useDangerousAction()
  const toast = useToast()
  const { user_id: id, name, has_password: hasPassword } = user
  const params = { path: { id } }

  async function set({ password }: { readonly password: string }): Promise<void> {
    requireLong('password', password, t)
    await dataOf(api.POST('/user/{id}/password', { params, body: { password } }))
    toast({ text: fill(t.users.passwordSet, { name }) })
    onSet()
  }

  const takeAway = (): Promise<void> =>
    act({
      title: fill(t.users.takeAwayTitle, { name }),
      text: t.users.takeAwayText,
      action: t.users.takeAway,
      async run() {
        await dataOf(api.POST('/user/{id}/password', { params, body: { password: null } }))
        onSet()
      },
      done: fill(t.users.takenAway, { name }),
    })

  return (
    <Dialog title={fill(t.users.setPasswordTitle, { name })} onClose={onClose}>
      <p>{t.users.setPasswordText}</p>
      <Form
        name={`password-${id}`}
        initial={{ password: '' }}
        submit={t.users.setPassword}
        onSubmit={set}
        actions={
          hasPassword && (
            <Button kind="quiet" onPress={() => void takeAway()}>
              {t.users.takeAway}
            </Button>
          )
        }
        isForgotten
      >
        <NewPassword name="password" label={t.profile.newPassword} />
      </Form>
    </Dialog>
  )
}

/** The number of keys of a user, without sessions; undefined while it is counted. */
export function useKeyCount(userId: number): number | undefined {
  const api = useApi()
  const qry = JSON.stringify({ user_id: userId, date_signed_in: null })
  const query = { qry, length: 1, count: 'exact' as const, fields: 'api_key_id' }
  const { data } = useRequest(
    (signal) => dataOf(api.GET('/api_key', { signal, params: { query } })),
    [userId],
  )
  return data?.page.total ?? undefined
}
