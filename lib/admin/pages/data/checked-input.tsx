// A field of a list that is checked at each key: what is good goes on at once, what is not stays in the field with what
// is wrong about it.

import { useState } from 'preact/hooks'
import { TextInput, type TextInputProps } from '../../ui/text-input.tsx'

export interface CheckedInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'fault'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong; undefined: nothing. */
  readonly check: (text: string) => string | undefined
  /** What is typed, as it can be. */
  readonly clean?: (text: string) => string
}

export function CheckedInput({ value, onChange, check, clean, ...rest }: CheckedInputProps) {
  /** Undefined: nobody is typing, and nothing wrong was typed. */
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
