// The files that a column refers to, chosen in the dialog of files: one with its thumbnail, or an ordered list. The form holds
// the identifiers as text: 3,7.

import { useRef } from 'preact/hooks'
import { idsIn, type References } from '../../client/references.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import type { Labeled } from '../../ui/field.tsx'
import { Link } from '../../ui/link.tsx'
import { useBound } from '../../ui/use-form.ts'
import { InputGroup } from './input-group.tsx'
import { ReferenceList } from './reference-list.tsx'
import { ReferencePreview } from './reference-preview.tsx'
import { pathOfReferenced, type Referenced, type ReferenceTarget } from './reference-target.ts'
import { ChooseFiles } from './references/choose-files.tsx'
import { titleOf, useReferenced } from './use-referenced.ts'

interface FileInputProps extends Labeled {
  readonly name: string
  readonly references: References
  readonly target: ReferenceTarget
  readonly isReadOnly: boolean
}

export function FileInput(props: FileInputProps) {
  const { target, references, isReadOnly, label } = props
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  const ids = idsIn(value) ?? []
  const records = useReferenced(target, ids)
  const [id] = ids
  return (
    <InputGroup {...props} class="reference-input references-input" fault={fault}>
      {references.isMany ? (
        <ReferenceList
          label={label}
          items={ids.map((each) => ({
            id: each,
            title: titleOf(records.get(each), each),
            href: pathOfReferenced(references, each),
            preview: <ReferencePreview record={records.get(each)} />,
          }))}
          isReadOnly={isReadOnly}
          onChange={(next) => change(next.join(','))}
        />
      ) : (
        id !== undefined && <FileCard {...props} id={id} record={records.get(id)} change={change} />
      )}
      {isReadOnly && ids.length === 0 && !references.isMany && (
        <p class="reference-none quiet">{t.entries.form.noReferences}</p>
      )}
      {!isReadOnly && (
        <ChooseFiles
          label={label}
          references={references}
          isReplacing={id !== undefined}
          onChoose={(chosen) =>
            change(references.isMany ? [...new Set([...ids, ...chosen])].join(',') : chosen.join())
          }
        />
      )}
    </InputGroup>
  )
}

interface FileCardProps extends FileInputProps {
  readonly id: number
  readonly record: Referenced | undefined
  readonly change: (value: string) => void
}

/** The chosen file. The button to choose another one gets the focus when the file is removed. */
function FileCard({ references, isReadOnly, id, record, change }: FileCardProps) {
  const { t } = useTexts()
  const card = useRef<HTMLDivElement>(null)
  const title = titleOf(record, id)

  function remove(): void {
    const chooser = card.current?.nextElementSibling?.querySelector('button')
    change('')
    chooser?.focus()
  }

  return (
    <div ref={card} class="file-card">
      <ReferencePreview record={record} />
      <p>
        <Link href={pathOfReferenced(references, id)} class="link reference-title">
          <bdi>{title}</bdi>
        </Link>
        {record?.file !== undefined && (
          <span class="quiet">
            <bdi>{record.file.path}</bdi>
          </span>
        )}
      </p>
      {!isReadOnly && (
        <Button
          kind="quiet"
          icon="close"
          label={fill(t.entries.form.removeReference, { name: title })}
          onPress={remove}
        />
      )}
    </div>
  )
}
