// A line chart of the last 15 minutes. The legend shows current values, or the values under the pointer. uPlot draws
// on a canvas, so colors are read from the legend's style; dashes distinguish the lines for color-blind readers.
//
//   <Chart title={t.dashboard.latency} series={[{ text: 'p50', values: [...] }]} times={times} show={formats.ms} />

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Plot from 'uplot'
import { useTexts } from '../../texts/use-texts.ts'
import { useThemeChange } from '../../ui/use-theme-change.ts'
import { SPAN_SECONDS } from './figures.ts'

export interface Series {
  readonly text: string
  /** One value per time; null if unknown. */
  readonly values: readonly (number | null)[]
  /** Shown in the legend when the pointer is elsewhere. */
  readonly latest: number | undefined
  /** A color of dashboard.css. */
  readonly color: 'first' | 'second' | 'third' | 'fault'
}

export interface ChartProps {
  readonly title: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly show: (value: number) => string
  /** Minimum upper end of the scale, so that a zero line is at the bottom. */
  readonly least: number
}

const HEIGHT = 176
const DASHES: Readonly<Record<Series['color'], readonly number[]>> = {
  first: [],
  second: [6, 3],
  third: [2, 3],
  fault: [],
}

export function Chart(props: ChartProps) {
  const { title, series, show } = props
  const { t } = useTexts()
  const [at, setAt] = useState<number>()
  const { box, legend } = usePlot(props, setAt)

  return (
    <figure class="chart card">
      <figcaption class="chart-head">
        <h3>{title}</h3>
        <ul ref={legend} class="chart-legend">
          {series.map(({ text, values, latest, color }) => {
            const value = at === undefined ? latest : values[at]
            return (
              <li key={text}>
                <span class={`chart-key chart-${color}`} />
                {text}
                <b>{typeof value === 'number' ? show(value) : t.dashboard.unknown}</b>
              </li>
            )
          })}
        </ul>
      </figcaption>
      {/* The table below has the same data. */}
      <div ref={box} class="chart-box" aria-hidden="true" />
    </figure>
  )
}

function usePlot(props: ChartProps, onPoint: (at: number | undefined) => void) {
  const { times, series } = props
  const { locale } = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const plot = useRef<Plot>()
  // The plot reads this while drawing, after the render.
  const latest = useRef(props)
  latest.current = props
  const data: Plot.AlignedData = [[...times], ...series.map(({ values }) => [...values])]

  useLayoutEffect(() => {
    const [target, keys] = [box.current, legend.current]
    if (target === null || keys === null) return undefined
    const drawn = new Plot(optionsOf({ target, keys, latest, locale, onPoint }), data, target)
    plot.current = drawn
    const width = new ResizeObserver(() =>
      drawn.setSize({ width: target.clientWidth, height: HEIGHT }),
    )
    width.observe(target)
    return () => {
      width.disconnect()
      drawn.destroy()
    }
  }, [locale])
  useEffect(() => plot.current?.setData(data), [times])
  useThemeChange(() => plot.current?.redraw())
  return { box, legend }
}

interface Drawing {
  readonly target: HTMLElement
  readonly keys: HTMLElement
  readonly latest: { readonly current: ChartProps }
  readonly locale: string
  readonly onPoint: (at: number | undefined) => void
}

function optionsOf({ target, keys, latest, locale, onPoint }: Drawing): Plot.Options {
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const quiet = (): string => getComputedStyle(target).color
  const line = (): string => getComputedStyle(target).borderTopColor
  const axis: Plot.Axis = {
    stroke: quiet,
    font: `12px ${getComputedStyle(target).fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  return {
    width: target.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: () => [now(latest) - SPAN_SECONDS, now(latest)] },
      y: { range: (_, __, most) => [0, Math.max(most ?? 0, latest.current.least) * 1.1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 90,
        values: (_, splits) => splits.map((time) => hours.format(time * 1_000)),
      },
      {
        ...axis,
        size: 56,
        space: 36,
        values: (_, splits) => splits.map((value) => latest.current.show(value)),
      },
    ],
    series: [{}, ...latest.current.series.map(({ color }, index) => lineOf(keys, color, index))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  }
}

function lineOf(keys: HTMLElement, color: Series['color'], index: number): Plot.Series {
  return {
    stroke: () => {
      const key = keys.querySelectorAll('.chart-key')[index]
      return key === undefined ? '' : getComputedStyle(key).color
    },
    width: 1.5,
    dash: [...DASHES[color]],
    points: { show: false },
  }
}

function now({ current }: Drawing['latest']): number {
  return current.times.at(-1) ?? Date.now() / 1_000
}
