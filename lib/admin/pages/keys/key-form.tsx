// Changes a key, and handles concurrent changes.

import { recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Form } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Held, useEdit } from '../../ui/use-edit.ts'
import { ExpiryField, GrantsField } from './key-fields.tsx'
import { bodyOf, grantsOf, type Key, NEVER, type ShownKey, valuesOf } from './key.ts'
import { grantsText } from './key-facts.tsx'
import { offeredTo, requireGrants } from './new-key.tsx'

export interface KeyFormProps {
  readonly shown: ShownKey
  readonly isOfAll: boolean
  readonly read: () => Promise<ShownKey>
  readonly onHeld: (held: Held<Key>) => void
}

export function KeyForm({ shown, isOfAll, read, onHeld }: KeyFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const toast = useToast()
  const id = shown.record.api_key_id
  const edit = useEdit({
    held: shown,
    valuesOf,
    read,
    async send(changed, etag) {
      requireGrants(changed, t.keys.grantsNone)
      const params = { path: { id }, header: { 'If-Match': etag } }
      return recordOf(api.PATCH('/api_key/{id}', { params, body: bodyOf(changed) }))
    },
    onHeld,
    onSaved: () => toast({ text: t.general.saved }),
  })
  const fields = useFields()
  const isSession = shown.record.date_signed_in !== null

  return (
    <Form
      name={`key-${id}`}
      initial={valuesOf(shown.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={fields} />
      <TextInput name="name" label={t.keys.name} hint={t.keys.nameHint} isRequired />
      {!isSession && (
        <>
          <GrantsField name="grants" offered={offeredTo(me, isOfAll)} />
          <FolderPicker
            name="asset_category_id"
            label={t.keys.folder}
            hint={t.keys.folderHint}
            isOptional
          />
          <ExpiryField name="date_expires" present={shown.record.date_expires ?? NEVER} />
        </>
      )}
    </Form>
  )
}

function useFields(): readonly ClashField[] {
  const { t, formats } = useTexts()
  return [
    { name: 'name', label: t.keys.name, text: String },
    {
      name: 'grants',
      label: t.keys.grants,
      text: (value) => grantsText(grantsOf(String(value)), t),
    },
    {
      name: 'asset_category_id',
      label: t.keys.folder,
      text: (value) => (value === '' ? t.picker.everywhere : `#${String(value)}`),
    },
    {
      name: 'date_expires',
      label: t.keys.expires,
      text: (value) => (value === NEVER ? t.keys.never : formats.dateTime(new Date(String(value)))),
    },
  ]
}
