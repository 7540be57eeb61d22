// Deletes a user and its keys, after showing how many keys are affected.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Held } from '../../ui/use-edit.ts'
import { isLastAdmin } from './last-admin.ts'
import type { User } from './user.ts'

export interface DeleteUserProps {
  readonly held: Held<User>
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export function DeleteUser({ held, onDeleted, onClose }: DeleteUserProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { user_id: id, name } = held.record
  const [isLast, setIsLast] = useState(false)
  const qry = JSON.stringify({ user_id: id, date_signed_in: null })
  const query = { qry, length: 1, count: 'exact' as const, fields: 'api_key_id' }
  const keys = useRequest(
    (signal) => dataOf(api.GET('/api_key', { signal, params: { query } })),
    [id],
  )
  const count = keys.data?.page.total ?? 0

  async function remove(): Promise<void> {
    setIsLast(false)
    try {
      const params = { path: { id }, header: { 'If-Match': held.etag } }
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
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
        isDangerous
        isForgotten
      >
        {null}
      </Form>
    </Dialog>
  )
}
