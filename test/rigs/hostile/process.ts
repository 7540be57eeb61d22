// The resources of a server as the kernel reports them.

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const MIB = 1024 * 1024

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Anonymous memory in MiB, without files that LMDB maps. */
export function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Anonymous:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024
}

export interface Settled {
  readonly descriptors: number
  readonly memoryMb: number
}

const LOOK_EVERY_MS = 250

/**
 * Waits until the server holds at most these resources, or until the timeout, and returns the
 * lowest values. V8 returns memory some time after a program has become idle.
 */
export async function settle(pid: number, most: Settled, timeoutMs: number): Promise<Settled> {
  const endMs = performance.now() + timeoutMs
  let least = { descriptors: descriptorsOf(pid), memoryMb: memoryOf(pid) }
  while (performance.now() < endMs) {
    if (least.descriptors <= most.descriptors && least.memoryMb <= most.memoryMb) break
    await sleep(LOOK_EVERY_MS)
    least = {
      descriptors: Math.min(least.descriptors, descriptorsOf(pid)),
      memoryMb: Math.min(least.memoryMb, memoryOf(pid)),
    }
  }
  return least
}

/** Waits until several measurements in a row are equal, or until the timeout. */
export async function untilSteady(pid: number, timeoutMs: number): Promise<Settled> {
  const endMs = performance.now() + timeoutMs
  for (let same = 0, last = -1; performance.now() < endMs && same < 8; ) {
    const now = descriptorsOf(pid) * MIB + Math.round(memoryOf(pid) / 4)
    same = now === last ? same + 1 : 0
    last = now
    await sleep(LOOK_EVERY_MS)
  }
  return { descriptors: descriptorsOf(pid), memoryMb: memoryOf(pid) }
}
