// The differences between two versions of a text, line by line, with signs and words besides colors.

import type { ComponentChildren } from 'preact'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'

interface VersionDiffProps {
  readonly fileId: number
  readonly old: number
  readonly new: number
}

/** Limits the rendered lines, so that the page stays responsive. */
const MOST_LINES = 5_000

export function VersionDiff({ fileId: id, old: version, new: other }: VersionDiffProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const loaded = useRequest(
    (signal) =>
      dataOf(
        api.GET('/asset_file/{id}/versions/{version}/diff/{other}', {
          signal,
          params: { path: { id, version, other } },
          parseAs: 'text',
        }),
      ),
    [id, version, other],
  )
  if (loaded.error !== undefined || loaded.data === undefined)
    return <Loading {...loaded} lines={6} />
  const lines = parseDiff(loaded.data)
  if (lines.length === 0) return <EmptyState icon="check" title={t.file.same} />
  const count = (kind: DiffLine['kind']): number =>
    lines.filter((line) => line.kind === kind).length
  return (
    <>
      <p class="diff-count">
        <span class="diff-plus">{formats.count(t.file.added, count('added'))}</span>
        <span class="diff-minus">{formats.count(t.file.removed, count('removed'))}</span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region */}
      <div class="diff-frame" role="region" aria-label={t.file.diff} tabIndex={0}>
        <table class="diff">
          <thead class="unseen">
            <tr>
              <th scope="col">{t.file.oldLine}</th>
              <th scope="col">{t.file.newLine}</th>
              <th scope="col">{t.file.change}</th>
              <th scope="col">{t.file.text}</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, MOST_LINES).map((line, at) => (
              <Line key={at} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > MOST_LINES && (
        <p class="quiet">{formats.count(t.file.moreLines, lines.length - MOST_LINES)}</p>
      )}
    </>
  )
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = {
  same: '',
  added: '+',
  removed: '−',
  gap: '⋯',
  note: '',
}

function Line({ line }: { readonly line: DiffLine }): ComponentChildren {
  const { t } = useTexts()
  const { kind, text } = line
  const said = kind === 'added' ? t.file.lineAdded : kind === 'removed' ? t.file.lineRemoved : ''
  return (
    <tr class={`diff-${kind}`}>
      <td class="diff-number">{line.old}</td>
      <td class="diff-number">{line.new}</td>
      <td class="diff-sign">
        <span aria-hidden="true">{SIGNS[kind]}</span>
        {said !== '' && <span class="unseen">{said}</span>}
      </td>
      <td class="diff-text">{kind === 'note' ? t.file.noNewline : text}</td>
    </tr>
  )
}

interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap' | 'note'
  readonly text: string
  readonly old: number | undefined
  readonly new: number | undefined
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Parses a unified diff into lines with their numbers on both sides. */
function parseDiff(diff: string): readonly DiffLine[] {
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
