// One column in the list: common properties as fields, and rare options below.

import { useRef, useState } from 'preact/hooks'
import { isColumnName } from '../../../shared/schema-tokens.ts'
import { isNumeric } from '../../client/column-kind.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { CheckedInput, ColumnDefault } from './column-default.tsx'
import { ColumnReference } from './column-reference.tsx'
import { ColumnRules } from './column-rules.tsx'
import { ADVANCED_CODES, type OfferedType, PLAIN_NAMES, typeOf } from './column-types.ts'
import { offeredType, retypeTo, typeIcon, useTypeName } from './offered-types.ts'
import { renameColumn } from './rename-column.ts'
import { columnName, type SchemaColumn, sizeFault } from './schema-columns.ts'
import {
  EXAMPLE_VALUES,
  type Flag,
  listOfValues,
  resizeColumn,
  setFlag,
  shownValues,
} from './schema-edit.ts'
import { referenceOf } from './schema-references.ts'

interface ColumnRowProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly names: readonly string[]
  readonly onChange: (text: string) => void
  /** Moves the column by this many places. */
  readonly onMove: (by: number) => void
  readonly onDrop: () => void
  readonly onDragStart: (event: DragEvent) => void
  /** Undefined while the table has no values. */
  readonly valuesFrom: ValuesFrom | undefined
  readonly isTitle: boolean
  /** The possible targets of a reference. */
  readonly targets: readonly SelectOption[]
}

export function ColumnRow(props: ColumnRowProps) {
  const { column, text, onChange, onDrop } = props
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { name, code } = column
  return (
    <div class="column" role="group" aria-label={name}>
      <div class="column-line">
        <MoveButton {...props} />
        <NameInput {...props} />
        <TypeSelect {...props} />
        <SizeInput {...props} />
        <ColumnDefault column={column} text={text} onChange={onChange} />
        <div class="column-required">
          <Checkbox
            name="column_required"
            label={t.data.required}
            value={column.isRequired}
            isDisabled={column.isAuto}
            onChange={(isSet) => onChange(setFlag(text, column, { flag: 'isRequired', isSet }))}
          />
        </div>
        <div class="column-actions">
          <Button
            kind="quiet"
            icon={isOpen ? 'chevronUp' : 'chevronDown'}
            label={fill(t.data.more, { name })}
            isExpanded={isOpen}
            onPress={() => setIsOpen(!isOpen)}
          />
          <Button
            kind="quiet"
            icon="trash"
            label={fill(t.data.dropColumn, { name })}
            onPress={onDrop}
          />
        </div>
      </div>
      {typeOf(code).size === 'values' && <ValuesInput {...props} />}
      <ColumnReference {...props} />
      {isOpen && <ColumnOptions {...props} />}
    </div>
  )
}

