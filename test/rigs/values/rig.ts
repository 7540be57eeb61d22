// Sends values through every way that takes rows: single creates, lists, updates, DEFAULT, imports
// of JSON, NDJSON and CSV, and the administration area. The stored value must equal the sent value,
// unless it was refused. All ways that take JSON must agree. Then the stored values are exported in
// each format, imported into another table, and moved with the whole site, and must stay the same.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { startTestServer } from '../../helpers/server.ts'
import { throughArea } from './area.ts'
import {
  carryAll,
  findAll,
  FORMATS,
  throughCreate,
  throughDefault,
  throughImport,
  throughUpdate,
} from './doors.ts'
import { KINDS } from './literals.ts'
import { throughPlaces } from './places.ts'
import { compare, judge, type Rig, type Stored } from './rows.ts'

export interface ValuesOptions {
  readonly seed: number
  /** The number of values of each type. */
  readonly count: number
  /**
   * The number of entries made with the form of the administration area; 0 if there is no browser.
   */
  readonly forms: number
  /** Whether the site goes through backup and migrate. */
  readonly isMoved: boolean
}

export interface ValuesOutcome {
  readonly values: number
  readonly accepted: number
  readonly faults: readonly string[]
}

export async function runValues(options: ValuesOptions): Promise<ValuesOutcome> {
  const { seed, count, forms, isMoved } = options
  const server = await startTestServer()
  const directory = mkdtempSync(join(tmpdir(), 'cms-values-'))
  try {
    const rows = KINDS.flatMap((kind, at) =>
      fc
        .sample(kind.literals, { seed: seed + at, numRuns: count })
        .map((literal, index) => ({ k: at * count + index + 1, kind, literal })),
    )
    const rig: Rig = { server, directory, rows, faults: [] }
    const single = await throughCreate(rig)
    const strict = await throughCreate(rig, { isStrict: true })
    judge(rig, 'create', single.stored)
    judge(rig, 'handling=strict', strict.stored)
    judge(rig, 'DEFAULT', await throughDefault(rig))
    const imports: Record<string, Stored> = {}
    for (const format of FORMATS) imports[format] = await throughImport(rig, format)
    const wrap = (text: string): string => `[${text}]`
    const doors = {
      ...imports,
      list: (await throughCreate(rig, { wrap })).stored,
      bulk: (await throughCreate(rig, { wrap, path: '/bulk' })).stored,
      update: await throughUpdate(rig),
    }
    for (const [door, stored] of Object.entries(doors)) {
      judge(rig, door, stored)
      if (door !== 'csv') compare(rig, door, { stored, expected: single.stored })
    }
    await findAll(rig, single)
    await carryAll(rig, single)
    const imported = imports['csv'] ?? new Map()
    if (forms > 0) await throughArea(rig, { forms, created: single.stored, imported })
    if (isMoved) await throughPlaces(rig, [single, strict])
    return { values: rows.length, accepted: single.stored.size, faults: rig.faults }
  } finally {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
