// One reading of /metrics: counters since the start of the server, and current gauges.

export const STATUS_CLASSES = ['2', '3', '4', '5'] as const

export type StatusClass = (typeof STATUS_CLASSES)[number]

/** Cumulative counts by upper bound in seconds. */
export type Buckets = ReadonlyMap<number, number>

export interface Reading {
  /** Seconds since 1970; changes when the server restarts. */
  readonly startedAt: number
  /** Seconds on the clock of this page. */
  readonly at: number
  readonly requests: Readonly<Record<StatusClass, number>>
  readonly requestTimes: Buckets
  readonly commits: number
  readonly commitTimes: Buckets
  readonly now: Now
}

export interface Now {
  readonly inProgress: number
  readonly commitsWaiting: number
  readonly tasksWaiting: number
  /** Event loop delay in seconds, 99th percentile. */
  readonly loopDelay: number
  readonly processes: readonly Process[]
  readonly disks: readonly Disk[]
  readonly recordsBytes: number
  readonly contentsBytes: number
  readonly contents: number
  readonly damaged: number
  /** Counts by record type. */
  readonly records: Readonly<Record<string, number>>
}

interface Process {
  readonly name: string
  readonly residentBytes: number
  readonly cpuSeconds: number
}

export interface Disk {
  readonly name: string
  readonly sizeBytes: number
  readonly freeBytes: number
}

/** Requests of this page, which are not counted as load. */
const LOOKS: ReadonlySet<string> = new Set(['/metrics', '/ready', '/health'])

/** Resolution of the event loop timer in seconds, which is subtracted. */
const LOOP_TIMER = 0.01

export function readMetrics(text: string, at: number): Reading {
  const samples = new Map<string, Sample[]>()
  for (const sample of parseMetrics(text)) {
    const known = samples.get(sample.name)
    if (known === undefined) samples.set(sample.name, [sample])
    else known.push(sample)
  }
  const all = (name: string): readonly Sample[] => samples.get(name) ?? []
  const duration = 'cms_http_request_duration_seconds'
  return {
    startedAt: first(all('process_start_time_seconds')),
    at,
    requests: requestsOf(all(`${duration}_count`).filter(isOfSite)),
    requestTimes: bucketsOf(all(`${duration}_bucket`).filter(isOfSite)),
    commits: first(all('cms_commit_duration_seconds_count')),
    commitTimes: bucketsOf(all('cms_commit_duration_seconds_bucket')),
    now: nowOf(all),
  }
}

function nowOf(all: (name: string) => readonly Sample[]): Now {
  const loop = first(all('nodejs_eventloop_lag_p99_seconds'))
  return {
    inProgress: sum(all('cms_http_requests_in_progress').filter(isOfSite)),
    commitsWaiting: first(all('cms_commits_waiting')),
    tasksWaiting: first(all('cms_tasks_waiting')),
    loopDelay: Math.max(loop - LOOP_TIMER, 0),
    processes: processesOf(all),
    disks: disksOf(all),
    recordsBytes: first(all('cms_records_file_bytes')),
    contentsBytes: first(all('cms_contents_bytes')) + first(all('cms_contents_waiting_bytes')),
    contents: first(all('cms_contents')),
    damaged: first(all('cms_versions_damaged')),
    records: Object.fromEntries(
      all('cms_records').map(({ labels, value }) => [labels['type'] ?? '', value]),
    ),
  }
}

function processesOf(all: (name: string) => readonly Sample[]): readonly Process[] {
  const cpu = byLabel(all('cms_process_cpu_seconds'), 'process')
  return all('cms_process_resident_memory_bytes').map(({ labels, value }) => {
    const name = labels['process'] ?? ''
    return { name, residentBytes: value, cpuSeconds: cpu.get(name) ?? 0 }
  })
}

/** Two directories on one disk are merged. */
function disksOf(all: (name: string) => readonly Sample[]): readonly Disk[] {
  const free = byLabel(all('cms_disk_free_bytes'), 'disk')
  const disks = all('cms_disk_size_bytes').map(({ labels, value }) => {
    const name = labels['disk'] ?? ''
    return { name, sizeBytes: value, freeBytes: free.get(name) ?? 0 }
  })
  const [one, other] = disks
  const isOne = one?.sizeBytes === other?.sizeBytes && one?.freeBytes === other?.freeBytes
  return isOne && one !== undefined ? [{ ...one, name: 'both' }] : disks
}

function byLabel(samples: readonly Sample[], label: string): ReadonlyMap<string, number> {
  return new Map(samples.map(({ labels, value }) => [labels[label] ?? '', value]))
}

function isOfSite({ labels }: Sample): boolean {
  return !LOOKS.has(labels['route'] ?? '')
}

function requestsOf(samples: readonly Sample[]): Reading['requests'] {
  const counts = { '2': 0, '3': 0, '4': 0, '5': 0 }
  for (const { labels, value } of samples) {
    const found = STATUS_CLASSES.find((each) => labels['status']?.startsWith(each))
    if (found !== undefined) counts[found] += value
  }
  return counts
}

function bucketsOf(samples: readonly Sample[]): Buckets {
  const buckets = new Map<number, number>()
  for (const { labels, value } of samples) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'])
    buckets.set(bound, (buckets.get(bound) ?? 0) + value)
  }
  return buckets
}

function first(samples: readonly Sample[]): number {
  const value = samples[0]?.value ?? 0
  return Number.isNaN(value) ? 0 : value
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0)
}

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** NaN without a value. */
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/
const LABEL = /(\w+)="([^"]*)"/g

/** Parses the Prometheus text: one sample per line, `name{label="value"} 5`. No label that is read here has escapes. */
function parseMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) return []
    const found = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of] as const)
    return [{ name, labels: Object.fromEntries(found), value: Number(value) }]
  })
}
