// Rarely used options of a column.

import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { isNumber, typeOf } from './column-types.ts'
import type { SchemaColumn } from './schema-columns.ts'
import { type Flag, setFlag } from './schema-edit.ts'
import { NONE, type ValuesFrom } from './values-from.ts'

export interface ColumnOptionsProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly onChange: (text: string) => void
  /** Undefined while the table has no values. */
  readonly valuesFrom: ValuesFrom | undefined
}

export function ColumnOptions({ column, text, onChange, valuesFrom }: ColumnOptionsProps) {
  const { t } = useTexts()
  const type = typeOf(column.code)
  const box = (flag: Flag, isDisabled = false) => (
    <Checkbox
      name={flag}
      label={t.data.flags[flag]}
      hint={t.data.flagTexts[flag]}
      value={column[flag]}
      isDisabled={isDisabled}
      onChange={(isSet) => onChange(setFlag(text, column, { flag, isSet }))}
    />
  )
  return (
    <div class="column-options">
      {!type.isLong && box('isUnique', column.isAuto)}
      {type.kind === 'integer' && box('isAuto')}
      {isNumber(type) && box('isUnsigned')}
      {type.isLong && <p class="quiet">{t.data.noIndex}</p>}
      {valuesFrom !== undefined && valuesFrom.from !== column.name && (
        <Select
          name="from"
          label={t.data.valuesFrom}
          value={valuesFrom.from}
          onChange={valuesFrom.onChange}
          options={[
            { value: NONE, text: t.data.valuesFromNone },
            ...[...new Set([valuesFrom.from, ...valuesFrom.free])]
              .filter((name) => name !== NONE)
              .map((name) => ({ value: name, text: name })),
          ]}
        />
      )}
    </div>
  )
}
