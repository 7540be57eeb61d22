// One condition: column, comparison and value.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Condition, hasValue, type Operator, operatorsOf } from './conditions.ts'
import type { EntryField } from './fields.ts'
import { fromLocal, toLocal } from './local-time.ts'
import { useFieldName } from './use-field-name.ts'

export interface ConditionRowProps {
  readonly condition: Condition
  readonly fields: readonly EntryField[]
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

export function ConditionRow({ condition, fields, onChange, onRemove }: ConditionRowProps) {
  const { t } = useTexts()
  const nameOf = useFieldName()
  const field = fields.find(({ name }) => name === condition.field)
  const words = t.entries.filter

  function choose(name: string): void {
    const next = fields.find((each) => each.name === name)
    if (next === undefined) return
    const operators = operatorsOf(next)
    const isKept = next.kind === field?.kind
    const [first = 'is'] = operators
    onChange({
      ...condition,
      field: name,
      operator: operators.includes(condition.operator) ? condition.operator : first,
      ...(!isKept && { value: next.kind === 'boolean' ? 'true' : '', upTo: '' }),
    })
  }

  const isTimely = field?.kind === 'date' || field?.kind === 'time'
  const operatorTexts: Readonly<Record<string, string>> = {
    ...words.operators,
    ...(isTimely && words.timeOperators),
  }
  return (
    <div class="filter-row" role="group" aria-label={field === undefined ? '' : nameOf(field)}>
      <Choice
        label={words.column}
        value={condition.field}
        options={fields.map((each) => ({ value: each.name, text: nameOf(each) }))}
        onChange={choose}
      />
      <Choice
        label={words.operator}
        value={condition.operator}
        options={(field === undefined ? [] : operatorsOf(field)).map((operator) => ({
          value: operator,
          text: operatorTexts[operator] ?? operator,
        }))}
        onChange={(operator) => onChange({ ...condition, operator: operator as Operator })}
      />
      {field !== undefined && <Values condition={condition} field={field} onChange={onChange} />}
      <Button kind="quiet" icon="close" label={words.remove} onPress={onRemove} />
    </div>
  )
}

interface ValuesProps extends Pick<ConditionRowProps, 'condition' | 'onChange'> {
  readonly field: EntryField
}

function Values({ condition, field, onChange }: ValuesProps) {
  const { filter: words } = useTexts().t.entries
  const { operator, value, upTo } = condition
  return (
    <div class="filter-values">
      {hasValue(condition) && (
        <ValueInput
          label={words.value}
          field={field}
          operator={operator}
          value={value}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )}
      {operator === 'between' && (
        <>
          <span class="quiet">{words.upTo}</span>
          <ValueInput
            label={words.upTo}
            field={field}
            operator={operator}
            value={upTo}
            onChange={(next) => onChange({ ...condition, upTo: next })}
          />
        </>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <div class="select">
      <select
        class="input"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <Icon name="chevronDown" />
    </div>
  )
}

interface ValueInputProps {
  readonly label: string
  readonly field: EntryField
  readonly operator: Operator
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueInput({ label, field, operator, value, onChange }: ValueInputProps) {
  const { t } = useTexts()
  const isOne = operator !== 'in'
  if (isOne && field.kind === 'boolean') {
    const options = [
      { value: 'true', text: t.entries.yes },
      { value: 'false', text: t.entries.no },
    ]
    return <Choice label={label} value={value} options={options} onChange={onChange} />
  }
  if (isOne && field.kind === 'choice') {
    const values = (field.column?.values ?? []).map((each) => ({ value: each, text: each }))
    const options = [{ value: '', text: '–' }, ...values]
    return <Choice label={label} value={value} options={options} onChange={onChange} />
  }
  const isTime = isOne && field.kind === 'time'
  return (
    <input
      class="input"
      aria-label={label}
      type={isTime ? 'datetime-local' : isOne && field.kind === 'date' ? 'date' : 'text'}
      step={isTime ? '0.001' : undefined}
      placeholder={isOne ? undefined : t.entries.filter.inHint}
      autoComplete="off"
      value={isTime ? toLocal(value) : value}
      onInput={({ currentTarget: { value: next } }) => onChange(isTime ? fromLocal(next) : next)}
    />
  )
}
