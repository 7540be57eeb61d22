// The frame of an input that has several controls: the label of the column, its hint and its error.

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Labeled, LabelMark } from '../../ui/field.tsx'

interface InputGroupProps extends Labeled {
  readonly class: string
  readonly fault: string | undefined
  readonly children: ComponentChildren
}

export function InputGroup(props: InputGroupProps) {
  const { label, labelTitle, hint, fault, children } = props
  const noteId = useId()
  const told = fault ?? hint
  return (
    <fieldset
      class={props.class}
      aria-invalid={fault !== undefined}
      aria-describedby={told === undefined ? undefined : noteId}
    >
      <legend class="field-label" title={labelTitle}>
        {label}
        <LabelMark {...props} />
      </legend>
      {children}
      {told !== undefined && (
        <p id={noteId} class={fault === undefined ? 'field-hint' : 'field-fault'}>
          {told}
        </p>
      )}
    </fieldset>
  )
}
