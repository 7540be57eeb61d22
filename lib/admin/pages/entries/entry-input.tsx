// A form input for a column value, by column type.

import { inputType } from '../../client/column-kind.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Field, type Labeled } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ChoicesInput } from './choices-input.tsx'
import { ColorInput } from './color-input.tsx'
import { choicesOf, type EntryField } from './fields.ts'
import { fromLocal, toLocal } from './cell-text.tsx'
import { JsonInput } from './json/json-input.tsx'
import { MarkupInput } from './markup-input.tsx'
import { PointInput } from './point-input.tsx'
import { ReferenceInput } from './reference-input.tsx'

export interface EntryInputProps {
  readonly field: EntryField
  /** Name in the form; defaults to the column name. */
  readonly name?: string
  readonly label?: string
  /** Omits the mark of an optional column. */
  readonly isUnmarked?: boolean
  readonly isReadOnly?: boolean
  /** New entries may get column defaults. */
  readonly isNew?: boolean
}

/** Longer texts get several lines. */
const LINE = 255
/** Most inputs never reach a limit from this length, so that their hint would be noise. */
const FREE_LENGTH = 200

export function EntryInput(props: EntryInputProps) {
  const { field, isReadOnly, isNew } = props
  const speech = useTexts()
  const { t } = speech
  const { kind, column } = field
  const hint = hintOf(field, isNew === true, speech)
  const isFree = column?.isRequired !== true || (isNew === true && hasOwn(field))
  const all = {
    name: props.name ?? field.name,
    label: props.label ?? field.label,
    labelTitle: field.name,
    ...(hint !== '' && { hint }),
    isOptional: props.isUnmarked !== true && isReadOnly !== true && isFree,
    isReadOnly: isReadOnly === true,
  }
  const references = column?.references ?? null
  if (references !== null) return <ReferenceInput {...all} references={references} />
  const choices = choicesOf(field, t)
  if (isReadOnly !== true && choices !== undefined) {
    const none = { value: '', text: t.entries.form.noChoice }
    return <Select {...all} options={[none, ...choices]} />
  }
  if (kind === 'time') return <TimeInput {...all} />
  if (kind === 'choices') return <ChoicesInput {...all} values={column?.values ?? []} />
  if (kind === 'point') return <PointInput {...all} />
  if (column?.type === 'COLOR') return <ColorInput {...all} />
  if (kind === 'json') return <JsonInput {...all} />
  if (column?.type === 'MD') return <MarkupInput {...all} language="markdown" />
  if (column?.type === 'HTML') return <MarkupInput {...all} language="html" />
  const isLong = kind === 'long' || (kind === 'text' && (column?.size ?? 0) > LINE)
  return (
    <TextInput
      {...all}
      type={inputType(column?.type ?? 'C')}
      {...(isLong && { rows: kind === 'text' ? 2 : 6 })}
    />
  )
}

interface TimeInputProps extends Labeled {
  readonly name: string
  readonly isReadOnly: boolean
}

function TimeInput(props: TimeInputProps) {
  const { value, fault, change } = useBound<string>(props, '')
  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => (
        <input
          id={id}
          name={props.name}
          class="input"
          type="datetime-local"
          step="1"
          readOnly={props.isReadOnly}
          value={toLocal(value)}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onInput={({ currentTarget }) => change(fromLocal(currentTarget.value))}
        />
      )}
    </Field>
  )
}

/** Whether the server fills in a missing value. */
export function hasOwn({ column }: EntryField): boolean {
  return column?.isAuto === true || (column?.default ?? null) !== null
}

function hintOf({ kind, column }: EntryField, isNew: boolean, { t, formats }: Speech): string {
  const { form, localTime, yes, no } = t.entries
  const initial = column?.default ?? null
  const own =
    column?.isAuto === true
      ? form.auto
      : typeof initial === 'object'
        ? initial !== null && (kind === 'date' ? form.byToday : form.byNow)
        : fill(form.byDefault, {
            value: typeof initial === 'boolean' ? (initial ? yes : no) : String(initial),
          })
  const parts = [
    isNew && own,
    column?.isUnique === true && form.unique,
    kind === 'text' &&
      column?.size &&
      column.size < FREE_LENGTH &&
      formats.count(form.length, column.size),
    kind === 'time' && fill(localTime, { zone: OWN_ZONE }),
  ]
  return parts.filter((part) => typeof part === 'string').join(' ')
}
