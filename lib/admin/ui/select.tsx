// A choice of one among a few.
//
//   <Select name="role" label={t.users.role} options={[{ value: 'viewer', text: t.roles.viewer }]} />

import { Field, type Labelled } from './field.tsx'
import { Icon } from './icon.tsx'
import { type Bound, useBound } from './use-form.ts'

export interface SelectProps extends Labelled, Bound<string> {
  readonly options: readonly SelectOption[]
}

export interface SelectOption {
  readonly value: string
  readonly text: string
}

export function Select(props: SelectProps) {
  const { name, options } = props
  const { value, fault, change } = useBound(props, options[0]?.value ?? '')
  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <div class="select">
          <select
            id={id}
            name={name}
            class="input"
            value={value}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.text}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" />
        </div>
      )}
    </Field>
  )
}
