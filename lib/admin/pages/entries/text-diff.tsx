// The changed lines of a long text, each with a sign besides its color, and the lines around them.

import { diffLines } from 'diff'
import { useMemo } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'

interface TextDiffProps {
  readonly from: string
  readonly to: string
}

/** Unchanged lines beside a change. */
const AROUND = 2
/** Lines that are shown. */
const MOST_LINES = 200
/** Texts that differ in more lines are shown as removed and added, because the comparison would take long. */
const MOST_CHANGES = 500

interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

const SIGNS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const

export function TextDiff({ from, to }: TextDiffProps) {
  const { t, formats } = useTexts()
  const lines = useMemo(() => linesOf(from, to), [from, to])
  const rest = lines.length - MOST_LINES
  return (
    <div class="text-diff">
      {lines.slice(0, MOST_LINES).map(({ kind, text }, at) => {
        const content = `${SIGNS[kind]} ${text}`
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        if (kind === 'removed') return <del key={at}>{content}</del>
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        if (kind === 'added') return <ins key={at}>{content}</ins>
        // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
        return <span key={at}>{content}</span>
      })}
      {rest > 0 && <p class="quiet">{formats.count(t.entries.history.moreLines, rest)}</p>}
    </div>
  )
}

function linesOf(from: string, to: string): readonly DiffLine[] {
  const parts = diffLines(from, to, { maxEditLength: MOST_CHANGES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ]
  return parts.flatMap(({ value, removed, added }, at) => {
    const lines = value.replace(/\n$/, '').split('\n')
    const kind = removed ? 'removed' : added ? 'added' : 'same'
    const all = lines.map((text) => ({ kind, text }) as const)
    if (kind !== 'same') return all
    const head = at === 0 ? [] : all.slice(0, AROUND)
    const tail = at === parts.length - 1 ? [] : all.slice(-AROUND)
    if (all.length <= head.length + tail.length) return all
    return [...head, { kind: 'gap', text: '' } as const, ...tail]
  })
}

/** Whether the two values are texts, of which one has several lines. */
export function isLongText(from: unknown, to: unknown): boolean {
  const isText = typeof from === 'string' && typeof to === 'string'
  return isText && (from.includes('\n') || to.includes('\n'))
}
