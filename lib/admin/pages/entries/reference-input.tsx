// The records that a column refers to, picked by search: one, or an ordered list. The form holds the identifiers as
// text: 3,7.

import { useMemo } from 'preact/hooks'
import { useApi, useMe } from '../../client/client-context.ts'
import { idsIn, type References } from '../../client/references.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Field, type Labeled } from '../../ui/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Picker, type PickerOption, type PickerProps } from '../../ui/picker.tsx'
import { useBound } from '../../ui/use-form.ts'
import { FileInput } from './file-input.tsx'
import { InputGroup } from './input-group.tsx'
import { ReferenceList } from './reference-list.tsx'
import { pathOfReferenced, type Referenced, type ReferenceTarget } from './reference-target.ts'
import { mayCreateEntries } from './references/may-create.ts'
import { useNewEntry } from './references/new-entry-context.ts'
import { titleOf, useReferenced, useReferenceTarget } from './use-referenced.ts'

interface ReferenceInputProps extends Labeled {
  readonly name: string
  readonly references: References
  readonly isReadOnly: boolean
}

export function ReferenceInput(props: ReferenceInputProps) {
  const { references } = props
  const target = useReferenceTarget(references)
  const One = references.object === 'asset_file' ? FileInput : OneReference
  const Shown = references.isMany && One === OneReference ? ManyReferences : One
  return <Shown {...props} target={target} />
}

interface TargetProps extends ReferenceInputProps {
  readonly target: ReferenceTarget
}

function OneReference({ target, references, isReadOnly, ...props }: TargetProps) {
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  const ids = idsIn(value) ?? []
  const [id] = ids
  const find = useFinder({
    target,
    references,
    name: props.name,
    onMade: (made) => change(String(made)),
  })
  const record = useReferenced(target, ids).get(id ?? 0)
  const title = id === undefined ? value : titleOf(record, id)
  return (
    <div class="reference-input">
      {isReadOnly ? (
        <Field {...props} fault={fault}>
          {(parts) => <input id={parts.id} class="input" readOnly value={title} />}
        </Field>
      ) : (
        <Picker
          {...props}
          find={find}
          nameOf={async (text) => {
            const [wanted] = idsIn(text) ?? []
            if (wanted === undefined) return text
            return titleOf((await target.read([wanted])).get(wanted), wanted)
          }}
          empty={t.entries.form.searchReference}
        />
      )}
      {id !== undefined && (
        <p class="reference-shown">
          <Link
            href={pathOfReferenced(references, id)}
            label={fill(t.entries.open, { name: title })}
          >
            {t.entries.form.openReference}
          </Link>
          <span class="quiet">#{id}</span>
        </p>
      )}
    </div>
  )
}

function ManyReferences({ target, references, isReadOnly, ...props }: TargetProps) {
  const { t } = useTexts()
  const { name, label } = props
  const { value, fault, change } = useBound<string>(props, '')
  const ids = idsIn(value) ?? []
  const records = useReferenced(target, ids)
  const add = (id: number): void => change([...ids, id].join(','))
  const find = useFinder({ target, references, name, onMade: add })
  return (
    <InputGroup {...props} class="reference-input references-input" fault={fault}>
      <ReferenceList
        label={label}
        items={ids.map((id) => ({
          id,
          title: titleOf(records.get(id), id),
          href: pathOfReferenced(references, id),
        }))}
        isReadOnly={isReadOnly}
        onChange={(next) => change(next.join(','))}
      />
      {!isReadOnly && (
        <Picker
          name={`${name}=add`}
          label={t.entries.form.addReference}
          value=""
          find={async (text, signal) => {
            const options = await find(text, signal)
            return options.filter(({ value: id }) => !ids.includes(Number(id)))
          }}
          nameOf={async () => ''}
          empty={t.entries.form.searchReference}
          onChange={(id) => {
            if (id !== '') add(Number(id))
          }}
        />
      )}
    </InputGroup>
  )
}

interface FinderOptions {
  readonly target: ReferenceTarget
  readonly references: References
  /** Name of the input. */
  readonly name: string
  readonly onMade: (id: number) => void
}

/** Searches the records, and offers a new entry after the results if the user may create one. */
function useFinder({ target, references, name, onMade }: FinderOptions): PickerProps['find'] {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const open = useNewEntry()
  const { object, module_id: tableId } = references
  const canAsk = open !== undefined && object === 'datatable' && tableId !== null
  const mayCreate = useMemo(
    () => once(async () => canAsk && mayCreateEntries(api, { me, tableId })),
    [api, me, canAsk, tableId],
  )
  return async (text, signal) => {
    const [found, isOffered] = await Promise.all([target.find(text, signal), mayCreate()])
    const options = found.map(optionOf)
    if (!isOffered || tableId === null) return options
    const title = isNumber(text) ? '' : text
    const run = (): void => open?.({ tableId, place: name, initial: {}, title, onMade })
    return [...options, { value: '', text: newText(t, title), run }]
  }
}

/** Repeats the work after an error only. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work()
    running.catch(() => (running = undefined))
    return running
  }
}

function isNumber(text: string): boolean {
  return /^#?\d+$/.test(text)
}

function newText({ entries }: Speech['t'], title: string): string {
  return title === '' ? entries.form.newReference : fill(entries.form.newNamed, { name: title })
}

function optionOf(record: Referenced): PickerOption {
  return {
    value: String(record.id),
    text: titleOf(record, record.id),
    ...(record.title !== '' && { note: `#${record.id}` }),
  }
}
