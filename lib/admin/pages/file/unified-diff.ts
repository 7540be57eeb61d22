// Parses a unified diff into lines with their numbers on both sides.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap' | 'note'
  readonly text: string
  readonly old: number | undefined
  readonly new: number | undefined
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

export function parseDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let at = { old: 0, new: 0 }
  let isBegun = false
  for (const line of diff.split('\n')) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      at = { old: Number(hunk[1]), new: Number(hunk[2]) }
      if (isBegun || at.old > 1 || at.new > 1)
        lines.push({ kind: 'gap', text: '', old: undefined, new: undefined })
      isBegun = true
    } else if (isBegun) {
      const next = lineOf(line, at)
      if (next === undefined) continue
      lines.push(next)
      at = { old: (next.old ?? at.old - 1) + 1, new: (next.new ?? at.new - 1) + 1 }
    }
  }
  return lines
}

function lineOf(
  line: string,
  at: { readonly old: number; readonly new: number },
): DiffLine | undefined {
  const text = line.slice(1)
  switch (line[0]) {
    case ' ':
      return { kind: 'same', text, ...at }
    case '+':
      return { kind: 'added', text, old: undefined, new: at.new }
    case '-':
      return { kind: 'removed', text, old: at.old, new: undefined }
    case '\\':
      return { kind: 'note', text: '', old: undefined, new: undefined }
    default:
      return undefined
  }
}
