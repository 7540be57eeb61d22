// A checkbox with a label.
//
//   <Checkbox name="recursive" label={t.files.recursive} hint={t.files.recursiveHint} />

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Bound, useBound } from './use-form.ts'

export interface CheckboxProps extends Bound<boolean> {
  readonly label: string
  readonly hint?: ComponentChildren
  /** Shows a state that the user cannot change here. */
  readonly isDisabled?: boolean
}

export function Checkbox(props: CheckboxProps) {
  const { name, label, hint, isDisabled } = props
  const { value, fault, change } = useBound(props, false)
  const id = useId()
  const told = fault ?? hint
  return (
    <div class="checkbox">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={value}
        disabled={isDisabled}
        aria-describedby={told === undefined ? undefined : `${id}-hint`}
        aria-invalid={fault !== undefined}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {told !== undefined && (
          <p id={`${id}-hint`} class={fault === undefined ? 'field-hint' : 'field-fault'}>
            {told}
          </p>
        )}
      </div>
    </div>
  )
}
