// The reference of a column: its target, whether a value is a list, and the effect of a deletion.

import { MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import { type DeleteRule, isFileType } from '../../../shared/reference-words.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { SchemaColumn } from './schema-columns.ts'
import { resizeColumn } from './schema-edit.ts'
import {
  type ColumnReference as Reference,
  FILE_TARGET,
  OWN_TARGET,
  referenceOf,
  setReference,
} from './schema-references.ts'

interface ColumnReferenceProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly onChange: (text: string) => void
  readonly targets: readonly SelectOption[]
}

const RULES: readonly DeleteRule[] = ['restrict', 'set null', 'cascade']

/** Nothing for a column without a reference. */
export function ColumnReference({ column, text, onChange, targets }: ColumnReferenceProps) {
  const reference = referenceOf(column)
  if (reference === undefined) return null
  return (
    <ReferenceFields
      column={column}
      reference={reference}
      targets={targets}
      onChange={(changed) => onChange(setReference(text, column, { ...reference, ...changed }))}
      onAccept={(types) => onChange(resizeColumn(text, column, types === '' ? undefined : types))}
    />
  )
}

interface ReferenceFieldsProps {
  readonly column: SchemaColumn
  readonly reference: Reference
  readonly targets: readonly SelectOption[]
  readonly onChange: (changed: Partial<Reference>) => void
  /** Sets the media types of a file column; '' for any. */
  readonly onAccept: (types: string) => void
}

const IMAGES = "'image/*'"

function ReferenceFields(props: ReferenceFieldsProps) {
  const { column, reference, targets, onChange, onAccept } = props
  const { t } = useTexts()
  const words = t.data.reference
  const { target, isMany, onDelete } = reference
  const isFile = target === FILE_TARGET
  const known = [{ value: OWN_TARGET, text: words.own }, ...targets]
  const options = known.some(({ value }) => value === target)
    ? known
    : [...known, { value: target, text: target }]
  const rules = RULES.filter(
    (rule) => rule !== 'set null' || !column.isRequired || rule === onDelete,
  )
  return (
    <div class="column-options column-reference">
      {!isFile && (
        <Select
          name="reference_target"
          label={words.target}
          value={target}
          options={options}
          onChange={(value) => onChange({ target: value })}
        />
      )}
      {isFileType(column.parts.type.text) && (
        <Select
          name="reference_types"
          label={words.accepts}
          value={column.size ?? ''}
          options={[
            { value: '', text: words.anyFile },
            { value: IMAGES, text: words.imagesOnly },
            ...(column.size === undefined || column.size === IMAGES
              ? []
              : [{ value: column.size, text: column.size }]),
          ]}
          onChange={onAccept}
        />
      )}
      <Select
        name="reference_rule"
        label={isFile ? words.onFileDelete : words.onDelete}
        value={onDelete}
        options={rules.map((rule) => ({ value: rule, text: words.rules[rule] }))}
        onChange={(value) =>
          onChange({ onDelete: RULES.find((rule) => rule === value) ?? onDelete })
        }
      />
      <Checkbox
        name="reference_many"
        label={words.many}
        hint={words.manyHint}
        value={isMany}
        onChange={(isSet) => onChange({ isMany: isSet })}
      />
    </div>
  )
}

/** The targets of references; none while no column refers to entries. */
export function useReferenceTargets(columns: readonly SchemaColumn[]): readonly SelectOption[] {
  const api = useApi()
  const isUsed = columns.some((column) => {
    const target = referenceOf(column)?.target ?? FILE_TARGET
    return target !== FILE_TARGET
  })
  const { data } = useRequest(async (signal) => (isUsed ? findTargets(api, signal) : []), [isUsed])
  return data ?? []
}

/** The datatables and calendars that the user sees. */
async function findTargets(api: Api, signal: AbortSignal): Promise<readonly SelectOption[]> {
  const query = { orderStr: 'name', length: MAX_LIST_LENGTH }
  const [{ datatable }, { calendar }] = await Promise.all([
    dataOf(
      api.GET('/datatable', {
        signal,
        params: { query: { ...query, fields: 'datatable_id,name' } },
      }),
    ),
    dataOf(
      api.GET('/calendar', { signal, params: { query: { ...query, fields: 'calendar_id,name' } } }),
    ),
  ])
  const option = (object: string, id = 0, name = ''): SelectOption => ({
    value: `${object} ${id}`,
    text: `${name} (${object} ${id})`,
  })
  return [
    ...datatable.map((each) => option('datatable', each.datatable_id, each.name)),
    ...calendar.map((each) => option('calendar', each.calendar_id, each.name)),
  ]
}
