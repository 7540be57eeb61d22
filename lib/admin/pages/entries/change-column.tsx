// Asks for a column and its new value in all selected entries.

import { useState } from 'preact/hooks'
import type { EntryValue } from '../../client/module-paths.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { EntryInput } from './entry-input.tsx'
import { type EntryField, valueOf } from './fields.ts'

export interface ChangeColumnProps {
  readonly fields: readonly EntryField[]
  readonly onClose: () => void
  readonly onChange: (field: EntryField, value: EntryValue) => void
}

export function ChangeColumn({ fields, onClose, onChange }: ChangeColumnProps) {
  const { t } = useTexts()
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  return (
    <Dialog title={t.entries.changeTitle} onClose={onClose}>
      <Form
        name="change-column"
        isForgotten
        initial={{ value: '' }}
        submit={t.entries.changeSubmit}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
        onSubmit={({ value: text }) => {
          if (field === undefined) return Promise.resolve()
          const value = valueOf(field, text)
          if (value === null && field.column?.isRequired === true)
            return Promise.reject(new InvalidFields({ value: t.form.required }))
          onChange(field, value)
          return Promise.resolve()
        }}
      >
        <Select
          name="column"
          label={t.entries.filter.column}
          options={fields.map((each) => ({ value: each.name, text: each.name }))}
          value={name}
          onChange={setName}
        />
        {field !== undefined && (
          <EntryInput
            key={name}
            field={field}
            name="value"
            label={t.entries.changeTo}
            isOptional={false}
          />
        )}
      </Form>
    </Dialog>
  )
}
