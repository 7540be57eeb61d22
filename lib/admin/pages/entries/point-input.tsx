// The longitude and the latitude of a POINT column in two fields. The form holds their text: 13.4,52.5.

import { readValue } from '../../../shared/value-text.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Labeled } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { InputGroup } from './input-group.tsx'
import { PointMap } from './point-map.tsx'

interface PointInputProps extends Labeled {
  readonly name: string
  readonly isReadOnly: boolean
}

export function PointInput({ isReadOnly, ...props }: PointInputProps) {
  const { t } = useTexts()
  const { name, label } = props
  const { value, fault, change } = useBound<string>(props, '')
  const [longitude = '', latitude = ''] = value.split(',')
  const set = (parts: readonly [string, string]): void => {
    // A comma inside a number would begin the other field.
    const [first, second] = parts.map((part) => part.trim().replaceAll(',', '.'))
    change(first === '' && second === '' ? '' : `${first},${second}`)
  }
  return (
    <InputGroup {...props} class="point-input" fault={fault}>
      <div class="point-parts">
        <TextInput
          name={`${name}=longitude`}
          label={t.entries.form.longitude}
          value={longitude}
          isReadOnly={isReadOnly}
          onChange={(next) => set([next, latitude])}
        />
        <TextInput
          name={`${name}=latitude`}
          label={t.entries.form.latitude}
          value={latitude}
          isReadOnly={isReadOnly}
          onChange={(next) => set([longitude, next])}
        />
      </div>
      {!isReadOnly && (
        <PointMap label={label} point={pointIn(value)} onMove={([x, y]) => change(`${x},${y}`)} />
      )}
    </InputGroup>
  )
}

/** Undefined for no point, and for one that is not on the map. */
function pointIn(text: string): readonly [number, number] | undefined {
  const [x, y] = (readValue('point', text) ?? []) as readonly number[]
  const isPlace = x !== undefined && y !== undefined && Math.abs(x) <= 180 && Math.abs(y) <= 90
  return isPlace ? [x, y] : undefined
}
