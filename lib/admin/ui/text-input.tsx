// A text input: one line, or several with `rows`. In a form, the form holds its value; elsewhere, it takes `value`
// and `onChange`.
//
//   <TextInput name="name" label={t.keys.name} isRequired />
//   <TextInput name="find" label={t.files.find} value={text} onChange={setText} type="search" />

import { Field, type Labeled } from './field.tsx'
import { useFocus } from './use-focus.ts'
import { type Bound, useBound } from './use-form.ts'

export interface TextInputProps extends Labeled, Bound<string> {
  readonly type?: 'text' | 'search' | 'email' | 'url' | 'date' | 'time' | 'datetime-local'
  readonly rows?: number
  readonly isRequired?: boolean
  readonly isReadOnly?: boolean
  readonly isFocused?: boolean
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'text'
  readonly maxLength?: number
}

export function TextInput(props: TextInputProps) {
  const { name, type = 'text', rows, isReadOnly, isFocused, autoComplete = 'off' } = props
  const { value, fault, change } = useBound(props, '')
  const line = useFocus<HTMLInputElement>(isFocused)
  const lines = useFocus<HTMLTextAreaElement>(isFocused)
  return (
    <Field {...props} fault={fault}>
      {({ id, describedBy, isInvalid }) => {
        const all = {
          id,
          name,
          class: 'input',
          value,
          required: props.isRequired,
          readOnly: isReadOnly,
          maxLength: props.maxLength,
          'aria-describedby': describedBy,
          'aria-invalid': isInvalid,
          onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
            change(currentTarget.value),
        } as const
        if (rows !== undefined) return <textarea ref={lines} {...all} rows={rows} />
        return (
          <input
            ref={line}
            {...all}
            type={type}
            autoComplete={autoComplete}
            inputMode={props.inputMode}
            spellcheck={false}
          />
        )
      }}
    </Field>
  )
}
