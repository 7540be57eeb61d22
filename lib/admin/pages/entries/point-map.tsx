// A small map of the world without tiles: the lines of longitude and latitude, and a point that a click or the arrow
// keys move.

import { useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'

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

export function PointMap({ label, point, onMove }: PointMapProps) {
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
