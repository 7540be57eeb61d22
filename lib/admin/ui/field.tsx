// The label, hint and error of an input. Every input is inside a Field, so that each has an accessible name. The
// input takes `id` and `describedBy`.
//
//   <Field label={t.keys.name} hint={t.keys.nameHint} fault={fault}>
//     {({ id, describedBy }) => <input id={id} aria-describedby={describedBy} />}
//   </Field>

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from './icon.tsx'

export interface Labeled {
  readonly label: string
  readonly hint?: ComponentChildren
  /** Every form marks optional fields, and no form marks required ones. */
  readonly isOptional?: boolean
  /** The tooltip of the label, such as the name in the API. */
  readonly labelTitle?: string
}

/** The mark behind a label. */
export function LabelMark({ isOptional }: Omit<Labeled, 'label'>) {
  const { t } = useTexts()
  if (isOptional !== true) return null
  return <span class="field-optional"> {t.general.optional}</span>
}

export interface FieldProps extends Labeled {
  readonly fault?: string | undefined
  readonly children: (parts: FieldParts) => ComponentChildren
}

export interface FieldParts {
  readonly id: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}

export function Field(props: FieldProps) {
  const { hint, fault, labelTitle, children } = props
  const id = useId()
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`]
  const described = [
    ...(hint === undefined ? [] : [hintId]),
    ...(fault === undefined ? [] : [faultId]),
  ]
  return (
    <div class="field">
      <label class="field-label" for={id} title={labelTitle}>
        {props.label}
        <LabelMark {...props} />
      </label>
      {children({
        id,
        describedBy: described.length === 0 ? undefined : described.join(' '),
        isInvalid: fault !== undefined,
      })}
      {hint !== undefined && (
        <p id={hintId} class="field-hint">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={faultId} class="field-fault">
          <Icon name="alert" />
          {fault}
        </p>
      )}
    </div>
  )
}
