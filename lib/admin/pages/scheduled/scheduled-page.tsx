// The files that will go live, leave the site or go on stage, by day, and the files for which this failed.

import { useApi } from '../../client/client-context.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { localOf } from '../content/local-time.ts'
import { type FileRecord, searchFiles } from '../content/records.ts'
import { versionPath } from '../content/version-numbers.tsx'

const KINDS = [
  { kind: 'publish', field: 'publish_at', badge: 'live' },
  { kind: 'unpublish', field: 'unpublish_at', badge: 'draft' },
  { kind: 'stage', field: 'stage_at', badge: 'staged' },
] as const

/** Files of each kind. */
const MOST = 100

interface Planned {
  readonly file: FileRecord
  readonly at: string
  readonly kind: (typeof KINDS)[number]
}

export function ScheduledPage() {
  const { t, formats } = useTexts()
  const found = useScheduled()
  if (found.data === undefined)
    return <LoadingPage title={t.titles.scheduled} isWide found={found} />
  const { days, failed, hasMore } = found.data
  const isEmpty = days.length === 0 && failed.length === 0
  return (
    <Page title={t.titles.scheduled} intro={t.schedule.intro} isWide>
      {isEmpty ? (
        <EmptyState icon="clock" title={t.schedule.empty}>
          {t.schedule.emptyText}
        </EmptyState>
      ) : (
        <p class="quiet">{fill(t.schedule.times, { zone: OWN_ZONE })}</p>
      )}
      {failed.length > 0 && (
        <Section title={t.schedule.failures}>
          <ul>
            {failed.map((file) => (
              <li key={file.asset_file_id}>
                <FileLink file={file} /> <DateTime date={file.schedule_failed_at} />{' '}
                {file.schedule_fault?.detail}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {days.map(([day, planned]) => (
        <Section key={day} title={formats.plainDay(day)}>
          <ul>
            {planned.map(({ file, at, kind }) => (
              <li key={`${kind.field} ${file.asset_file_id}`}>
                <DateTime date={at} />{' '}
                <Badge kind={kind.badge}>{t.schedule.kinds[kind.kind]}</Badge>{' '}
                <FileLink file={file} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {hasMore && (
        <Notice kind="info">{fill(t.schedule.more, { count: formats.number(MOST) })}</Notice>
      )}
    </Page>
  )
}

function FileLink({ file }: { readonly file: FileRecord }) {
  return (
    <a href={versionPath(file.asset_file_id)}>
      <bdi>{file.path}</bdi>
    </a>
  )
}

function useScheduled() {
  const api = useApi()
  return useRequest(async (signal) => {
    const search = (field: string) =>
      searchFiles(api, { qry: { [field]: { $ne: null } }, orderStr: field, length: MOST }, signal)
    const [failed, ...pages] = await Promise.all([
      search('schedule_failed_at'),
      ...KINDS.map(({ field }) => search(field)),
    ])
    const planned = KINDS.flatMap((kind, at) =>
      (pages[at]?.rows ?? []).flatMap((file): readonly Planned[] => {
        const { [kind.field]: time } = file
        return time === null ? [] : [{ file, at: time, kind }]
      }),
    )
    return {
      days: byDay(planned),
      failed: failed?.rows ?? [],
      hasMore: pages.some(({ next }) => next !== null),
    }
  }, [])
}

/** The actions of each local day, in the order of their times. */
function byDay(planned: readonly Planned[]): readonly (readonly [string, readonly Planned[]])[] {
  const days = new Map<string, Planned[]>()
  for (const one of planned.toSorted((left, right) => (left.at < right.at ? -1 : 1))) {
    const day = localOf(one.at).slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days]
}
