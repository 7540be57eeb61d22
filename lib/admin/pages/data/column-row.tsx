// One column in the list: common properties as fields, and rare options below.

import { useState } from 'preact/hooks'
import type { TypeCode } from '../../../shared/column-types.ts'
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
import { TYPE_CODES, typeOf, USUAL_TYPES } from './column-types.ts'
import { renameColumn } from './rename-column.ts'
import { columnName, readSchema, type SchemaColumn, sizeFault } from './schema-columns.ts'
import {
  type Flag,
  listOfValues,
  resizeColumn,
  retypeColumn,
  setFlag,
  shownValues,
} from './schema-edit.ts'
import { FILE_TARGET, OWN_TARGET, referenceOf, setReference } from './schema-references.ts'

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
  const ofReferences = REFERENCE_TYPES.map((value) => ({
    value,
    text: t.data.reference.types[value],
    group: t.data.usualTypes,
  }))
  const plain = TYPE_CODES.map((value, at) => ({
    value,
    text: `${t.data.types[value]} (${value})`,
    group: at < USUAL_TYPES ? t.data.usualTypes : t.data.otherTypes,
  }))
  const options = [...plain.slice(0, USUAL_TYPES), ...ofReferences, ...plain.slice(USUAL_TYPES)]
  const reference = referenceOf(column)

  function choose(value: string): void {
    const isFile = value === 'file'
    if (isFile || value === 'entry') {
      const target = isFile ? FILE_TARGET : OWN_TARGET
      onChange(setReference(...asNumber(text, column), { ...NEW_REFERENCE, target }))
    }
    const code: TypeCode | undefined = TYPE_CODES.find((each) => each === value)
    if (code !== undefined) onChange(retypeColumn(text, column, code))
  }

  return (
    <Select
      name="column_type"
      label={t.data.type}
      value={
        reference === undefined ? column.code : reference.target === FILE_TARGET ? 'file' : 'entry'
      }
      options={options}
      onChange={choose}
    />
  )
}

/** The types of columns with references in the list. */
const REFERENCE_TYPES = ['entry', 'file'] as const

const NEW_REFERENCE = { isMany: false, onDelete: 'restrict' } as const

/** The column as a plain number, because a reference takes few options of other types. */
function asNumber(text: string, column: SchemaColumn): readonly [string, SchemaColumn] {
  const next = retypeColumn(text, column, 'I')
  return [next, readSchema(next).columns.find(({ name }) => name === column.name) ?? column]
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
        hint={t.data.valuesHint}
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