function MoveButton({ column, onMove, onDragStart }: ColumnRowProps) {
  const { t } = useTexts()
  const label = fill(t.data.moveColumn, { name: column.name })
  return (
    <button
      type="button"
      class="column-handle"
      aria-label={label}
      title={label}
      draggable
      onDragStart={onDragStart}
      onKeyDown={(event) => {
        const by = STEPS[event.key]
        if (by === undefined) return
        event.preventDefault()
        onMove(by)
      }}
    >
      <Icon name="grip" />
    </button>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function NameInput({ column, text, names, onChange, valuesFrom, isTitle }: ColumnRowProps) {
  const { t } = useTexts()
  const others = names.filter((name) => name !== column.name).map((name) => name.toLowerCase())
  const origin = valuesFrom?.from
  const isRenamed = origin !== undefined && origin !== NONE && origin !== column.name
  const told = [
    ...(isRenamed ? [fill(t.data.was, { name: origin })] : []),
    ...(origin === NONE ? [t.data.isNew] : []),
    ...(isTitle ? [t.data.isTitle] : []),
  ]
  return (
    <CheckedInput
      name="column_name"
      label={t.data.columnName}
      value={column.name}
      hint={told.length === 0 ? undefined : told.join(' · ')}
      maxLength={63}
      clean={columnName}
      check={(name) => {
        if (!isColumnName(name)) return name === '' ? t.form.required : t.data.faults.name
        return others.includes(name.toLowerCase()) ? t.data.nameTaken : undefined
      }}
      onChange={(name) => onChange(renameColumn(text, column, name))}
    />
  )
}

function TypeSelect({ column, text, onChange }: ColumnRowProps) {
  const { t } = useTexts()
  const row = useRef<HTMLDivElement>(null)
  const nameOf = useTypeName()
  const value = offeredType(column)
  const options = [
    ...PLAIN_NAMES.map((each) => ({ value: each, text: nameOf(each), group: t.data.plainTypes })),
    ...ADVANCED_CODES.map((each) => ({
      value: each,
      text: `${nameOf(each)} (${each})`,
      group: t.data.advancedTypes,
    })),
  ]

  function choose(next: string): void {
    const type = options.find((each) => each.value === next)?.value
    if (type === undefined) return
    onChange(retypeTo(text, column, type))
    // The answer that a type needs comes next.
    const asked = ASKED[type]
    if (asked === undefined) return
    requestAnimationFrame(() => {
      const field = row.current?.closest('.column')?.querySelector<HTMLElement>(asked)
      field?.focus()
      if (field instanceof HTMLInputElement) field.select()
    })
  }

  return (
    <div ref={row}>
      <Select
        name="column_type"
        label={t.data.type}
        value={value}
        options={options}
        icon={typeIcon(value)}
        onChange={choose}
      />
    </div>
  )
}

const ASKED: Partial<Readonly<Record<OfferedType, string>>> = {
  ENUM: '[name="column_values"]',
  SET: '[name="column_values"]',
  entry: '[name="reference_target"]',
}

function SizeInput({ column, text, onChange }: ColumnRowProps) {
  const { t } = useTexts()
  const rule = typeOf(column.code).size
  // Keeps its place, so that the columns stay aligned.
  if (rule === 'none' || rule === 'values') return <div class="column-no-size" />
  return (
    <CheckedInput
      name="column_size"
      label={rule === 'length' ? t.data.length : t.data.digits}
      value={column.size ?? ''}
      inputMode={rule === 'length' ? 'numeric' : 'text'}
      check={(size) => {
        const isNoSize = sizeFault(column.code, size === '' ? undefined : size) !== undefined
        return isNoSize ? t.data.faults[rule] : undefined
      }}
      onChange={(size) => onChange(resizeColumn(text, column, size === '' ? undefined : size))}
    />
  )
}

function ValuesInput({ column, text, onChange }: ColumnRowProps) {
  const { t } = useTexts()
  return (
    <div class="column-values">
      <CheckedInput
        name="column_values"
        label={t.data.values}
        hint={column.size === EXAMPLE_VALUES ? t.data.valuesExample : t.data.valuesHint}
        value={shownValues(column.size ?? '')}
        check={(values) => (listOfValues(values) === undefined ? t.data.faults.values : undefined)}
        onChange={(values) => onChange(resizeColumn(text, column, listOfValues(values)))}
      />
    </div>
  )
}

interface ColumnOptionsProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly onChange: (text: string) => void
  /** Undefined while the table has no values. */
  readonly valuesFrom: ValuesFrom | undefined
}

/** Rarely used options of a column. */
function ColumnOptions({ column, text, onChange, valuesFrom }: ColumnOptionsProps) {
  const { t } = useTexts()
  const type = typeOf(column.code)
  const isComputed = column.parts.rules.has('COMPUTED')
  const reference = referenceOf(column)
  const isReference = reference !== undefined
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
      {!type.isLong && !isComputed && reference?.isMany !== true && box('isUnique', column.isAuto)}
      {type.kind === 'integer' && !isComputed && !isReference && box('isAuto')}
      {isNumeric(type) && !isReference && box('isUnsigned')}
      <ColumnRules column={column} text={text} onChange={onChange} />
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

/** The source of a column's values after the change: itself, a replaced column, or none. */
export const NONE = ''

export interface ValuesFrom {
  /** A column of the table, or NONE for a new column. */
  readonly from: string
  /** Columns whose values are not taken by another column. */
  readonly free: readonly string[]
  readonly onChange: (from: string) => void
}
