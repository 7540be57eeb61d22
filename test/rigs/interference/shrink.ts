// Finds the cause of a difference: the smallest set of earlier requests and of hidden differences
// that reproduces it. Each attempt uses two new sites.

import { compare } from './compare.ts'
import { openPair, type Answers, type PairOptions } from './pair.ts'
import type { Sent } from './site.ts'

export interface Found {
  readonly sent: Sent
  /** The earlier requests. */
  readonly before: readonly Sent[]
  readonly answers: Answers
  readonly aspects: readonly string[]
}

export interface Shrunk extends Found {
  /** The names of the hidden differences that the answer reveals. */
  readonly tells: readonly string[]
  /** False if new sites did not reproduce the difference. */
  readonly isConfirmed: boolean
}

/** The maximum number of pairs of sites for a difference. */
const MAX_TRIES = 28

export async function shrink(
  given: PairOptions,
  found: Found,
  all: readonly string[],
): Promise<Shrunk> {
  let tries = 0
  let last = found
  // Most differences do not need the many records, which take a second to make.
  let options: PairOptions = { ...given, isLarge: false }

  async function isSeen(before: readonly Sent[], kept: readonly string[]): Promise<boolean> {
    if (tries >= MAX_TRIES) return false
    tries += 1
    const seen = await replay({ ...options, kept: new Set(kept) }, { ...found, before })
    if (seen !== undefined) last = seen
    return seen !== undefined
  }

  let before: readonly Sent[] = []
  let isConfirmed = await isSeen(before, all)
  if (!isConfirmed && given.isLarge) {
    options = given
    isConfirmed = await isSeen(before, all)
  }
  if (!isConfirmed) {
    before = found.before
    if (!(await isSeen(before, all))) return { ...found, tells: [], isConfirmed: false }
    before = await reduce(before, (fewer) => isSeen(fewer, all))
  }
  tries = 0
  const tells = await reduce(all, (fewer) => isSeen(before, fewer))
  return { ...last, before, tells, isConfirmed: true }
}

/** Removes halves, quarters and so on as long as the rest reproduces the difference. */
async function reduce<T>(
  items: readonly T[],
  isEnough: (fewer: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items
  for (let parts = 2; kept.length > 1; ) {
    const size = Math.ceil(kept.length / parts)
    const fewer = await findEnough(chunksOf(kept, size), kept, isEnough)
    if (fewer !== undefined) {
      kept = fewer
      parts = Math.max(2, Math.min(parts - 1, kept.length))
    } else if (size === 1) return kept
    else parts = Math.min(parts * 2, kept.length)
  }
  return kept
}

async function findEnough<T>(
  chunks: readonly (readonly T[])[],
  kept: readonly T[],
  isEnough: (fewer: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  // A single part is often enough.
  for (const chunk of chunks)
    if (chunk.length < kept.length && (await isEnough(chunk))) return chunk
  if (chunks.length <= 2) return undefined
  for (const chunk of chunks) {
    const rest = kept.filter((item) => !chunk.includes(item))
    if (await isEnough(rest)) return rest
  }
  return undefined
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** Reproduces the difference on new sites; undefined if it does not occur. */
async function replay(
  options: PairOptions,
  { before, sent, aspects }: Found,
): Promise<Found | undefined> {
  const pair = await openPair(options)
  try {
    for (const earlier of before) await pair.ask(earlier)
    const answers = await pair.ask(sent)
    const difference = compare(sent, answers)
    if (difference?.aspects.some((aspect) => aspects.includes(aspect)) !== true) return undefined
    return { sent, before, answers, aspects: difference.aspects }
  } finally {
    await pair.close()
  }
}
