// Shows in a form what somebody else changed in the meantime. Typed values stay; untouched fields show the new values
// (use-edit.ts).
//
//   <Clash clash={edit.clash} fields={[{ name: 'name', label: t.keys.name, text: (value) => value }]} />

import { useEffect } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Notice } from './notice.tsx'
import type { ClashOf } from './use-edit.ts'
import { type FormValue, type FormValues, useForm } from './use-form.ts'

export interface ClashField {
  readonly name: string
  readonly label: string
  /** Formats a value as text. */
  readonly text: (value: FormValue) => string
}

export interface ClashProps {
  readonly clash: ClashOf<FormValues> | undefined
  readonly fields: readonly ClashField[]
}

export function Clash({ clash, fields }: ClashProps) {
  const { t } = useTexts()
  const { values, set } = useForm()
  useEffect(() => {
    for (const [name, value] of Object.entries(clash?.now ?? {}))
      if (values[name] === clash?.before[name]) set(name, value)
  }, [clash])
  if (clash === undefined) return null

  const { before, now } = clash
  const changed = fields.filter(({ name }) => before[name] !== now[name])
  return (
    <Notice kind="danger" title={t.clash.title}>
      <ul class="clash">
        {changed.map(({ name, label, text }) => (
          <li key={name}>
            {label}: <del>{text(before[name] ?? '')}</del> → <ins>{text(now[name] ?? '')}</ins>
          </li>
        ))}
      </ul>
      <p>{t.clash.text}</p>
    </Notice>
  )
}
