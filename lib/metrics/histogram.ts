// A Prometheus histogram. This implementation replaces the histogram of prom-client, so that a server counts from its first
// request and loads prom-client only when the metrics are read (metrics-page.ts).

export interface Histogram {
  /** The series with these labels. Callers that observe often should keep it. */
  series(labels: Labels): Series
  /** The counts of this process, which text() of another process accepts. */
  counted(): readonly CountedSeries[]
  /** The histogram in the Prometheus text format, including the counts of other processes. */
  text(others?: readonly CountedSeries[]): string
}

/** One series: its labels as text, and its counts. */
export type CountedSeries = readonly [labels: string, counted: Counted]

export interface Series {
  observe(value: number): void
}

type Labels = Readonly<Record<string, string | number>>

export interface HistogramOptions {
  readonly name: string
  readonly help: string
  /** In ascending order. */
  readonly buckets: readonly number[]
}

interface Counted {
  /** One more than there are buckets: the last counts the values above all buckets. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface Counting extends Counted {
  readonly counts: number[]
  sum: number
}

export function openHistogram({ name, help, buckets }: HistogramOptions): Histogram {
  const known = new Map<string, Counting>()

  return {
    series(labels) {
      const counted = { counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }
      known.set(labelText(labels), counted)
      return {
        observe(value) {
          const found = buckets.findIndex((bound) => value <= bound)
          const at = found === -1 ? buckets.length : found
          counted.counts[at] = (counted.counts[at] ?? 0) + 1
          counted.sum += value
        },
      }
    },
    counted: () => [...known],
    text(others = []) {
      const head = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
      const all = others.length === 0 ? known : sumOf([...known, ...others])
      const lines = Array.from(all, ([labels, counted]) => seriesLines(labels, counted))
      return [...head, ...lines.flat()].join('\n')
    },
  }

  function seriesLines(labels: string, { counts, sum }: Counted): readonly string[] {
    const others = labels === '' ? '' : `,${labels}`
    const own = labels === '' ? '' : `{${labels}}`
    let total = 0
    const lines = counts.map((count, at) => {
      total += count
      return `${name}_bucket{le="${buckets[at] ?? '+Inf'}"${others}} ${total}`
    })
    return [...lines, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`]
  }
}

function sumOf(all: readonly CountedSeries[]): ReadonlyMap<string, Counted> {
  const sums = new Map<string, Counted>()
  for (const [labels, { counts, sum }] of all) {
    const before = sums.get(labels)
    sums.set(labels, {
      counts: counts.map((count, at) => count + (before?.counts[at] ?? 0)),
      sum: sum + (before?.sum ?? 0),
    })
  }
  return sums
}

/** Prometheus escapes label values as JSON does. */
function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(String(value))}`)
    .join(',')
}
