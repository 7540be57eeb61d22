// The records that a column refers to, picked by search: one, or an ordered list. The form holds the identifiers as
// text: 3,7.

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useApi, useMe } from '../../client/client-context.ts'
import { idsIn, type References } from '../../client/references.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Field, type Labelled, LabelMark } from '../../ui/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Picker, type PickerOption, type PickerProps } from '../../ui/picker.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ReferenceList } from './reference-list.tsx'
import { ReferencePreview } from './reference-preview.tsx'
import {
  openReferenceTarget,
  pathOfReferenced,
  type Referenced,
  type ReferenceTarget,
} from './reference-target.ts'
import { BrowseFiles } from './references/browse-files.tsx'
import { mayCreateEntries } from './references/may-create.ts'
import { useNewEntry } from './references/new-entry-context.ts'

interface ReferenceInputProps extends Labelled {
  readonly name: string
  readonly references: References
  readonly isReadOnly: boolean
}

export function ReferenceInput(props: ReferenceInputProps) {
  const api = useApi()
  const { references } = props
  const target = useMemo(
    () => openReferenceTarget(api, references),
    [api, JSON.stringify(references)],
  )
  const Shown = references.isMany ? ManyReferences : OneReference
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
      {!isReadOnly && references.object === 'asset_file' && (
        <BrowseFiles
          label={props.label}
          accept={references.accept}
          onChoose={(chosen) => change(String(chosen))}
        />
      )}
      {id !== undefined && (
        <p class="reference-shown">
          {references.object === 'asset_file' && <ReferencePreview record={record} />}
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
  const { name, label, hint } = props
  const { value, fault, change } = useBound<string>(props, '')
  const noteId = useId()
  const ids = idsIn(value) ?? []
  const records = useReferenced(target, ids)
  const told = fault ?? hint
  const isFile = references.object === 'asset_file'
  const find = useFinder({
    target,
    references,
    name,
    onMade: (made) => change([...ids, made].join(',')),
  })
  return (
    <fieldset
      class="reference-input references-input"
      aria-invalid={fault !== undefined}
      aria-describedby={told === undefined ? undefined : noteId}
    >
      <legend class="field-label" title={props.labelTitle}>
        {label}
        <LabelMark {...props} />
      </legend>
      <ReferenceList
        label={label}
        items={ids.map((id) => ({
          id,
          title: titleOf(records.get(id), id),
          href: pathOfReferenced(references, id),
          preview: isFile && <ReferencePreview record={records.get(id)} />,
        }))}
        isReadOnly={isReadOnly}
        onChange={(next) => change(next.join(','))}
      />
      {!isReadOnly && (
        <Picker
          name={`${name}=add`}
          label={isFile ? t.entries.form.addFile : t.entries.form.addReference}
          value=""
          find={async (text, signal) => {
            const options = await find(text, signal)
            return options.filter(({ value: id }) => !ids.includes(Number(id)))
          }}
          nameOf={async () => ''}
          empty={t.entries.form.searchReference}
          onChange={(id) => {
            if (id !== '') change([...ids, id].join(','))
          }}
        />
      )}
      {!isReadOnly && isFile && (
        <BrowseFiles
          label={label}
          accept={references.accept}
          onChoose={(id) => change([...ids.filter((each) => each !== id), id].join(','))}
        />
      )}
      {told !== undefined && (
        <p id={noteId} class={fault === undefined ? 'field-hint' : 'field-fault'}>
          {told}
        </p>
      )}
    </fieldset>
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
    ...(record.title !== '' && { note: record.file?.path ?? `#${record.id}` }),
    ...(record.file !== undefined && { preview: <ReferencePreview record={record} /> }),
  }
}

/** A record without a title, and one that is not visible, is shown by its number. */
function titleOf(record: Referenced | undefined, id: number): string {
  return record === undefined || record.title === '' ? `#${id}` : record.title
}

/** The records that were found so far. */
function useReferenced(target: ReferenceTarget, ids: readonly number[]) {
  const [records, setRecords] = useState<ReadonlyMap<number, Referenced>>(new Map())
  const latest = useRef('')
  const key = ids.join()
  useEffect(() => {
    latest.current = key
    if (ids.length === 0) return
    target.read(ids).then(
      (found) => latest.current === key && setRecords(found),
      // The numbers stay.
      () => undefined,
    )
  }, [target, key])
  return records
}
