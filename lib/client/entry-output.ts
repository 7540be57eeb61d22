// Encodes rows as a file of entries: .csv, .json or .ndjson. The file appears once it is complete.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { jsonWithDigits } from '../base/exact-number.ts'
import { ClientError, reasonOf } from './client-error.ts'
import type { EntryFormat } from './entry-file.ts'
import type { Row } from './entry-row.ts'
import { csvRow, guardFormula } from '../shared/csv-dialect.ts'
import { isTexted, writeValue } from '../shared/value-text.ts'

export interface Encoding {
  readonly format: EntryFormat
  readonly names: readonly string[]
  readonly pages: AsyncIterable<readonly Row[]>
  /** Whether formulas in a CSV file are prefixed with an apostrophe. */
  readonly guardsFormulas?: boolean
  /** Kinds of the columns, for the texts of lists, points and JSON in a CSV file. */
  readonly kinds?: ReadonlyMap<string, string | undefined>
}

export async function* encodeRows(encoding: Encoding): AsyncGenerator<string> {
  const { format, names, pages, guardsFormulas, kinds } = encoding
  const guard = guardsFormulas === true ? guardFormula : undefined
  const toCsv = (row: Row): string =>
    csvRow(
      names.map((name) => cellOf(row[name], kinds?.get(name))),
      { guard },
    )
  if (format === 'csv') yield csvRow(names)
  if (format === 'json') yield '['
  let isFirst = true

  for await (const rows of pages) {
    if (rows.length === 0) continue
    if (format === 'csv') yield rows.map(toCsv).join('')
    else if (format === 'ndjson') yield `${rows.map(jsonWithDigits).join('\n')}\n`
    else yield `${isFirst ? '' : ','}\n${rows.map(jsonWithDigits).join(',\n')}`
    isFirst = false
  }
  if (format === 'json') yield '\n]\n'
}

function cellOf(value: unknown, kind: string | undefined): unknown {
  const isNone = value === null || value === undefined
  return isTexted(kind) && !isNone ? writeValue(kind, value) : value
}

interface WriteOptions {
  readonly signal: AbortSignal
  readonly onBytes?: (bytes: number) => void
}

/** On rejection the target is unchanged. */
export async function writeEntryFile(
  target: string,
  text: AsyncIterable<string> | Iterable<string>,
  { signal, onBytes }: WriteOptions,
): Promise<void> {
  const temporary = join(dirname(target), `.cms-export-${randomUUID()}`)

  async function* measure(): AsyncGenerator<Buffer> {
    for await (const part of text) {
      const bytes = Buffer.from(part)
      onBytes?.(bytes.length)
      yield bytes
    }
  }

  try {
    const file = createWriteStream(temporary, { flags: 'wx', flush: true })
    await pipeline(measure, file, { signal })
    await rename(temporary, target)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ClientError) throw cause
    const detail = `${target} cannot be written: ${reasonOf(cause)}.`
    throw new ClientError('unwritable', detail, { cause })
  } finally {
    await rm(temporary, { force: true })
  }
}
