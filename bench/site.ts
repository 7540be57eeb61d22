// Figures that operators notice: start-up time, memory, and the import of a site of small files.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launcher, makeKey, memoryOf, startCms } from './processes.ts'
import { type Fact, memoryFact } from './report.ts'
import { scratchDir } from './scratch.ts'

const FILES = 3_000
const FILE_BYTES = 6_000
const STARTS = 5

export async function measureSite(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  makeTree(join(dir, 'site'))

  const first = await startCms(data)
  await sleep(1_000)
  const idle = memoryOf(first.pid)
  const to = { url: first.url, key: makeKey(data), category: 1 }
  const seconds = importTree(join(dir, 'site'), to)
  const after = memoryOf(first.pid)
  await first.stop()

  const clean = await startTimes(data, 'SIGTERM')
  const crashed = await startTimes(data, 'SIGKILL')
  const perSecond = Math.round(FILES / seconds)
  return [
    fact('start on an empty directory', Math.round(first.startMs), 'ms'),
    fact(`start after a clean stop, ${FILES} files`, clean, 'ms'),
    fact(`start after kill -9, ${FILES} files`, crashed, 'ms'),
    memoryFact('memory, idle', idle),
    memoryFact('memory after the import', after),
    fact(
      `import --publish of ${FILES} files of ${FILE_BYTES} bytes`,
      perSecond,
      'files per second',
    ),
  ]
}

function fact(name: string, value: number, unit: string): Fact {
  return { name, value, unit }
}

/** Median of several starts, each after a stop by this signal. */
async function startTimes(data: string, signal: NodeJS.Signals): Promise<number> {
  const times: number[] = []
  for (let count = 0; count <= STARTS; count += 1) {
    const server = await startCms(data)
    // The first start follows a stop by another signal and does not count.
    if (count > 0) times.push(server.startMs)
    await server.stop(signal)
  }
  times.sort((left, right) => left - right)
  return Math.round(times[Math.floor(times.length / 2)] ?? 0)
}

interface Target {
  readonly url: string
  readonly key: string
  readonly category: number
}

/** Imports the tree and returns the seconds it took. */
export function importTree(site: string, { url, key, category }: Target): number {
  const began = performance.now()
  const to = ['--url', url, '--key', key, '--category', String(category)]
  const args = ['import', site, ...to, '--publish']
  execFileSync(process.execPath, [launcher, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return (performance.now() - began) / 1_000
}

function makeTree(site: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const folder = join(site, `folder-${index % 50}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, `page-${index}.html`),
      `<p>${index}</p>`.padEnd(FILE_BYTES, 'lorem ipsum '),
    )
  }
}
