// Feeds a parser with mutated samples and leaves the judgment to the fuzzer, whose oracle throws
// on a wrong result. The fuzzer describes each outcome in a few words. An input with a new outcome
// becomes a sample itself, so that the inputs reach the corners of the parser.

import { performance } from 'node:perf_hooks'
import { CmsError } from '../../../lib/base/errors.ts'
import { openRandom, type Random } from '../random.ts'

export interface Fuzzer {
  readonly name: string
  /** Words that mutations insert. */
  readonly dictionary: readonly string[]
  /** The parser reads bytes: each character of an input is one byte. */
  readonly isBinary?: boolean
  /** Throws if the parser breaks its contract; otherwise describes the outcome in a few words. */
  readonly check: (input: string) => string | Promise<string>
}

export interface FuzzOptions {
  readonly seed: number
  readonly samples: readonly string[]
  /** The run ends at the first limit, but all samples are read. */
  readonly maxRuns: number
  readonly maxMs?: number
}

export interface FuzzOutcome {
  readonly name: string
  readonly runs: number
  readonly elapsedMs: number
  /** The number of different outcomes. */
  readonly kinds: number
  readonly slowest: Timed
  readonly failure: Failure | undefined
}

export interface Failure {
  /** The input after shrinking, which still fails. */
  readonly input: string
  readonly error: unknown
}

interface Timed {
  readonly input: string
  readonly ms: number
}

const MAX_INPUT_CHARS = 4_096
const MAX_POOL = 600
const MAX_MUTATIONS = 5
const MAX_SHRINKS = 2_000
const EDGE_CODES = [0, 9, 10, 13, 32, 34, 37, 39, 44, 45, 47, 58, 60, 62, 92, 123, 127, 128, 255]
const WIDE_CODES = [0x131, 0x2028, 0x202e, 0xd800, 0xdc00, 0xfeff, 0xfffd, 0xffff, 0x663]

/** Runs until an input fails or a limit is reached. */
export async function fuzz(fuzzer: Fuzzer, options: FuzzOptions): Promise<FuzzOutcome> {
  const random = openRandom(options.seed)
  const pool = [...options.samples]
  const kinds = new Set<string>()
  const start = performance.now()
  let slowest: Timed = { input: '', ms: 0 }
  let failure: Failure | undefined
  let runs = 0
  let now = start

  while (failure === undefined && runs < options.maxRuns) {
    const isOver = now - start > (options.maxMs ?? Number.POSITIVE_INFINITY)
    if (isOver && runs >= options.samples.length) break
    const before = now
    const input = runs < options.samples.length ? (pool[runs] ?? '') : mutate(random, fuzzer, pool)
    runs += 1
    try {
      const told = fuzzer.check(input)
      const kind = typeof told === 'string' ? told : await told
      if (!kinds.has(kind)) keep(kind, input)
    } catch (error) {
      failure = { input: await shrink(fuzzer, input), error }
    }
    now = performance.now()
    if (now - before > slowest.ms) slowest = { input, ms: now - before }
  }

  function keep(kind: string, input: string): void {
    kinds.add(kind)
    if (pool.length < MAX_POOL) pool.push(input)
  }
  return { name: fuzzer.name, runs, elapsedMs: now - start, kinds: kinds.size, slowest, failure }
}

/** Describes a refusal; any error that is no CmsError is a crash. */
export function refusalOf(error: unknown): string {
  if (error instanceof CmsError) return shortened(error.message)
  throw error
}

/** Removes quoted parts, so that the rest of the message identifies the branch of the parser. */
export function shortened(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"?|\d+/g, '#').slice(0, 60)
}

/**
 * The processor time of an input in ms: the best of several runs, so that other load on the machine
 * does not count.
 */
export async function costOf(fuzzer: Fuzzer, input: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const start = process.cpuUsage()
    await fuzzer.check(input)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

function mutate(random: Random, { dictionary }: Fuzzer, pool: readonly string[]): string {
  let text = random.pick(pool)
  for (let left = 1 + random.below(MAX_MUTATIONS); left > 0; left -= 1) {
    text = mutateOnce(random, text, { dictionary, pool })
  }
  return text.length <= MAX_INPUT_CHARS ? text : text.slice(0, MAX_INPUT_CHARS)
}

interface Material {
  readonly dictionary: readonly string[]
  readonly pool: readonly string[]
}

function mutateOnce(random: Random, text: string, { dictionary, pool }: Material): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + 1 + random.below(random.next() < 0.8 ? 8 : 200))
  const [head, middle, tail] = [text.slice(0, at), text.slice(at, end), text.slice(end)]

  switch (random.below(8)) {
    case 0:
      return head + tail
    case 1:
      return head + middle + middle + tail
    case 2:
      return head + random.pick(dictionary) + middle + tail
    case 3:
      return head + random.pick(dictionary) + tail
    case 4:
      return head + anyCharacter(random) + text.slice(at + 1)
    case 5:
      return head + anyCharacter(random) + middle + tail
    case 6: {
      const other = random.pick(pool)
      return head + other.slice(random.below(other.length + 1))
    }
    default:
      return head + middle.repeat(2 + random.below(12)) + tail
  }
}

function anyCharacter(random: Random): string {
  const kind = random.below(10)
  if (kind < 6) return String.fromCharCode(32 + random.below(95))
  if (kind < 9) return String.fromCharCode(random.pick(EDGE_CODES))
  return String.fromCharCode(random.pick(WIDE_CODES))
}

/** Removes parts of the input as long as it still fails. */
async function shrink(fuzzer: Fuzzer, input: string): Promise<string> {
  let text = input
  let left = MAX_SHRINKS
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < text.length && left > 0; left -= 1) {
      const shorter = text.slice(0, at) + text.slice(at + size)
      if (await fails(fuzzer, shorter)) text = shorter
      else at += size
    }
  }
  return text
}

async function fails(fuzzer: Fuzzer, input: string): Promise<boolean> {
  try {
    await fuzzer.check(input)
    return false
  } catch {
    return true
  }
}
