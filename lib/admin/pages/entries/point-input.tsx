// The longitude and the latitude of a POINT column in two fields. The form holds their text: 13.4,52.5.

import { useRef } from 'preact/hooks'
import { readValue } from '../../../shared/value-text.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Labeled } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { InputGroup } from './input-group.tsx'

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

interface PointMapProps {
  readonly label: string
  /** Longitude and latitude in degrees. */
  readonly point: readonly [number, number] | undefined
  readonly onMove: (point: readonly [number, number]) => void
}

/** Degrees between two lines. */
const LINE_DEGREES = 30

const MERIDIANS = Array.from({ length: 13 }, (_, at) => at * LINE_DEGREES - 180)
const PARALLELS = Array.from({ length: 7 }, (_, at) => at * LINE_DEGREES - 90)

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/**
 * A small map of the world without tiles: the lines of longitude and latitude, and a point that a click or the arrow
 * keys move.
 */
function PointMap({ label, point, onMove }: PointMapProps) {
  const { t, formats } = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const [longitude, latitude] = point ?? [0, 0]
  const place = point === undefined ? t.entries.noValue : point.map(formats.number).join(', ')

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const size = event.shiftKey ? 0.1 : 1
    onMove(placed(longitude + step[0] * size, latitude + step[1] * size))
  }

  function onPress({ clientX, clientY }: MouseEvent): void {
    const rect = box.current?.getBoundingClientRect()
    if (rect === undefined) return
    const [across, down] = [(clientX - rect.left) / rect.width, (clientY - rect.top) / rect.height]
    onMove(placed(rounded(across * 360 - 180, 1), rounded(90 - down * 180, 1)))
  }

  return (
    // oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the arrow keys move the point
    <div
      ref={box}
      class="point-map"
      role="application"
      aria-label={fill(t.entries.form.map, { name: label, place })}
      title={t.entries.form.mapKeys}
      tabIndex={0}
      onKeyDown={onKey}
      onClick={onPress}
    >
      <svg viewBox="-180 -90 360 180" aria-hidden="true" focusable="false">
        {MERIDIANS.map((x) => (
          <line key={x} x1={x} x2={x} y1={-90} y2={90} class={x === 0 ? 'point-map-zero' : ''} />
        ))}
        {PARALLELS.map((y) => (
          <line key={y} x1={-180} x2={180} y1={y} y2={y} class={y === 0 ? 'point-map-zero' : ''} />
        ))}
        {point !== undefined && <circle cx={longitude} cy={-latitude} r={5} />}
      </svg>
    </div>
  )
}

/** Goes around the world from east to west, and stops at the poles. */
function placed(longitude: number, latitude: number): readonly [number, number] {
  const around = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  return [rounded(around, 6), rounded(Math.min(90, Math.max(-90, latitude)), 6)]
}

function rounded(degrees: number, digits: number): number {
  return Number(degrees.toFixed(digits))
}
