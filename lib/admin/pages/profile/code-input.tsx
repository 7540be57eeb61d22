// A field for a one-time code, which is never stored.

import { useEffect } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { TextInput } from '../../ui/text-input.tsx'
import { useForm } from '../../ui/use-form.ts'

export interface CodeInputProps {
  readonly hint: string
  readonly isFocused?: boolean
}

export function CodeInput({ hint, isFocused = false }: CodeInputProps) {
  const { t } = useTexts()
  const { keepSecret } = useForm()
  useEffect(() => keepSecret('code'), [])
  return (
    <TextInput
      name="code"
      label={t.signIn.code}
      hint={hint}
      autoComplete="one-time-code"
      isRequired
      isFocused={isFocused}
    />
  )
}
