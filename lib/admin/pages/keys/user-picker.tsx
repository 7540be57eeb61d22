// A choice of a user, found by name.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { Labelled } from '../../ui/field.tsx'
import { Picker, type PickerOption } from '../../ui/picker.tsx'
import type { Bound } from '../../ui/use-form.ts'

const MOST = 20

export interface UserPickerProps extends Labelled, Bound<string> {
  readonly empty: string
}

export function UserPicker(props: UserPickerProps) {
  const api = useApi()
  return (
    <Picker
      {...props}
      find={(text, signal) => findUsers(api, text, signal)}
      nameOf={async (id, signal) => {
        const params = { path: { id: Number(id) }, query: { fields: 'name' } }
        const { name } = await dataOf(api.GET('/user/{id}', { signal, params }))
        return name ?? ''
      }}
    />
  )
}

async function findUsers(
  api: Api,
  text: string,
  signal: AbortSignal,
): Promise<readonly PickerOption[]> {
  const query = {
    ...(text !== '' && { table_filter: text }),
    fields: 'user_id,name',
    orderStr: 'name',
    length: MOST,
  }
  const found = await dataOf(api.GET('/user', { signal, params: { query } }))
  return found.user.map(({ user_id: id, name }) => ({ value: String(id), text: name ?? '' }))
}
