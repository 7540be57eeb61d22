// Conditions as fields and as qry; each view updates the other. The server's error is shown below the query.

import { useEffect, useId, useState } from 'preact/hooks'
import type { Entry } from '../../client/module-paths.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { InlineSelect } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { FormProvider } from '../../ui/use-form.ts'
import { useProblemText } from '../../ui/use-problem-text.ts'
import {
  type Condition,
  conditionsOf,
  hasValue,
  type Operator,
  operatorsOf,
  qryOf,
} from './conditions.ts'
import { choicesOf, type EntryField, useFieldName, valuesOfList } from './fields.ts'
import { fromLocal, toLocal } from './cell-text.tsx'
import { knownValues } from './known-values.ts'
import { PlaceInputs } from './place-inputs.tsx'

interface FilterPanelProps {
  readonly qry: string
  readonly fields: readonly EntryField[]
  /** The loaded entries, whose values are offered. */
  readonly rows: ReadonlyMap<number, Entry>
  /** Server error about the query. */
  readonly error: unknown
  readonly onChange: (qry: string) => void
}

export function FilterPanel(props: FilterPanelProps) {
  const { qry, fields, error, onChange } = props
  const { t } = useTexts()
  const [rows, setRows] = useState<readonly Condition[]>(() => rowsOf(qry, fields))
  const [text, setText] = useState(qry)
  const isByHand = qry !== '' && conditionsOf(qry, fields) === undefined
  useEffect(() => {
    setText(qry)
    // Keeps incomplete rows.
    if (qryOf(rows, fields) !== qry) setRows(rowsOf(qry, fields))
    // Fields of referenced records become known later.
  }, [qry, fields.length])

  function change(next: readonly Condition[]): void {
    setRows(next)
    onChange(qryOf(next, fields))
  }

  return (
    <section class="filter-panel card" aria-label={t.entries.filter.label}>
      {isByHand ? (
        <p class="quiet">{t.entries.filter.byHand}</p>
      ) : (
        <>
          {rows.map((row, at) => (
            <ConditionRow
              // oxlint-disable-next-line react/no-array-index-key -- a row has no other key
              key={at}
              condition={row}
              fields={fields}
              entries={props.rows}
              onChange={(next) => change(rows.with(at, next))}
              onRemove={() => change(rows.toSpliced(at, 1))}
            />
          ))}
          <div>
            <Button icon="plus" kind="quiet" onPress={() => setRows([...rows, emptyOne(fields)])}>
              {t.entries.filter.add}
            </Button>
          </div>
        </>
      )}
      <QryText text={text} onText={setText} error={error} onApply={() => onChange(text.trim())} />
    </section>
  )
}

interface QryTextProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly error: unknown
  readonly onApply: () => void
}

function QryText({ text, onText, error, onApply }: QryTextProps) {
  const { t } = useTexts()
  const told = useProblemText()(error)
  const fault = error === undefined ? undefined : (told.detail ?? told.title)
  const values = { qry: text }
  return (
    <form
      class="filter-qry"
      onSubmit={(event) => {
        event.preventDefault()
        onApply()
      }}
    >
      <FormProvider
        value={{
          values,
          set: (_, value) => onText(String(value)),
          faults: fault === undefined ? {} : { qry: fault },
          keepSecret: () => undefined,
        }}
      >
        <TextInput name="qry" label={t.entries.filter.asText} hint={t.entries.filter.asTextHint} />
      </FormProvider>
      <Button type="submit">{t.entries.filter.apply}</Button>
    </form>
  )
}

function rowsOf(qry: string, fields: readonly EntryField[]): readonly Condition[] {
  const found = conditionsOf(qry, fields) ?? []
  return found.length === 0 ? [emptyOne(fields)] : found
}

function emptyOne(fields: readonly EntryField[]): Condition {
  const [field] = fields
  const [operator = 'is'] = field === undefined ? [] : operatorsOf(field)
  return { field: field?.name ?? '', operator, value: '', upTo: '' }
}

