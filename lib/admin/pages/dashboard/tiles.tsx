// The current figures as tiles.

import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import type { Figures } from './figures.ts'
import type { History } from './history.ts'
import { openUnits } from './units.ts'

interface Tile {
  readonly title: string
  readonly value: string
  readonly text: string
  readonly isFault?: boolean
}

export function Tiles({ history }: { readonly history: History }) {
  const speech = useTexts()
  const { t } = speech
  const { latest, isFirst } = history
  return (
    <div class="dashboard-figures">
      <dl class="dashboard-tiles">
        {tilesOf(latest, speech).map(({ title, value, text, isFault }) => (
          <div key={title} class={isFault === true ? 'figure card figure-fault' : 'figure card'}>
            <dt>{title}</dt>
            <dd class="figure-value">{value}</dd>
            <dd class="figure-text">{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet dashboard-note">{isFirst ? t.dashboard.sinceStart : t.dashboard.ofWindow}</p>
    </div>
  )
}

/** All tiles are present, but empty, before the first reading. */
function tilesOf(latest: Figures | undefined, speech: Speech): readonly Tile[] {
  const { t } = speech
  const { tiles, unknown } = t.dashboard
  const units = openUnits(speech)
  const { number, perSecond, milliseconds, percent, bytes } = units
  const told = <T,>(value: T | undefined, show: (value: T) => string): string =>
    value === undefined ? unknown : show(value)
  const now = latest?.now
  const least = now?.disks.toSorted((left, right) => left.freeBytes - right.freeBytes)[0]
  return [
    {
      title: tiles.requests,
      value: told(latest?.requestsTotal, perSecond),
      text: fill(tiles.inProgress, { count: told(now?.inProgress, number) }),
    },
    {
      title: tiles.failed,
      value: told(latest?.failed, percent),
      text: fill(tiles.refused, { rate: told(latest?.requests['4'], perSecond) }),
      isFault: (latest?.failed ?? 0) > 0,
    },
    {
      title: tiles.latency,
      value: told(latest?.p50, milliseconds),
      text: fill(tiles.slowest, { time: told(latest?.p99, milliseconds) }),
    },
    {
      title: tiles.commits,
      value: told(latest?.commits, perSecond),
      text: fill(tiles.slowest, { time: told(latest?.commitP99, milliseconds) }),
    },
    {
      title: tiles.loop,
      value: told(now?.loopDelay, milliseconds),
      text: fill(tiles.cpu, { part: told(latest?.cpu, percent) }),
    },
    {
      title: tiles.memory,
      value: told(latest?.memory, bytes),
      text:
        now === undefined ? unknown : speech.formats.count(tiles.processes, now.processes.length),
    },
    {
      title: tiles.free,
      value: told(least?.freeBytes, bytes),
      text: fill(tiles.ofDisk, { size: told(least?.sizeBytes, bytes) }),
    },
    {
      title: tiles.versions,
      value: told(now?.records['asset_file_version'], number),
      text: fill(tiles.files, { count: told(now?.records['asset_file'], number) }),
    },
  ]
}
