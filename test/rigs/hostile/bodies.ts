// Bodies that no client should send, with the permitted statuses of each body.

import { gzipSync } from 'node:zlib'

export interface HostileBody {
  readonly name: string
  readonly path: string
  readonly type?: string
  readonly headers?: readonly string[]
  /** Generated on first use and kept. */
  readonly body: () => Buffer
  readonly statuses: readonly number[]
  /** Sent in chunks, without a length. */
  readonly isChunked?: boolean
}

const MIB = 1024 * 1024
const JSON_TYPE = 'application/json'
const FILE = '/api/v2/asset_file'
const FOLDER = '/api/v2/asset_category'

const text = (value: string) => (): Buffer => Buffer.from(value)
const keysOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`

const json = (
  name: string,
  body: () => Buffer,
  statuses: readonly number[],
  more: Partial<HostileBody> = {},
): HostileBody => ({ name, path: FILE, type: JSON_TYPE, body, statuses, ...more })

const JSON_BODIES: readonly HostileBody[] = [
  json('a million levels', () => Buffer.alloc(1_000_000, '['), [400]),
  json('33 levels of objects', text(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`), [400]),
  json('1,001 keys', text(keysOf(1_001)), [400]),
  json('100,000 keys', text(keysOf(100_000)), [400]),
  json('a key twice', text('{"name":"a","name":"b"}'), [400]),
  json('a key of the prototype', text('{"__proto__":{"name":"a"},"name":"b"}'), [400, 422]),
  json('numbers that cannot be kept', text('{"name":1e999,"sort":9007199254740993}'), [400, 422]),
  json('no JSON', text("{name:'a'}"), [400]),
  json('nothing', text(''), [400]),
  json('the half of it', text('{"name":"a'), [400]),
  json('bytes that are no UTF-8', () => Buffer.from([0x22, 0xff, 0xfe, 0x22]), [400]),
  json('UTF-16', () => Buffer.from('\ufeff{"name":"a"}', 'utf16le'), [400]),
  json('a lone surrogate', text(String.raw`{"name":"\ud800"}`), [400, 422]),
  json('gzip', () => gzipSync('{"name":"a"}'), [415], { headers: ['Content-Encoding: gzip'] }),
  json('another charset', text('{"name":"a"}'), [415], {
    type: 'application/json; charset=latin1',
  }),
  json('no media type that is known', text('<a/>'), [415], { type: 'text/xml' }),
  json('more than there may be', () => Buffer.alloc(18 * MIB, ' '), [413]),
  json('more than there may be, in chunks', () => Buffer.alloc(18 * MIB, ' '), [413], {
    isChunked: true,
  }),
  json('more than a record may have', () => Buffer.alloc(2 * MIB, ' '), [413], { path: FOLDER }),
  json(
    'a page of 15 MiB that cannot be saved',
    () => Buffer.from(JSON.stringify({ name: 5, pageContent: 'x'.repeat(15 * MIB) })),
    [422],
  ),
  json(
    'a list of 300,000 keys for a file',
    () => Buffer.from(`[${keysOf(200_000)}]`),
    [400, 413, 422],
  ),
]

const deep = (levels: number): string => `${'{"$not":'.repeat(levels)}{}${'}'.repeat(levels)}`
const SEARCH = { path: `${FILE}/search` }

/** Bodies of routes that take no records: searches, lists, tickets, webhooks. */
const OTHER_BODIES: readonly HostileBody[] = [
  json('a search of 200 KiB', text(`{"table_filter":"${'x'.repeat(200_000)}"}`), [413], SEARCH),
  json('a search of 30 levels', text(`{"qry":${deep(29)}}`), [400, 422], SEARCH),
  json('a search of 501 conditions', text(`{"qry":${keysOf(501)}}`), [400, 422], SEARCH),
  json(
    'a search by a pattern that is large',
    text(String.raw`{"qry":{"name":{"$regex":"(\\pL{1,999}){99}"}}}`),
    [400, 422],
    SEARCH,
  ),
  json('a list of what is no record', text(`[${'1,'.repeat(99)}1]`), [422], {
    path: `${FILE}/bulk`,
  }),
  json('a list of 51 files', text(`[${'{},'.repeat(50)}{}]`), [422], { path: `${FILE}/bulk` }),
  json('a ticket for somewhere else', text('{"path":"//evil.example/file/1/x"}'), [400, 422], {
    path: '/api/v2/ticket',
  }),
  json('a ticket for a long address', text(`{"path":"/file/1/${'x'.repeat(7_000)}"}`), [400, 422], {
    path: '/api/v2/ticket',
  }),
  json(
    'a webhook to the machine itself',
    text('{"name":"w","url":"http://169.254.169.254/latest"}'),
    [400, 422],
    { path: '/api/v2/webhook' },
  ),
]

const FORM_TYPE = 'multipart/form-data; boundary=x'
const part = (name: string, value: string, more = ''): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const FOLDER_PART = part('asset_category_id', '1')
const FILE_PART = part('Filedata', 'bytes', '; filename="a.bin"')

const form = (
  name: string,
  body: string,
  statuses: readonly number[],
  more: Partial<HostileBody> = {},
): HostileBody => ({
  name: `a form ${name}`,
  path: '/upload',
  type: FORM_TYPE,
  body: text(body),
  statuses,
  ...more,
})

const FORMS: readonly HostileBody[] = [
  form('without its end', FOLDER_PART + FILE_PART, [400]),
  form('without a file', `${FOLDER_PART}--x--\r\n`, [400]),
  form('with two files', `${FOLDER_PART}${FILE_PART}${FILE_PART}--x--\r\n`, [400]),
  form('with 5,000 parts', `${part('name', 'a').repeat(5_000)}--x--\r\n`, [400]),
  form('with a part name of 10 KB', `${part('n'.repeat(10_000), 'a')}--x--\r\n`, [400]),
  form('with a field of 100 KB', `${part('title', 'a'.repeat(100_000))}--x--\r\n`, [400]),
  form(
    'for a folder that is none',
    `${part('asset_category_id', '0x1')}${FILE_PART}--x--\r\n`,
    [400],
  ),
  form(
    'for a folder that is not there',
    `${part('asset_category_id', '99')}${FILE_PART}--x--\r\n`,
    [404, 409, 422],
  ),
  form('with another boundary', `${FOLDER_PART}${FILE_PART}--x--\r\n`, [400], {
    type: 'multipart/form-data; boundary=y',
  }),
  form('without a boundary', FOLDER_PART, [400, 415], { type: 'multipart/form-data' }),
  form('that is urlencoded', 'asset_category_id=1&Filedata=x', [415], {
    type: 'application/x-www-form-urlencoded',
  }),
  form(
    'with a large file and no folder',
    `${part('Filedata', 'x'.repeat(MIB), '; filename="a"')}--x--\r\n`,
    [400],
  ),
]

export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...JSON_BODIES,
  ...OTHER_BODIES,
  ...FORMS,
].map((item) => {
  let bytes: Buffer | undefined
  return { ...item, body: () => (bytes ??= item.body()) }
})
