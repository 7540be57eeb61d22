// Conditions as fields and as qry; each view updates the other. The server's error is shown below the query.

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { FormProvider } from '../../ui/use-form.ts'
import { useProblemText } from '../../ui/use-problem-text.ts'
import { ConditionRow } from './condition-row.tsx'
import { type Condition, conditionsOf, operatorsOf, qryOf } from './conditions.ts'
import type { EntryField } from './fields.ts'

export interface FilterPanelProps {
  readonly qry: string
  readonly fields: readonly EntryField[]
  /** Server error about the query. */
  readonly error: unknown
  readonly onChange: (qry: string) => void
}

export function FilterPanel({ qry, fields, error, onChange }: FilterPanelProps) {
  const { t } = useTexts()
  const [rows, setRows] = useState<readonly Condition[]>(() => rowsOf(qry, fields))
  const [text, setText] = useState(qry)
  const isByHand = qry !== '' && conditionsOf(qry, fields) === undefined
  useEffect(() => {
    setText(qry)
    // Keeps incomplete rows.
    if (qryOf(rows, fields) !== qry) setRows(rowsOf(qry, fields))
  }, [qry])

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
