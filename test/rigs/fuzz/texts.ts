// Fuzzers of the languages that people write: pages, columns, recurrence rules and texts of a
// calendar.

import assert from 'node:assert/strict'
import { contentLine, textLine } from '../../../lib/calendar/vtimezone.ts'
import { checkRrule } from '../../../lib/calendar/check-rule.ts'
import { buildRule, parseRule } from '../../../lib/shared/recurrence-rule.ts'
import { CmsError } from '../../../lib/base/errors.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'
import { checkStml, type StmlFault } from '../../../lib/schema/stml.ts'
import { renderStml } from '../../../lib/schema/stml-template.ts'
import ICAL from 'ical.js'
import { makeEntry, occurrencesOf } from '../../calendar/entries.ts'
import { type Fuzzer, shortened } from './engine.ts'
import { isPage } from './stml-reference.ts'

const stml: Fuzzer = {
  name: 'stml',
  dictionary: [
    ...['<div id="dd.0">', '</div>', '<p>', '</p>', '<br>', '</br>', '<br/>', '<!--', '-->', '<!'],
    ...['<![CDATA[', ']]>', '<?php ?>', '<?', '?>', '<script>', '</script', '<!DOCTYPE', '<title>'],
    ...[' id=', '"', "'", '=', '/', '>', '<', '&', '[x]', '{{y}}', '<x:y>', '\ufeff', 'id="dd.1"'],
    ...[
      '[a b="',
      "[a b='",
      '"]',
      "' ]",
      ' c="<p>"',
      '[/a]',
      '{{',
      '}}',
      '{{{',
      '<%',
      '%>',
      ' a="[',
      '/]',
    ],
  ],
  check(input) {
    checkRendered(input)
    const fault = checkStml(input)
    assert.deepEqual(checkStml(input), fault, 'the same page has the same fault')
    assert.equal(isPage(input), fault === undefined, 'the rules written once more say the same')
    if (fault !== undefined) return checkFault(input, fault)

    // Only some things may surround the root.
    assert.equal(checkStml(`\ufeff<!-- a -->${input}\n<?b?>`), undefined)
    for (const wrong of [
      '<p></p>',
      'x',
      '</div>',
      '<!DOCTYPE html>',
      '\0',
      '<div id="dd.0"></div>',
    ])
      assert.notEqual(checkStml(input + wrong), undefined, `${wrong} behind the root`)
    assert.notEqual(
      checkStml(input.slice(0, input.lastIndexOf('>'))),
      undefined,
      'cut in its last tag',
    )
    return `accepted ${Math.min(9, input.split('<').length)}`
  },
}

const RUNS = /<\?(?:php|=|\s)(?:(?!\?>)[^])*/gi

/** Every page is rendered, and no PHP of it is left, whatever stands around it. */
function checkRendered(input: string): void {
  const marked = input.replaceAll(RUNS, (code) => `${code} SECRET `)
  const { bytes } = renderStml(marked)
  assert.ok(bytes.length < 20 * Buffer.byteLength(marked) + 100, 'the rendered page is bounded')
  assert.doesNotMatch(Buffer.from(bytes).toString(), /SECRET/, 'no code is shown')
}

/** A fault has a position in the text and does not depend on text far behind it. */
function checkFault(text: string, { line, column, detail }: StmlFault): string {
  const lines = text.split(/\r\n|\r|\n/)
  assert.ok(line >= 1 && line <= lines.length, 'the line is one of the text')
  // A column may be at the end of a line, and between CR and LF.
  assert.ok(
    column >= 1 && column <= (lines[line - 1] ?? '').length + 2,
    'the column is in the line',
  )
  assert.ok(detail.length < 300, 'the message does not grow with the page')
  return shortened(detail)
}

const schema: Fuzzer = {
  name: 'schema',
  dictionary: [
    ...[
      ', ',
      'title C(255)',
      ' NOTNULL',
      ' NULL',
      ' DEFAULT ',
      "''",
      '""',
      '``',
      '(',
      ')',
      'N(10.2)',
    ],
    ...[' UNIQUE', ' KEY', ' AUTO', ' INDEX ', ' UNSIGNED', ' DEFDATE', ' DEFTIMESTAMP', 'X(XL)'],
    ...["ENUM('a','b')", ' I8', ' L', ' TS', ' F', ' D', 'datatable_entry_id I KEY', '65535', '-1'],
    ...['__proto__', 'constructor', 'é', '\0', ' NOT NULL', '1.5', 'varchar(20)', "'it''s'"],
  ],
  check(input) {
    const columns = columnsOf(input)
    if (typeof columns === 'string') return columns
    const written = columns.map(columnText).join(', ')
    assert.deepEqual(columnsOf(written), columns, written)
    return `${columns.map(({ type }) => type).slice(0, 4)} ${columns.length > 4}`
  },
}

const RESERVED = new Set(['datatable_entry_id', 'date_added', 'date_modified', 'owner'])

function columnsOf(text: string): readonly Column[] | string {
  try {
    return parseTableSchema(text, RESERVED).columns
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== 'invalid-content') throw error
    const { errors = [] } = error.facts
    assert.ok(errors.length > 0 && errors.every(({ pointer }) => pointer === '/table_schema'))
    return shortened(errors[0]?.detail ?? '')
  }
}

