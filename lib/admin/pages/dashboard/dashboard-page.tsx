// The dashboard: current problems with advice, load, and disk usage.

import { MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Charts } from './charts.tsx'
import { Contents } from './contents.tsx'
import { type Figures, type History, openUnits } from './figures.ts'
import { type Readiness, useFigures } from './use-figures.ts'

export function DashboardPage() {
  const { t } = useTexts()
  const { history, readiness, error, isPaused, pause } = useFigures()
  return (
    <Page
      title={t.titles.dashboard}
      intro={t.dashboard.intro}
      isWide
      actions={
        <Button isPressed={isPaused} onPress={() => pause(!isPaused)}>
          {t.dashboard.pause}
        </Button>
      }
    >
      {error !== undefined && <ProblemNotice error={error} />}
      <Warnings readiness={readiness} />
      <GivenUp />
      <Tiles history={history} />
      <Charts history={history} />
      <Contents now={history.latest?.now} />
    </Page>
  )
}

interface Advice {
  readonly title: string
  readonly text: string
}

/**
 * Problems and warnings of /ready, with advice. Codes without a text here show the detail of the server.
 */
function Warnings({ readiness }: { readonly readiness: Readiness | undefined }) {
  const { t } = useTexts()
  const { warnings, trouble } = readiness ?? { warnings: [], trouble: undefined }
  const known: Readonly<Record<string, Advice>> = t.dashboard.known
  return (
    <>
      {trouble !== undefined && (
        <Notice kind="danger" title={known[trouble.reason]?.title ?? t.dashboard.notReady}>
          {known[trouble.reason]?.text ?? trouble.detail}
        </Notice>
      )}
      {warnings.map(({ code, detail }) => (
        <Notice key={code} kind="info" title={known[code]?.title ?? t.dashboard.warning}>
          {known[code]?.text ?? detail}
        </Notice>
      ))}
    </>
  )
}

/** Lists failed webhooks, which stay stopped until a user resumes them. */
function GivenUp() {
  const { t } = useTexts()
  const api = useApi()
  const read = (cursor: string | null, signal: AbortSignal) => {
    const fields = 'webhook_id,name,state'
    const query = { fields, length: MAX_LIST_LENGTH, ...(cursor !== null && { cursor }) }
    return dataOf(api.GET('/webhook', { signal, params: { query } }))
  }
  const { data, error, reload } = useRequest(async (signal) => {
    const found: Awaited<ReturnType<typeof read>>['webhook'] = []
    let next: string | null = null
    do {
      const { webhook, page }: Awaited<ReturnType<typeof read>> = await read(next, signal)
      // The server cannot filter by state.
      found.push(...webhook.filter(({ state }) => state === 'given_up'))
      next = page.next
    } while (next !== null)
    return found
  }, [])
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  if (data === undefined || data.length === 0) return null
  return (
    <Notice kind="danger" title={t.dashboard.givenUp}>
      <p>{t.dashboard.givenUpText}</p>
      <ul>
        {data.map(({ webhook_id: id, name }) => (
          <li key={id}>
            <Link href={pathOf(`/webhooks/${id}`)}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

interface Tile {
  readonly title: string
  readonly value: string
  readonly text: string
  readonly isFault?: boolean
}

/** The current figures as tiles. */
function Tiles({ history }: { readonly history: History }) {
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
  const shown = <T,>(value: T | undefined, show: (value: T) => string): string =>
    value === undefined ? unknown : show(value)
  const now = latest?.now
  const least = now?.disks.toSorted((left, right) => left.freeBytes - right.freeBytes)[0]
  return [
    {
      title: tiles.requests,
      value: shown(latest?.requestsTotal, perSecond),
      text: fill(tiles.inProgress, { count: shown(now?.inProgress, number) }),
    },
    {
      title: tiles.failed,
      value: shown(latest?.failed, percent),
      text: fill(tiles.refused, { rate: shown(latest?.requests['4'], perSecond) }),
      isFault: (latest?.failed ?? 0) > 0,
    },
    {
      title: tiles.latency,
      value: shown(latest?.p50, milliseconds),
      text: fill(tiles.slowest, { time: shown(latest?.p99, milliseconds) }),
    },
    {
      title: tiles.commits,
      value: shown(latest?.commits, perSecond),
      text: fill(tiles.slowest, { time: shown(latest?.commitP99, milliseconds) }),
    },
    {
      title: tiles.loop,
      value: shown(now?.loopDelay, milliseconds),
      text: fill(tiles.cpu, { part: shown(latest?.cpu, percent) }),
    },
    {
      title: tiles.memory,
      value: shown(latest?.memory, bytes),
      text:
        now === undefined ? unknown : speech.formats.count(tiles.processes, now.processes.length),
    },
    {
      title: tiles.free,
      value: shown(least?.freeBytes, bytes),
      text: fill(tiles.ofDisk, { size: shown(least?.sizeBytes, bytes) }),
    },
    {
      title: tiles.versions,
      value: shown(now?.records['asset_file_version'], number),
      text: fill(tiles.files, { count: shown(now?.records['asset_file'], number) }),
    },
  ]
}
