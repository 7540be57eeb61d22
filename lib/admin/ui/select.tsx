// A select field for a few options.
//
//   <Select name="role" label={t.users.role} options={[{ value: 'viewer', text: t.roles.viewer }]} />

import { Field, type Labeled } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'
import { type Bound, useBound } from './use-form.ts'

export interface SelectProps extends Labeled, Bound<string> {
  readonly options: readonly SelectOption[]
  /** Shown before the chosen option. */
  readonly icon?: IconName
}

export interface SelectOption {
  readonly value: string
  readonly text: string
  /** Heading above consecutive options with the same group. */
  readonly group?: string
}

export function Select(props: SelectProps) {
  const { name, options, icon } = props
  const { value, fault, change } = useBound(props, options[0]?.value ?? '')
  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <div class={icon === undefined ? 'select' : 'select select-led'}>
          {icon !== undefined && <Icon name={icon} />}
          <select
            id={id}
            name={name}
            class="input"
            value={value}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          >
            {groupsOf(options).map(({ group, members }) =>
              group === undefined ? (
                members.map(showOption)
              ) : (
                <optgroup key={group} label={group}>
                  {members.map(showOption)}
                </optgroup>
              ),
            )}
          </select>
          <Icon name="chevronDown" />
        </div>
      )}
    </Field>
  )
}

interface InlineSelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
  readonly look?: string
}

/** A select outside of forms, in a bar or a row: only screen readers read its label. */
export function InlineSelect({
  label,
  value,
  options,
  onChange,
  look = 'select',
}: InlineSelectProps) {
  return (
    <div class={look}>
      <select
        class="input"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(showOption)}
      </select>
      <Icon name="chevronDown" />
    </div>
  )
}

function showOption({ value, text }: SelectOption) {
  return (
    <option key={value} value={value}>
      {text}
    </option>
  )
}

interface OptionGroup {
  readonly group: string | undefined
  readonly members: readonly SelectOption[]
}

function groupsOf(options: readonly SelectOption[]): readonly OptionGroup[] {
  const names = new Set(options.map(({ group }) => group))
  return [...names].map((group) => ({
    group,
    members: options.filter((option) => option.group === group),
  }))
}
