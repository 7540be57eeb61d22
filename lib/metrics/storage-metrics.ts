// What the storage tells of itself at each reading of the metrics.

import type { StorageStatus, WatchStatus } from '../storage/status.ts'

export interface StorageReadings {
  readonly storage: StorageStatus
  readonly watch: WatchStatus
}

export type AddMetric<T> = (name: string, help: string, valueOf: (readings: T) => number) => void

export function showStorage(gauge: AddMetric<StorageReadings>): void {
  gauge(
    'cms_commits_waiting',
    'Commits that are waiting or running; one holds all changes that wait together.',
    ({ storage }) => storage.commits.waiting,
  )
  gauge(
    'cms_commit_oldest_seconds',
    'Age of the oldest commit that is waiting or running.',
    ({ storage }) => storage.commits.oldestMs / 1_000,
  )
  gauge(
    'cms_read_only',
    '1 after a disk has failed to write: all changes are refused until the next start.',
    ({ storage }) => Number(storage.isReadOnly),
  )
  gauge(
    'cms_contents_waiting_bytes',
    'Bytes of small contents that are durable in the file of the records and not yet written to files of their own.',
    ({ storage }) => storage.waitingBytes,
  )
  gauge(
    'cms_records_file_bytes',
    'Size of the file of the records (records/data.mdb).',
    ({ storage }) => storage.recordsFileBytes,
  )
  showBackup(gauge)
}

function showBackup(gauge: AddMetric<StorageReadings>): void {
  gauge(
    'cms_backup_last_timestamp_seconds',
    'When the command "backup" last made a backup without faults while the server ran; 0 before the first.',
    ({ storage }) => (storage.lastBackupMs ?? Number.NaN) / 1_000,
  )
}

export function showContents(
  gauge: AddMetric<StorageReadings>,
  counter: AddMetric<StorageReadings>,
): void {
  const hourly = 'counted once an hour'
  gauge(
    'cms_contents',
    `Contents of versions, ${hourly}.`,
    ({ watch }) => watch.count?.contents ?? NaN,
  )
  gauge(
    'cms_contents_bytes',
    `Bytes of all contents of versions, ${hourly}.`,
    ({ watch }) => watch.count?.bytes ?? NaN,
  )
  gauge(
    'cms_versions_damaged',
    `Versions whose bytes are lost, ${hourly}.`,
    ({ watch }) => watch.count?.damaged ?? NaN,
  )
  counter(
    'cms_contents_damaged_total',
    'Contents that were found to be damaged, and moved to the quarantine.',
    ({ watch }) => watch.scrub.damaged,
  )
  counter(
    'cms_scrub_contents_total',
    'Contents that the scrub has compared with their hashes.',
    ({ watch }) => watch.scrub.contents,
  )
  counter(
    'cms_scrub_bytes_total',
    'Bytes that the scrub has compared with their hashes.',
    ({ watch }) => watch.scrub.bytes,
  )
  counter(
    'cms_scrub_unreadable_total',
    'Contents that the scrub could not read from the disk.',
    ({ watch }) => watch.scrub.unreadable,
  )
  gauge(
    'cms_scrub_last_end_timestamp_seconds',
    'When the scrub had last compared all contents.',
    ({ watch }) => Date.parse(watch.scrub.lastEnded ?? '') / 1_000,
  )
}
