// Parses the text format of Prometheus: lines of a name, labels and a value.

import assert from 'node:assert/strict'
import type { Answer } from './server.ts'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

type Call = (method: string, path: string) => Promise<Answer>

export async function readMetrics(call: Call): Promise<readonly Sample[]> {
  const { status, text } = await call('GET', '/metrics')
  assert.equal(status, 200, text)
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine)
}

function parseLine(line: string): Sample {
  const match = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line)
  assert.ok(match?.[1], line)
  const labels = [...(match[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)]
  const value = match[3] === 'Nan' ? Number.NaN : Number(match[3])
  return {
    name: match[1],
    labels: Object.fromEntries(labels.map(([, name, text]) => [name, text])),
    value,
  }
}

/** Value of the one sample with these labels; undefined if there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  )?.value
}