/** Returns the shortest text of the column. */
function columnText(column: Column): string {
  const { name, type, size, scale, values } = column
  const words = [name, `${type}${sizeText({ size, scale, values })}`]
  if (column.isUnsigned) words.push('UNSIGNED')
  if (column.isAuto === true) words.push('AUTO')
  else if (column.isUnique === true) words.push('UNIQUE')
  if (column.isRequired && column.isAuto !== true) words.push('NOTNULL')
  if (typeof column.default === 'object') words.push('DEFTIMESTAMP')
  else if (column.default !== undefined) words.push('DEFAULT', inQuotes(String(column.default)))
  return words.join(' ')
}

function sizeText({
  size,
  scale,
  values,
}: { [K in 'size' | 'scale' | 'values']: Column[K] | undefined }): string {
  if (values !== undefined) return `(${values.map(inQuotes).join().replaceAll(')', '))')})`
  if (size === undefined) return ''
  return scale === undefined ? `(${size})` : `(${size}.${scale})`
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const RULE_WORDS = [
  ...['FREQ=', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', ';', ',', '=', 'UNTIL=20301231', 'COUNT=3'],
  ...['INTERVAL=2', 'BYDAY=MO', '-1FR', '+2TU', 'BYMONTHDAY=-1', 'BYYEARDAY=366', 'BYWEEKNO=53'],
  ...[
    'BYMONTH=2',
    'BYSETPOS=-1',
    'BYHOUR=1,2',
    'BYMINUTE=0',
    'BYSECOND=59',
    'WKST=SU',
    '0',
    '10000',
  ],
]

const rule: Fuzzer = {
  name: 'rule',
  dictionary: RULE_WORDS,
  check(input) {
    const fault = checkRrule(input)
    if (fault !== undefined) return shortened(fault)

    const parts = parseRule(input)
    const written = buildRule(parts)
    assert.equal(checkRrule(written), undefined, written)
    assert.deepEqual(parseRule(written), parts)
    const other = ICAL.Recur.fromString(written)
    assert.equal(other.freq, parts.get('FREQ'))
    assert.equal(
      other.count ?? undefined,
      parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined,
    )
    assert.equal(other.interval, Number(parts.get('INTERVAL') ?? 1))
    return [...parts.keys()].sort().join()
  },
}

const ENTRY = {
  start_time: '2026-01-31T02:30:00.000Z',
  end_time: '2026-01-31T03:30:00.000Z',
  all_day: false,
}
const WINDOW = { fromMs: Date.parse('2026-01-01'), toMs: Date.parse('2028-01-01') }
const MAX_OCCURRENCES = 60

const occurrences: Fuzzer = {
  name: 'occurrences',
  dictionary: RULE_WORDS,
  check(input) {
    if (checkRrule(input) !== undefined) return 'refused'
    const entry = makeEntry({ ...ENTRY, rrule: input })
    const found = occurrencesOf(entry, 'Europe/Berlin', WINDOW, MAX_OCCURRENCES)
    const starts = found.map(({ start }) => start)
    assert.equal(starts[0], ENTRY.start_time, 'the entry itself comes first')
    assert.deepEqual(starts.toSorted(), starts, 'in their order')
    assert.equal(new Set(starts).size, starts.length, 'each once')
    const { from, to } = { from: WINDOW.fromMs, to: WINDOW.toMs }
    assert.ok(starts.every((start) => Date.parse(start) >= from && Date.parse(start) < to))
    const count = Number(parseRule(input).get('COUNT') ?? MAX_OCCURRENCES)
    assert.ok(starts.length <= Math.max(1, count), 'no more than COUNT')
    return `${starts.length}`
  },
}

const lines: Fuzzer = {
  name: 'ical-line',
  dictionary: [
    '\r\n',
    '\n',
    '\r',
    '\\',
    ';',
    ',',
    'é',
    '😀',
    '\0',
    'x'.repeat(75),
    '\u2028',
    ':',
    ' ',
  ],
  check(input) {
    const plain = input.toWellFormed().replace(/[\r\n]/g, '')
    for (const text of [contentLine('X', plain), textLine('X', input)]) {
      assert.ok(text.endsWith('\r\n'))
      const pieces = text.slice(0, -2).split('\r\n')
      assert.ok(pieces.every((line) => Buffer.byteLength(line) <= 75 && line.isWellFormed()))
      assert.ok(pieces.slice(1).every((line) => line.startsWith(' ')))
    }
    const [, value = ''] = unfold(textLine('X', input)).split(/^X:/)
    const kept = input
      .toWellFormed()
      .replace(/\r\n|\r/g, '\n')
      .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    assert.equal(unescape(value), kept)
    return `${value.length > 73} ${value.length === input.length}`
  },
}

function unfold(text: string): string {
  return text.slice(0, -2).replaceAll('\r\n ', '')
}

function unescape(value: string): string {
  return value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

export const textFuzzers: readonly Fuzzer[] = [stml, schema, rule, occurrences, lines]
