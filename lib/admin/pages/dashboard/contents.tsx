// Disk space, record counts, and the processes of the server.

import { useTexts } from '../../texts/use-texts.ts'
import { Bytes } from '../../ui/bytes.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Disk, Now } from './reading.ts'
import { openUnits } from './figures.ts'

/** Kinds that users know, in display order. */
const KINDS = [
  'asset_file',
  'asset_file_version',
  'asset_category',
  'datatable',
  'datatable_entry',
  'calendar',
  'calendar_entry',
  'user',
  'api_key',
  'audit',
] as const

export function Contents({ now }: { readonly now: Now | undefined }) {
  const { t } = useTexts()
  return (
    <div class="dashboard-contents">
      <Section title={t.dashboard.disk}>
        {now === undefined ? <Skeleton lines={4} /> : <Disks now={now} />}
      </Section>
      <Section title={t.dashboard.records}>
        {now === undefined ? <Skeleton lines={KINDS.length} /> : <Records now={now} />}
      </Section>
      <Section title={t.dashboard.processes}>
        {now === undefined ? <Skeleton lines={1} /> : <Processes now={now} />}
      </Section>
    </div>
  )
}

function Disks({ now }: { readonly now: Now }) {
  const { t, formats } = useTexts()
  const { disks, recordsBytes, contentsBytes, contents, damaged } = now
  return (
    <div class="dashboard-facts card">
      {disks.map((disk) => (
        <DiskBar key={disk.name} disk={disk} />
      ))}
      <Facts
        look="fact-list"
        facts={[
          [t.dashboard.recordsFile, <Bytes count={recordsBytes} />],
          [formats.count(t.dashboard.contents, contents), <Bytes count={contentsBytes} />],
          [t.dashboard.damaged, damaged > 0 && formats.number(damaged)],
        ]}
      />
    </div>
  )
}

function DiskBar({ disk }: { readonly disk: Disk }) {
  const { t } = useTexts()
  const { bytes, percent } = openUnits(useTexts())
  const { name, sizeBytes, freeBytes } = disk
  const used = sizeBytes === 0 ? 0 : (sizeBytes - freeBytes) / sizeBytes
  const names: Readonly<Record<string, string>> = t.dashboard.disks
  return (
    <div class="disk">
      <p>
        <span>{names[name] ?? name}</span>
        <span class="quiet">
          {percent(used)} · {bytes(sizeBytes)}
        </span>
      </p>
      <progress aria-label={names[name] ?? name} value={used} max={1} />
    </div>
  )
}

function Records({ now }: { readonly now: Now }) {
  const { t, formats } = useTexts()
  return (
    <Facts
      look="dashboard-facts fact-list card"
      facts={KINDS.map((kind) => [t.dashboard.kinds[kind], formats.number(now.records[kind] ?? 0)])}
    />
  )
}

function Processes({ now }: { readonly now: Now }) {
  const { t } = useTexts()
  return (
    <Facts
      look="dashboard-facts fact-list card"
      facts={now.processes.map(({ name, residentBytes }) => [
        name === '0' ? t.dashboard.writes : t.dashboard.reads,
        <Bytes count={residentBytes} />,
      ])}
    />
  )
}
