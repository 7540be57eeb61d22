// An input that is checked on every keystroke. Valid values are passed on at once; invalid text stays in the field
// with its error.

import { useState } from 'preact/hooks'
import { TextInput, type TextInputProps } from '../../ui/text-input.tsx'

export interface CheckedInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'fault'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Returns an error, or undefined. */
  readonly check: (text: string) => string | undefined
  /** Normalizes the typed text. */
  readonly clean?: (text: string) => string
}

export function CheckedInput({ value, onChange, check, clean, ...rest }: CheckedInputProps) {
  /** Undefined while the field shows its given value. */
  const [typed, setTyped] = useState<string>()
  const fault = typed === undefined ? undefined : check(typed)

  function take(text: string): void {
    const next = clean === undefined ? text : clean(text)
    setTyped(next)
    if (check(next) === undefined) onChange(next)
  }

  return (
    <div
      onFocusOut={() => {
        if (fault === undefined) setTyped(undefined)
      }}
    >
      <TextInput {...rest} value={typed ?? value} onChange={take} fault={fault} />
    </div>
  )
}
