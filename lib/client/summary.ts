// Formats the result of an import or export as plain text.

import { counted } from '../schema/message-text.ts'
import { shown } from '../schema/visible.ts'
import type { ExportEntriesSummary } from './export-entries.ts'
import type { ExportSummary } from './export.ts'
import type { ImportCalendarSummary } from './import-calendar.ts'
import type { ImportEntriesSummary } from './import-entries.ts'
import type { ImportSummary } from './import.ts'
import { formatBytes } from './progress.ts'
import { formatRanges } from './row-ranges.ts'
import type { PublishSummary } from './publish-to.ts'
import type { RunResult } from './run.ts'
import { SIDE_PATH } from './side-file.ts'

type Line = readonly [label: string, count: number, remark?: string]

export function formatImport(summary: ImportSummary): string {
  return format(
    summary,
    [
      ['new', summary.uploaded],
      ['replaced', summary.replaced],
      ['unchanged', summary.unchanged],
      ['published', summary.published],
      ['skipped', summary.skipped, 'links and special files'],
      ['folders created', summary.folders],
    ],
    summary.hasRecords ? [`set titles, descriptions, states and menus from ${SIDE_PATH}`] : [],
  )
}

export function formatExport(summary: ExportSummary): string {
  return format(
    summary,
    [
      ['written', summary.written],
      ['unchanged', summary.unchanged],
      ['skipped', summary.skipped, 'no version in this state'],
      ['folders', summary.folders],
    ],
    [
      `titles, descriptions, states and menus are in ${SIDE_PATH}, which import reads`,
      `not exported: ${summary.others === 0 ? '' : `other drafts, staged or live versions of ${counted(summary.others, 'file')}, `}older versions, datatables, calendars, users, keys, webhooks`,
    ],
  )
}

export function formatPublish(summary: PublishSummary, isDry: boolean): string {
  const { uploaded, unchanged, removed, foreign, failed } = summary
  return format(
    summary,
    [
      [isDry ? 'to upload' : 'uploaded', uploaded],
      ['unchanged', unchanged],
      [isDry ? 'to remove' : 'removed', removed],
      ['left', foreign, 'not live, but written by another program'],
    ],
    failed > 0 ? ['nothing was removed, because a failure may hide live files'] : [],
  )
}

export function formatEntriesImport(summary: ImportEntriesSummary): string {
  const { created, updated, failed, listName, seconds } = summary
  const counts = [['created', created] as const, ['updated', updated] as const]
  const notes = [
    rateOf(created + updated + failed, seconds),
    ...(listName === undefined ? [] : [`read from the list ${shown(JSON.stringify(listName))}`]),
  ]
  return format(summary, counts, notes) + formatRefused(summary) + formatStop(summary)
}

export function formatCalendarImport(summary: ImportCalendarSummary): string {
  const { created, updated, unchanged, refused, refused_count: refusedCount, ignored } = summary
  const isDry = summary.dry_run
  const lines: readonly Line[] = [
    [isDry ? 'to create' : 'created', created],
    [isDry ? 'to update' : 'updated', updated],
    ['unchanged', unchanged],
    ['refused', refusedCount],
  ]
  const refusals = refused.map(({ line, property, title, detail }) => {
    const place = [`line ${line}`, ...(property === null ? [] : [property])].join(', ')
    return `refused: ${place}: ${title === null ? '' : `${shown(JSON.stringify(title))}: `}${shown(detail)}`
  })
  const more = refusedCount - refused.length
  const names = ignored.map(({ name, count }) => `${shown(name)} (${count})`).join(', ')
  return [
    ...lines.map(formatLine),
    ...refusals,
    ...(more > 0 ? [`refused: ${more} more`] : []),
    ...(names === '' ? [] : [`not supported and not imported: ${names}`]),
    '',
  ].join('\n')
}

export function formatEntriesExport(summary: ExportEntriesSummary): string {
  return format(summary, [['written', summary.written]], [rateOf(summary.written, summary.seconds)])
}

function formatRefused({ refusedFile: file }: ImportEntriesSummary): string {
  if (file === undefined) return ''
  if (typeof file === 'string')
    return `All rejected rows are in ${shown(file)}, with the reasons: correct them and import that file.\n`
  return `The rejected rows could not be written: ${shown(file.message)} Choose another file with --refused.\n`
}

/** The rows that are left after an import that ended early. */
function formatStop({ stopped, inDoubt, unsent }: ImportEntriesSummary): string {
  if (stopped === undefined) return ''
  const lines = [`stopped: ${shown(stopped)}`]
  if (inDoubt.length > 0) {
    const advice = 'Look for them in the module, and send the missing rows with --rows.'
    const fate =
      'were sent, but the response is missing: each group was stored completely or not at all'
    lines.push(`in doubt: rows ${formatRanges(inDoubt)} ${fate}. ${advice}`)
  }
  if (unsent.length > 0)
    lines.push(`not sent: rows ${formatRanges(unsent)}. Send them with --rows.`)
  return `${lines.join('\n')}\n`
}

function rateOf(rows: number, seconds: number): string {
  return `${Math.round(rows / Math.max(seconds, 0.001))} rows per second`
}

/** Ends with a line feed. */
function format(result: RunResult, counts: readonly Line[], notes: readonly string[] = []): string {
  const lines = [...counts, ['failed', result.failed] as const].map(formatLine)
  const { bytes, seconds } = result
  const total = `${formatBytes(bytes)} in ${seconds.toFixed(1)} seconds`
  return [...lines, total, ...notes, ...formatFailures(result), ''].join('\n')
}

function formatLine([label, count, remark]: Line): string {
  const line = `${label.padEnd(16)}${String(count).padStart(9)}`
  return remark === undefined || count === 0 ? line : `${line}  (${remark})`
}

function formatFailures({ failures, moreFailures }: RunResult): string[] {
  const lines = failures.map(({ path, detail }) => `failed: ${shown(path)}: ${shown(detail)}`)
  return moreFailures === 0 ? lines : [...lines, `failed: ${moreFailures} more`]
}
