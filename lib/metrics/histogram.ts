// A histogram as Prometheus has it: how many values were at most so high, and their sum. Ours, and not that
// of prom-client, so that a server counts from its first request on and loads that library only for who
// reads (metrics-page.ts).

export interface Histogram {
  /** The series with these labels, to be kept by who observes often. */
  series(labels: Labels): Series
  /** What was counted, for text(). */
  counted(): readonly CountedSeries[]
  /** In the text format of Prometheus, with what the same histogram of other processes has counted. */
  text(others?: readonly CountedSeries[]): string
}

/** One series: its labels as text, and what was counted. */
export type CountedSeries = readonly [labels: string, counted: Counted]

export interface Series {
  observe(value: number): void
}

type Labels = Readonly<Record<string, string | number>>

export interface HistogramOptions {
  readonly name: string
  readonly help: string
  /** Rising. */
  readonly buckets: readonly number[]
}

interface Counted {
  /** One more than there are buckets: the last is for what is above them all. */
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

/** Prometheus escapes the text of a label as JSON does. */
function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(String(value))}`)
    .join(',')
}
