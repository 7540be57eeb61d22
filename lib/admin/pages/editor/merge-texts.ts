// Three-way merge of texts by lines. Lines that only one side changed are taken from that side. Where both sides
// changed the same or adjacent lines, the result is two texts that differ only there.

import { diffArrays } from 'diff'

export interface Merged {
  /** The merged text, with my version of every conflict. */
  readonly mine: string
  /** The merged text, with their version of every conflict. */
  readonly theirs: string
  readonly hasConflict: boolean
}

export interface Texts {
  /** The common ancestor. */
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** A range of base lines and its replacement. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** Time limit for comparing very different texts; after it, each is treated as one hunk. */
const MOST_MS = 1_500

export function mergeTexts({ base, mine, theirs }: Texts): Merged {
  const lines = linesOf(base)
  const regions = regionsOf(hunksOf(lines, linesOf(mine)), hunksOf(lines, linesOf(theirs)))
  const made = { mine: [] as string[], theirs: [] as string[] }
  let at = 0
  let hasConflict = false
  for (const region of regions) {
    const same = lines.slice(at, region.from).join('')
    const own = applied(lines, region, region.mine)
    const other = applied(lines, region, region.theirs)
    const isOne = region.mine.length === 0 || region.theirs.length === 0 || own === other
    hasConflict ||= !isOne
    made.mine.push(same, region.mine.length === 0 ? other : own)
    made.theirs.push(same, region.theirs.length === 0 ? own : other)
    at = region.to
  }
  const rest = lines.slice(at).join('')
  return { mine: made.mine.join('') + rest, theirs: made.theirs.join('') + rest, hasConflict }
}

/** Lines include their line break. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function hunksOf(base: readonly string[], other: readonly string[]): readonly Hunk[] {
  const changes = diffArrays([...base], [...other], { timeout: MOST_MS })
  if (changes === undefined) return [{ from: 0, to: base.length, lines: other }]
  const hunks: Hunk[] = []
  let at = 0
  for (const { added, removed, value, count } of changes) {
    const last = hunks.at(-1)
    const isNext = last?.to === at
    if (removed) {
      if (isNext) hunks[hunks.length - 1] = { ...last, to: at + count }
      else hunks.push({ from: at, to: at + count, lines: [] })
    } else if (added) {
      if (isNext) hunks[hunks.length - 1] = { ...last, lines: [...last.lines, ...value] }
      else hunks.push({ from: at, to: at, lines: value })
    }
    if (!added) at += count
  }
  return hunks
}

interface Region {
  readonly from: number
  readonly to: number
  readonly mine: readonly Hunk[]
  readonly theirs: readonly Hunk[]
}

/** Joins hunks of both sides that touch. */
function regionsOf(mine: readonly Hunk[], theirs: readonly Hunk[]): readonly Region[] {
  const all = [
    ...mine.map((hunk) => ({ hunk, isMine: true })),
    ...theirs.map((hunk) => ({ hunk, isMine: false })),
  ].toSorted((one, other) => one.hunk.from - other.hunk.from || one.hunk.to - other.hunk.to)
  const regions: Region[] = []
  for (const { hunk, isMine } of all) {
    const last = regions.at(-1)
    const doesTouch = last !== undefined && hunk.from <= last.to
    const { from, to, ...sides } = doesTouch ? last : { ...hunk, mine: [], theirs: [] }
    const next: Region = {
      from,
      to: Math.max(to, hunk.to),
      mine: isMine ? [...sides.mine, hunk] : sides.mine,
      theirs: isMine ? sides.theirs : [...sides.theirs, hunk],
    }
    if (doesTouch) regions[regions.length - 1] = next
    else regions.push(next)
  }
  return regions
}

/** One side's text of a region. */
function applied(
  lines: readonly string[],
  { from, to }: Pick<Region, 'from' | 'to'>,
  hunks: readonly Hunk[],
): string {
  const made: string[] = []
  let at = from
  for (const hunk of hunks) {
    made.push(...lines.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  made.push(...lines.slice(at, to))
  return made.join('')
}
