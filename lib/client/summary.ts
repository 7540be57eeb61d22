// What an import or export has done, as plain text.

import type { ExportSummary } from './export.ts'
import type { ImportSummary } from './import.ts'
import { formatBytes } from './progress.ts'
import type { RunResult } from './run.ts'

type Line = readonly [label: string, count: number, remark?: string]

export function formatImport(summary: ImportSummary): string {
  return format(summary, [
    ['new', summary.uploaded],
    ['replaced', summary.replaced],
    ['unchanged', summary.unchanged],
    ['published', summary.published],
    ['skipped', summary.skipped, 'links and special files'],
    ['folders created', summary.folders],
  ])
}

export function formatExport(summary: ExportSummary): string {
  return format(summary, [
    ['written', summary.written],
    ['unchanged', summary.unchanged],
    ['skipped', summary.skipped, 'no version in this state'],
    ['folders', summary.folders],
  ])
}

/** Ends with a line feed. */
function format(result: RunResult, counts: readonly Line[]): string {
  const lines = [...counts, ['failed', result.failed] as const].map(formatLine)
  const { bytes, seconds } = result
  const total = `${formatBytes(bytes)} in ${seconds.toFixed(1)} seconds`
  return [...lines, total, ...formatFailures(result), ''].join('\n')
}

function formatLine([label, count, remark]: Line): string {
  const line = `${label.padEnd(16)}${String(count).padStart(9)}`
  return remark === undefined || count === 0 ? line : `${line}  (${remark})`
}

function formatFailures({ failures, moreFailures }: RunResult): string[] {
  const lines = failures.map(({ path, detail }) => `failed: ${path}: ${detail}`)
  return moreFailures === 0 ? lines : [...lines, `failed: ${moreFailures} more`]
}
