// The default value of a column.

import { useState } from 'preact/hooks'
import { isNumeric } from '../../client/column-kind.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { TextInput, type TextInputProps } from '../../ui/text-input.tsx'
import { typeOf } from './column-types.ts'
import { type SchemaColumn, type SchemaDefault, valuesOf } from './schema-columns.ts'
import { setDefault } from './schema-edit.ts'
import { referenceOf } from './schema-references.ts'

interface ColumnDefaultProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly onChange: (text: string) => void
}

export function ColumnDefault({ column, text, onChange }: ColumnDefaultProps) {
  const { t } = useTexts()
  const { code, default: initial, isAuto } = column
  const set = (value: SchemaDefault | undefined): void => onChange(setDefault(text, column, value))
  const computed = column.parts.rules.get('COMPUTED')?.[1].text
  if (isAuto || computed !== undefined)
    return (
      <Select
        name="column_default"
        label={t.data.default}
        value=""
        options={[{ value: '', text: computed ?? t.data.nextNumber }]}
        onChange={() => undefined}
      />
    )
  if (referenceOf(column) !== undefined)
    return (
      <Select
        name="column_default"
        label={t.data.default}
        value=""
        options={[{ value: '', text: t.general.none }]}
        onChange={() => undefined}
      />
    )
  const choices = useChoices(column)
  if (choices !== undefined)
    return (
      <Select
        name="column_default"
        label={t.data.default}
        value={textOf(initial)}
        options={choices}
        onChange={(chosen) => set(defaultOf(chosen))}
      />
    )
  const isNumber = isNumeric(typeOf(code))
  return (
    <CheckedInput
      name="column_default"
      label={t.data.default}
      value={initial === undefined || initial === 'now' ? '' : initial.value}
      inputMode={isNumber ? 'numeric' : 'text'}
      check={(value) => {
        if (isNumber && value !== '' && !Number.isFinite(Number(value))) return t.data.noNumber
        return /^ .* $/.test(value) ? t.data.noBlanks : undefined
      }}
      onChange={(value) => set(value === '' ? undefined : { value })}
    />
  )
}

const NOW = ':now'

/** Prefixes distinguish the choices from literal values. */
function textOf(initial: SchemaDefault | undefined): string {
  if (initial === undefined) return ''
  return initial === 'now' ? NOW : `=${initial.value}`
}

function defaultOf(chosen: string): SchemaDefault | undefined {
  if (chosen === '') return undefined
  return chosen === NOW ? 'now' : { value: chosen.slice(1) }
}

/** Undefined if every value can be typed. */
function useChoices(column: SchemaColumn): readonly SelectOption[] | undefined {
  const { t } = useTexts()
  const { kind } = typeOf(column.code)
  const none = { value: '', text: t.general.none }
  const initial = textOf(column.default)
  const withHeld = (options: readonly SelectOption[]): readonly SelectOption[] =>
    options.some(({ value }) => value === initial)
      ? options
      : [...options, { value: initial, text: initial.slice(1) }]
  if (kind === 'boolean')
    return withHeld([none, { value: '=1', text: t.data.yes }, { value: '=0', text: t.data.no }])
  if (kind === 'choice') {
    const values = valuesOf(column.size ?? '') ?? []
    return withHeld([none, ...values.map((value) => ({ value: `=${value}`, text: value }))])
  }
  if (kind === 'date' || kind === 'time')
    return withHeld([none, { value: NOW, text: kind === 'date' ? t.data.today : t.data.now }])
  return undefined
}

interface CheckedInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'fault'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Returns an error, or undefined. */
  readonly check: (text: string) => string | undefined
  /** Normalizes the typed text. */
  readonly clean?: (text: string) => string
}

/**
 * An input that is checked on every keystroke. Valid values are passed on at once; invalid text stays in the field
 * with its error.
 */
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
