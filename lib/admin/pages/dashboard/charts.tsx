// The charts of the dashboard, and the same figures as a table.

import { useMemo } from 'preact/hooks'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Chart, type Series } from './chart.tsx'
import { type Figures, type History, openUnits, type Units } from './figures.ts'

interface Line {
  readonly text: string
  readonly color: Series['color']
  readonly valueOf: (figures: Figures) => number | undefined
}

interface Drawn {
  readonly title: string
  readonly lines: readonly Line[]
  readonly show: (value: number) => string
  readonly least: number
}

export function Charts({ history }: { readonly history: History }) {
  const { t } = useTexts()
  const speech = useTexts()
  const units = openUnits(speech)
  const { past, latest } = history
  // A gap ends with a point without a value, which breaks the line.
  const times = useMemo(
    () => past.map((figures, at) => figures?.at ?? (past[at - 1]?.at ?? 0) + 0.001),
    [past],
  )
  return (
    <Section title={t.dashboard.charts}>
      <div class="charts">
        {drawnOf(speech, units).map(({ title, lines, show, least }) => (
          <Chart
            key={title}
            title={title}
            times={times}
            show={show}
            least={least}
            series={lines.map(({ text, color, valueOf }) => ({
              text,
              color,
              latest: latest && valueOf(latest),
              values: past.map((figures) => (figures && valueOf(figures)) ?? null),
            }))}
          />
        ))}
      </div>
      <details class="figures">
        <summary>{t.dashboard.asTable}</summary>
        <FiguresTable past={past} drawn={drawnOf(speech, units)} />
      </details>
    </Section>
  )
}

function drawnOf({ t }: Speech, units: Units): readonly Drawn[] {
  const { lines } = t.dashboard
  const { perSecond, milliseconds, number, bytes } = units
  return [
    {
      title: t.dashboard.requests,
      show: perSecond,
      least: 1,
      lines: [
        { text: '2xx', color: 'first', valueOf: ({ requests }) => requests['2'] },
        { text: '3xx', color: 'third', valueOf: ({ requests }) => requests['3'] },
        { text: '4xx', color: 'second', valueOf: ({ requests }) => requests['4'] },
        { text: '5xx', color: 'fault', valueOf: ({ requests }) => requests['5'] },
      ],
    },
    {
      title: t.dashboard.latency,
      show: milliseconds,
      least: 0.01,
      lines: [
        { text: lines.half, color: 'first', valueOf: ({ p50 }) => p50 },
        { text: lines.slowest, color: 'second', valueOf: ({ p99 }) => p99 },
      ],
    },
    {
      title: t.dashboard.commits,
      show: perSecond,
      least: 1,
      lines: [{ text: lines.commits, color: 'first', valueOf: ({ commits }) => commits }],
    },
    {
      title: t.dashboard.waiting,
      show: number,
      least: 4,
      lines: [
        { text: lines.inProgress, color: 'first', valueOf: ({ now }) => now.inProgress },
        { text: lines.commits, color: 'second', valueOf: ({ now }) => now.commitsWaiting },
        { text: lines.tasks, color: 'third', valueOf: ({ now }) => now.tasksWaiting },
      ],
    },
    {
      title: t.dashboard.loop,
      show: milliseconds,
      least: 0.02,
      lines: [{ text: lines.slowest, color: 'first', valueOf: ({ now }) => now.loopDelay }],
    },
    {
      title: t.dashboard.memory,
      show: bytes,
      least: 50_000_000,
      lines: [{ text: lines.memory, color: 'first', valueOf: ({ memory }) => memory }],
    },
  ]
}

const ROWS = 15

interface FiguresTableProps {
  readonly past: History['past']
  readonly drawn: readonly Drawn[]
}

/** The last figures of each minute, newest first. */
function FiguresTable({ past, drawn }: FiguresTableProps) {
  const { t, locale } = useTexts()
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const byMinute = new Map(
    past.flatMap((figures) => (figures ? [[Math.floor(figures.at / 60), figures] as const] : [])),
  )
  const timeOf = ({ at }: Figures): string => hours.format(at * 1_000)
  return (
    <Table
      label={t.dashboard.asTable}
      rows={[...byMinute.values()].toReversed().slice(0, ROWS)}
      keyOf={({ at }) => at}
      nameOf={timeOf}
      columns={[
        { id: 'time', head: t.dashboard.time, cell: timeOf },
        ...drawn.flatMap(({ title, lines, show }) =>
          lines.map(({ text, valueOf }) => ({
            id: `${title} ${text}`,
            head: lines.length === 1 ? title : `${title}: ${text}`,
            isNumber: true,
            cell(figures: Figures) {
              const value = valueOf(figures)
              return value === undefined ? t.dashboard.unknown : show(value)
            },
          })),
        ),
      ]}
    />
  )
}