interface ConditionRowProps {
  readonly condition: Condition
  readonly fields: readonly EntryField[]
  readonly entries: ReadonlyMap<number, Entry>
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One condition: column, comparison and value. */
function ConditionRow(props: ConditionRowProps) {
  const { condition, fields, onChange, onRemove } = props
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
      ...(!isKept && { value: next.kind === 'boolean' ? 'true' : '', upTo: '', path: '' }),
    })
  }

  const isTimely = field?.kind === 'date' || field?.kind === 'time'
  const operatorTexts: Readonly<Record<string, string>> = {
    ...words.operators,
    ...(isTimely && words.timeOperators),
    ...(field?.kind === 'choices' && words.listOperators),
  }
  return (
    <div class="filter-row" role="group" aria-label={field === undefined ? '' : nameOf(field)}>
      <InlineSelect
        label={words.column}
        value={condition.field}
        options={fields.map((each) => ({ value: each.name, text: nameOf(each) }))}
        onChange={choose}
      />
      <InlineSelect
        label={words.operator}
        value={condition.operator}
        options={(field === undefined ? [] : operatorsOf(field)).map((operator) => ({
          value: operator,
          text: operatorTexts[operator] ?? operator,
        }))}
        onChange={(operator) => onChange({ ...condition, operator: operator as Operator })}
      />
      {field !== undefined && <Values {...props} field={field} />}
      <Button kind="quiet" icon="close" label={words.remove} onPress={onRemove} />
    </div>
  )
}

interface ValuesProps extends Pick<ConditionRowProps, 'condition' | 'entries' | 'onChange'> {
  readonly field: EntryField
}

function Values({ condition, field, entries, onChange }: ValuesProps) {
  const { filter: words } = useTexts().t.entries
  const { operator, value, upTo } = condition
  return (
    <div class="filter-values">
      {field.kind === 'json' && (
        <input
          class="input"
          aria-label={words.path}
          placeholder={words.pathExample}
          autoComplete="off"
          spellcheck={false}
          value={condition.path ?? ''}
          onInput={({ currentTarget }) =>
            onChange({ ...condition, path: currentTarget.value.trim() })
          }
        />
      )}
      {PLACES.has(operator) && <PlaceInputs condition={condition} onChange={onChange} />}
      {hasValue(condition) && !PLACES.has(operator) && (
        <ValueInput
          label={words.value}
          field={field}
          operator={operator}
          entries={entries}
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
            entries={entries}
            value={upTo}
            onChange={(next) => onChange({ ...condition, upTo: next })}
          />
        </>
      )}
    </div>
  )
}

const PLACES: ReadonlySet<Operator> = new Set(['near', 'within'])

interface ValueInputProps {
  readonly label: string
  readonly field: EntryField
  readonly operator: Operator
  readonly entries: ReadonlyMap<number, Entry>
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueInput(props: ValueInputProps) {
  const { label, field, operator, entries, value, onChange } = props
  const { t } = useTexts()
  const listId = useId()
  const isOne = operator !== 'in'
  const choices = field.kind === 'choices' ? valuesOfList(field.column) : choicesOf(field, t)
  if (isOne && choices !== undefined) {
    const options = field.kind !== 'boolean' ? [{ value: '', text: '–' }, ...choices] : choices
    return <InlineSelect label={label} value={value} options={options} onChange={onChange} />
  }
  const isTime = isOne && field.kind === 'time'
  const known = isOne ? knownValues(field, entries) : []
  return (
    <>
      <input
        class="input"
        list={known.length === 0 ? undefined : listId}
        aria-label={label}
        type={isTime ? 'datetime-local' : isOne && field.kind === 'date' ? 'date' : 'text'}
        step={isTime ? '1' : undefined}
        placeholder={isOne ? undefined : t.entries.filter.inHint}
        autoComplete="off"
        value={isTime ? toLocal(value) : value}
        onInput={({ currentTarget: { value: next } }) => onChange(isTime ? fromLocal(next) : next)}
      />
      {known.length > 0 && (
        <datalist id={listId}>
          {known.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
      )}
    </>
  )
}
