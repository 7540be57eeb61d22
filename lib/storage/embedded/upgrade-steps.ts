// The format of a data directory, which instance.json names, and the steps by which `start --upgrade` converts a directory
// of an earlier format. A format changes when this version could no longer read the directory of another version.

import type { Kv } from '../records/kv.ts'
import { RefusedError } from './refusal.ts'

export const FORMAT = 2

/**
 * Converts the records of one format to another, in commits of bounded size. A step can be interrupted after any commit
 * and is then run again, so the rows must show what is left to do. Every format keeps the identity of the site, the lease
 * and the checksums of records as they are.
 */
export interface UpgradeStep {
  readonly from: number
  readonly to: number
  readonly run: (kv: Kv, report: ReportProgress) => Promise<void>
}

/** Called between commits with the number of converted rows, out of all rows to convert. */
export type ReportProgress = (done: number, total: number) => Promise<void>

/** Empty, because format 2 is the format of the first release. */
export const UPGRADE_STEPS: readonly UpgradeStep[] = []

/** The content of instance.json. During an upgrade `format` is already the format that the running step makes. */
type Instance = Readonly<Record<string, unknown>>

/** The steps from a format to this version's format; undefined if a step is missing. */
export function stepsFrom(
  format: unknown,
  steps: readonly UpgradeStep[] = UPGRADE_STEPS,
): readonly UpgradeStep[] | undefined {
  if (format === FORMAT) return []
  const first = steps.find(({ from }) => from === format)
  const rest = first && stepsFrom(first.to, steps)
  return first && rest && [first, ...rest]
}

/** The steps that a directory needs, beginning with an interrupted one; undefined if this version cannot convert it. */
export function stepsOf(
  { format, upgradingFrom }: Instance,
  steps: readonly UpgradeStep[] = UPGRADE_STEPS,
): readonly UpgradeStep[] | undefined {
  if (Number(format) > FORMAT) return undefined
  return stepsFrom(upgradingFrom ?? format, steps)
}

/** Throws unless the directory has the format of this version. */
export function requireFormat(
  dataDir: string,
  instance: Instance,
  steps: readonly UpgradeStep[] = UPGRADE_STEPS,
): void {
  const { format, upgradingFrom } = instance
  if (format === FORMAT && upgradingFrom === undefined) return
  const isConvertible = stepsOf(instance, steps) !== undefined
  if (upgradingFrom !== undefined)
    throw new RefusedError(
      isConvertible
        ? `The upgrade of ${dataDir} was interrupted. Resume it with "cms-server start --upgrade".`
        : `The upgrade of ${dataDir} to format ${String(format)} was interrupted. Resume it with "cms-server start --upgrade" of the version that began it.`,
    )
  throw new RefusedError(
    isConvertible
      ? `${dataDir} has format ${String(format)} of an earlier version; this cms-server reads format ${FORMAT}. Make a backup with the version that wrote it, or copy the directory while no server runs. Then run "cms-server start --upgrade" to convert it in place.`
      : `The data directory has format ${String(format)}; this cms-server reads format ${FORMAT} and cannot convert it. Start the version that wrote it.`,
  )
}
