// Metrics of the storage, read at each scrape.

import type { StorageStatus, WatchStatus } from '../storage/status.ts'

export interface StorageReadings {
  readonly storage: StorageStatus
  readonly watch: WatchStatus
}

export type AddMetric<T> = (name: string, help: string, valueOf: (readings: T) => number) => void

export function showStorage(gauge: AddMetric<StorageReadings>): void {
  gauge(
    'cms_commits_waiting',
    'Commits that are waiting or running. One commit contains all changes that were grouped.',
    ({ storage }) => storage.commits.waiting,
  )
  gauge(
    'cms_commit_oldest_seconds',
    'Age of the oldest commit that is waiting or running.',
    ({ storage }) => storage.commits.oldestMs / 1_000,
  )
  gauge(
    'cms_read_only',
    '1 after a failed disk write. All changes are rejected until the next start.',
    ({ storage }) => Number(storage.isReadOnly),
  )
  gauge(
    'cms_contents_waiting_bytes',
    'Bytes of small contents that are durable in the records file but not yet written to their own files.',
    ({ storage }) => storage.waitingBytes,
  )
  gauge(
    'cms_records_file_bytes',
    'Size of the records file (records/data.mdb).',
    ({ storage }) => storage.recordsFileBytes,
  )
  showBackup(gauge)
}

function showBackup(gauge: AddMetric<StorageReadings>): void {
  gauge(
    'cms_backup_last_timestamp_seconds',
    'Time of the last backup that the command "backup" finished without errors while the server ran; 0 before the first backup.',
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
    `Number of contents of file versions, ${hourly}.`,
    ({ watch }) => watch.count?.contents ?? NaN,
  )
  gauge(
    'cms_contents_bytes',
    `Bytes of all contents of file versions, ${hourly}.`,
    ({ watch }) => watch.count?.bytes ?? NaN,
  )
  gauge(
    'cms_trash_bytes',
    `Bytes of the contents of files in the trash, ${hourly}.`,
    ({ watch }) => watch.count?.trashBytes ?? NaN,
  )
  gauge(
    'cms_versions_damaged',
    `Number of file versions whose bytes are lost, ${hourly}.`,
    ({ watch }) => watch.count?.damaged ?? NaN,
  )
  counter(
    'cms_contents_damaged_total',
    'Contents that were found damaged and moved to quarantine.',
    ({ watch }) => watch.scrub.damaged,
  )
  counter(
    'cms_scrub_contents_total',
    'Contents that the scrub compared with their hashes.',
    ({ watch }) => watch.scrub.contents,
  )
  counter(
    'cms_scrub_bytes_total',
    'Bytes that the scrub compared with their hashes.',
    ({ watch }) => watch.scrub.bytes,
  )
  counter(
    'cms_scrub_unreadable_total',
    'Contents that the scrub could not read from the disk.',
    ({ watch }) => watch.scrub.unreadable,
  )
  gauge(
    'cms_scrub_last_end_timestamp_seconds',
    'Time when the scrub last finished comparing all contents.',
    ({ watch }) => Date.parse(watch.scrub.lastEnded ?? '') / 1_000,
  )
}
