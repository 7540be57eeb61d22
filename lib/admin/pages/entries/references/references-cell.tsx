// The editor of a cell that refers to several records: a panel with the ordered list and a field that adds records by search,
// or the dialog of files. Tab moves in the panel. Enter in the empty field saves, and so does leaving the panel.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { idsIn, type References } from '../../../client/references.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { place } from '../../../ui/menu.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { ReferenceList } from '../reference-list.tsx'
import { ReferencePreview } from '../reference-preview.tsx'
import type { ReferenceTarget } from '../reference-target.ts'
import { titleOf, useReferenced, useReferenceTarget } from '../use-referenced.ts'
import { ChooseFiles } from './choose-files.tsx'

interface ReferencesCellProps {
  readonly references: References
  readonly text: string
  readonly label: string
  readonly onType: (text: string) => void
  readonly onDone: () => void
  /** Why saving failed. */
  readonly children: ComponentChildren
}

export function ReferencesCell(props: ReferencesCellProps) {
  const { references, text, label, onType, onDone, children } = props
  const { t } = useTexts()
  const target = useReferenceTarget(references)
  const ids = idsIn(text) ?? []
  const records = useReferenced(target, ids)
  const isFile = references.object === 'asset_file'
  const change = (next: readonly number[]): void => onType([...new Set(next)].join(','))
  const panel = usePanel(ids.length, onDone)
  return (
    <>
      <bdi class="cell-behind" aria-hidden="true">
        {ids.map((id) => titleOf(records.get(id), id)).join(', ')}
      </bdi>
      <div
        ref={panel}
        class="menu cell-panel"
        popover="manual"
        role="group"
        aria-label={label}
        onKeyDown={(event) => {
          if (isSave(event)) onDone()
        }}
      >
        {children}
        <ReferenceList
          label={label}
          items={ids.map((id) => ({
            id,
            title: titleOf(records.get(id), id),
            preview: isFile && <ReferencePreview record={records.get(id)} />,
          }))}
          isReadOnly={false}
          onChange={change}
        />
        <AddRecord
          {...props}
          target={target}
          ids={ids}
          onAdd={(added) => change([...ids, ...added])}
        />
        <div class="cell-panel-end">
          <Button kind="primary" onPress={onDone}>
            {t.general.save}
          </Button>
        </div>
      </div>
    </>
  )
}

interface AddRecordProps extends ReferencesCellProps {
  readonly target: ReferenceTarget
  readonly ids: readonly number[]
  readonly onAdd: (ids: readonly number[]) => void
}

function AddRecord({ references, label, target, ids, onAdd }: AddRecordProps) {
  const { form } = useTexts().t.entries
  if (references.object === 'asset_file')
    return <ChooseFiles label={label} references={references} onChoose={onAdd} />
  return (
    <Picker
      name="add"
      label={form.addReference}
      value=""
      find={async (typed, signal) => {
        const found = await target.find(typed, signal)
        return found
          .filter(({ id }) => !ids.includes(id))
          .map((record) => ({
            value: String(record.id),
            text: titleOf(record, record.id),
            note: `#${record.id}`,
          }))
      }}
      nameOf={async () => ''}
      empty={form.searchReference}
      onChange={(id) => {
        if (id !== '') onAdd([Number(id)])
      }}
    />
  )
}

/** Enter chooses a result while the list of results is open. */
function isSave({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const isClosed = target instanceof Element && target.getAttribute('aria-expanded') === 'false'
  return key === 'Enter' && (ctrlKey || metaKey || isClosed)
}

/** Shows the panel below its cell, over the page. A click outside leaves the panel. */
function usePanel(length: number, onLeave: () => void) {
  const ref = useRef<HTMLDivElement>(null)
  const latest = useRef(onLeave)
  latest.current = onLeave
  useLayoutEffect(() => {
    const panel = ref.current
    const cell = panel?.parentElement?.getBoundingClientRect()
    if (panel === null || cell === undefined) return
    if (!panel.matches(':popover-open')) panel.showPopover()
    place(panel, cell)
  }, [length])
  useEffect(() => {
    const gone = new AbortController()
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && ref.current?.contains(target) === false) latest.current()
    }
    document.addEventListener('pointerdown', leave, { signal: gone.signal, capture: true })
    return () => gone.abort()
  }, [])
  return ref
}
