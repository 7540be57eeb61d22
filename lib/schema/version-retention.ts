// How long versions of files are kept: a rule of a folder, and the versions that nobody may remove.

import { MAX_KEPT_DAYS, MAX_KEPT_VERSIONS } from '../shared/limits.ts'
import { accept, type Checked, type Field, field, refuse } from './field.ts'
import type { JsonObject, RecordType } from './values.ts'

/** Versions beyond the latest ones and older than the days are removed. `all` keeps every version. */
export type VersionRule =
  | { readonly latest: number; readonly days: number }
  | { readonly all: true }

const RULE = `must be {"latest": 1 to ${MAX_KEPT_VERSIONS}, "days": 0 to ${MAX_KEPT_DAYS}}, {"all": true} to keep all versions, or null for the rule of the parent folder`

const RULE_SCHEMA = {
  type: 'object',
  properties: {
    latest: { type: 'integer', minimum: 1, maximum: MAX_KEPT_VERSIONS },
    days: { type: 'integer', minimum: 0, maximum: MAX_KEPT_DAYS },
    all: { type: 'boolean', enum: [true] },
  },
} as const

function checkRule(value: unknown): Checked<VersionRule & JsonObject> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(RULE)
  const { latest, days, all, ...others } = value as JsonObject
  if (Object.keys(others).length > 0) return refuse(RULE)
  if (all === true && latest === undefined && days === undefined) return accept({ all })
  const isRule =
    all === undefined && isWhole(latest, 1, MAX_KEPT_VERSIONS) && isWhole(days, 0, MAX_KEPT_DAYS)
  return isRule ? accept({ latest: Number(latest), days: Number(days) }) : refuse(RULE)
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}

/** Field of asset_category. */
export const KEEP_VERSIONS = field<VersionRule & JsonObject, 'optional', { description: string }>(
  'optional',
  RULE_SCHEMA,
  undefined,
  {
    description:
      'Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 ' +
      'versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are ' +
      'removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed.',
  },
  checkRule,
)

const MOST_PINS = 100

const PINS = `must be a list of at most ${MOST_PINS} different version numbers`

/** Field of asset_file. */
export const PINNED_VERSIONS: Field<readonly number[], 'optional', true, true> = field(
  'optional',
  {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: MOST_PINS,
    uniqueItems: true,
  },
  undefined,
  {
    description:
      'Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts.',
  },
  (value): Checked<readonly number[]> => {
    if (!Array.isArray(value) || value.length > MOST_PINS) return refuse(PINS)
    if (!value.every((item) => isWhole(item, 1, Number.MAX_SAFE_INTEGER))) return refuse(PINS)
    return new Set(value).size === value.length ? accept(value as readonly number[]) : refuse(PINS)
  },
)

/** Key: [asset_file_id]. Missing if no version of the file was removed. */
interface RemovedVersions {
  readonly count: number
}

export const removedVersions: RecordType<RemovedVersions> = {
  name: 'removed_versions',
  indexes: [],
}

/** Stands in changed_fields of a file some of whose versions a rule removed. */
export const VERSIONS = 'versions'
