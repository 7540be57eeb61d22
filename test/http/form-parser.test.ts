import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import type { ErrorCode } from '../../lib/base/errors.ts'
import { badForms } from './bad-forms.ts'
import {
  assertRefused,
  BOUNDARY,
  CUT_HERE,
  FILE,
  FORM,
  FORM_DATA,
  filePart,
  form,
  GOOD,
  ID,
  LIMITS,
  part,
  sendForm,
  sha256,
  utf8Form,
} from './form-server.ts'

test('the parts of a form are accepted in any order and in any chunks', async () => {
  const parts = [ID, FILE, part('title', 'A title'), part('name', ''), part('asset_file_id', '7')]

  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(parts, { minLength: parts.length }),
      fc.integer({ min: 1, max: 200 }),
      async (shuffled, pieceBytes) => {
        const outcome = await sendForm({ body: form(...shuffled), pieceBytes })

        assert.deepEqual(outcome.error, undefined)
        assert.deepEqual(outcome.fields, {
          asset_category_id: '12',
          title: 'A title',
          name: '',
          asset_file_id: '7',
        })
        assert.deepEqual(outcome.file, { sizeBytes: 5, sha256: sha256('hello') })
        assert.equal(outcome.fileName, 'a.txt')
        assert.deepEqual(outcome.dropped, [])
        assert.deepEqual(outcome.listenersAfter, outcome.listenersBefore)
      },
    ),
    { numRuns: 30 },
  )
})

test('bytes after the closing boundary are not a part, in any chunks', async () => {
  for (const epilogue of [
    '\r\n',
    '--',
    ' \t',
    '\r\nno more\r\n--x-boun',
    `\r\n${'-'.repeat(100_000)}`,
  ]) {
    const body = Buffer.concat([GOOD.subarray(0, -2), Buffer.from(`\r\n${epilogue}`)])
    for (const pieceBytes of [body.length, 64, 1].filter((size) => body.length / size < 2_000)) {
      const outcome = await sendForm({ body, pieceBytes })
      assert.equal(outcome.error, undefined)
      assert.deepEqual([outcome.streams, outcome.fields?.['title']], [1, undefined])
      assert.deepEqual(outcome.listenersAfter, outcome.listenersBefore)
    }
  }
})

const BOUNDARY_LINE = new RegExp(`\r\n--${BOUNDARY}(?:--)?[\t ]*\r\n`)

test('any bytes of a file arrive as they were sent', async () => {
  const piece = fc.constantFrom(
    '\r\n',
    '--',
    BOUNDARY,
    `\r\n--${BOUNDARY.slice(0, 4)}`,
    '\0',
    'ÿ',
    '-',
    `\r\n--${BOUNDARY}R`,
    `\r\n--${BOUNDARY} x`,
    `\r\n--${BOUNDARY}--x`,
    `\r\n--${BOUNDARY}\n`,
    `\n--${BOUNDARY}\r\n`,
  )

  await fc.assert(
    fc.asyncProperty(
      fc.array(piece),
      fc.integer({ min: 1, max: 50 }),
      async (pieces, pieceBytes) => {
        const content = pieces.join('')
        fc.pre(!BOUNDARY_LINE.test(`\r\n${content}\r\n`))
        const outcome = await sendForm({ body: form(filePart(content), ID), pieceBytes })

        assert.equal(
          outcome.file?.sha256,
          sha256(Buffer.from(content, 'latin1')),
          `${outcome.error}`,
        )
      },
    ),
    { numRuns: 30 },
  )
})

const NAMED = `${FORM_DATA}; name="Filedata"`
const TITLE = `${FORM_DATA}; name="title"\r\nContent-Type: text/plain`

/** The parameter in the header as clients send it, and the decoded name. */
const NAMES: readonly (readonly [sent: string, name: string])[] = [
  ['"a%22b.txt"', 'a"b.txt'],
  ['"a%0D%0Ab.txt"', 'a\r\nb.txt'],
  ['"a%0d%0ab.txt"', 'a%0d%0ab.txt'],
  ['"100%25%20%.txt"', '100%25%20%.txt'],
  ['a%22b.txt', 'a%22b.txt'],
  ['"a\\b.txt"', 'a\\b.txt'],
  ['"a\\\\b.txt"', 'a\\\\b.txt'],
  ['"end\\"', 'end\\'],
  ['"a\\%22b.txt"', 'a\\"b.txt'],
  // Quoted pairs of RFC 2616, as curl --form-escape and Go send them.
  ['"a\\"b.txt"', 'a"b.txt'],
  ['"a\\\\\\"b.txt"', 'a\\"b.txt'],
  ['"C:\\dir\\a.txt"', 'C:\\dir\\a.txt'],
  ['"../../a.txt"', '../../a.txt'],
  ['".."', '..'],
  ['"a;b=c.txt"', 'a;b=c.txt'],
  ['"é\u202e😀\ufffd.txt"', 'é\u202e😀\ufffd.txt'],
  ['"\ufeffa.txt"', '\ufeffa.txt'],
]

const named = (parameter: string) => utf8Form(part(`${NAMED}; ${parameter}`, 'hello'))

const ACCEPTED: readonly (readonly [
  name: string,
  body: Buffer | string,
  fileName?: string | undefined,
])[] = [
  ['an empty file', form(filePart(''), ID)],
  [
    'a file without a name, by its type',
    form(
      part(
        'Content-Disposition: form-data; name=Filedata\r\nContent-Type: application/octet-stream',
        '',
      ),
    ),
    undefined,
  ],
  [
    'a preamble and an epilogue',
    Buffer.concat([Buffer.from(`${'p'.repeat(1e6)}\r\n`), GOOD, Buffer.from('e'.repeat(1e6))]),
  ],
  [
    'a transfer encoding that changes nothing',
    form(part(`${NAMED}; filename="a.txt"\r\nContent-Transfer-Encoding: Binary`, 'hello')),
  ],
  ['an unknown header', form(part(`X-Y: z\r\n${NAMED}; filename="a.txt"`, 'hello'))],
  ['headers in two lines', form(part(`${NAMED};\r\n filename="a.txt"`, 'hello'))],
  ['2,001 headers', form(part(`${'a:\r\n'.repeat(2_001)}${NAMED}; filename="a.txt"`, 'hello'))],
  [
    'padding after the boundaries',
    form(ID, FILE)
      .toString()
      .replaceAll(/(x-boundary(--)?)/g, '$1 \t'),
  ],
  ['no final line ending', GOOD.subarray(0, -2)],
  ['a charset of plain ASCII', form(FILE, part(`${TITLE}; charset=US-ASCII`, 'T'))],
  ['a nested form, kept as sent', form(filePart('--inner\r\n\r\nx\r\n--inner--'))],
  ['a field of exactly the limit', form(FILE, part('title', 'x'.repeat(LIMITS.maxFieldBytes)))],
  ...NAMES.map(([sent, name]) => [sent, named(`filename=${sent}`), name] as const),
  ['a file name of .NET', named(`filename="=?utf-8?B?w6k=?="; filename*=utf-8''%C3%A9`), 'é'],
  [
    'an ASCII fallback beside an extended name',
    named("filename=euro.txt; filename*=UTF-8''%E2%82%AC.txt"),
    '€.txt',
  ],
  [
    'the names of Spring',
    named('filename="=?UTF-8?Q?=C3=A9.txt?="; filename*=UTF-8\'\'%C3%A9.txt'),
    'é.txt',
  ],
  [
    'a fallback in Latin 1 beside an extended name',
    named('filename="\xe9.txt"; filename*=UTF-8\'\'%C3%A9.txt'),
    'é.txt',
  ],
  ['an encoded word in base64', named('filename="=?utf-8?B?w6kudHh0?="'), 'é.txt'],
  [
    'an encoded word that is quoted-printable',
    named('filename="=?UTF-8?Q?Preise_f=C3=BCr_10%25=3F.txt?="'),
    'Preise für 10%25?.txt',
  ],
  [
    'encoded words that split a character',
    named('filename="=?utf-8?B?w6nD?= =?UTF-8?Q?=A9.txt?="'),
    'éé.txt',
  ],
  [
    'a name with an encoded word in it',
    named('filename="a =?utf-8?B?w6k=?=.txt"'),
    'a =?utf-8?B?w6k=?=.txt',
  ],
  [
    'an extended name',
    form(
      part("Content-Disposition: form-data; name=Filedata; filename*=UTF-8''%E2%82%AC.txt", 'x'),
    ),
    '€.txt',
  ],
  ['an extended name with its language', named("filename*=utf-8'de-AT'%C3%A9"), 'é'],
]

test('unusual but valid forms are accepted', async () => {
  for (const [name, body, ...fileName] of ACCEPTED) {
    const outcome = await sendForm({ body })
    assert.equal(outcome.error, undefined, name)
    assert.equal(outcome.streams, 1)
    assert.equal(outcome.fileName, fileName.length === 0 ? 'a.txt' : fileName[0], name)
  }
})

const REFUSED = badForms(LIMITS)

test('every bad form is refused with the reason, and keeps no file', async () => {
  for (const { what: name, reason, body } of REFUSED) {
    const outcome = await sendForm({ body })
    assertRefused(outcome, 'bad-multipart', reason, name)
    assert.ok(outcome.streams <= 1, name)
  }
})

test('an invalid form gets the same error in small chunks', async () => {
  for (const { what: name, reason, body } of REFUSED) {
    if (body.length > 2000) continue
    const outcome = await sendForm({ body, pieceBytes: 7 })
    assertRefused(outcome, 'bad-multipart', reason, name)
  }
})

const CONTENT_TYPES: readonly (readonly [type: string, code: ErrorCode])[] = [
  ['', 'unsupported-media-type'],
  ['application/json', 'unsupported-media-type'],
  ['application/x-www-form-urlencoded', 'unsupported-media-type'],
  ['multipart/mixed; boundary=x', 'unsupported-media-type'],
  ['multipart/form-data2; boundary=x', 'unsupported-media-type'],
  ['text/plain; multipart/form-data; boundary=x', 'unsupported-media-type'],
  ['multipart/form-data', 'bad-multipart'],
  ['multipart/form-data;', 'bad-multipart'],
  ['multipart/form-data; boundary=', 'bad-multipart'],
  ['multipart/form-data; boundary=a b', 'bad-multipart'],
  ['multipart/form-data; boundary="x', 'bad-multipart'],
  ['multipart/form-data; charset=utf-8', 'bad-multipart'],
  ['multipart/form-data; boundary=y; boundary=x-boundary', 'bad-multipart'],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'bad-multipart'],
  ['multipart/form-data; boundary=x-boundary; boundary=x-boundary', 'bad-multipart'],
  ['multipart/form-data; boundary=x-boundary; Boundary=y', 'bad-multipart'],
  ['multipart/form-data; boundary="x-boundary "', 'bad-multipart'],
  ['multipart/form-data; boundary="x-boundary"y', 'bad-multipart'],
  ['multipart/form-data; boundary=x-boundary, multipart/form-data', 'bad-multipart'],
  ['multipart/form-data; x; boundary=x-boundary', 'bad-multipart'],
  [`${FORM}\r\nContent-Type: text/plain`, 'bad-multipart'],
]

test('a content type that is not a form with a boundary is refused', async () => {
  for (const [contentType, code] of CONTENT_TYPES) {
    assertRefused(await sendForm({ body: GOOD, contentType }), code, /./, contentType)
  }
})

test('the content type is read without regard to case, and with a quoted boundary', async () => {
  for (const contentType of [
    `Multipart/Form-Data ; Boundary="${BOUNDARY}"`,
    'multipart/form-data;; x="\\"; boundary=y"; boundary="x\\-bound\\ary";',
    `${FORM}; charset=utf-8`,
  ]) {
    assert.equal((await sendForm({ body: GOOD, contentType })).error, undefined, contentType)
  }
})

test('a boundary may contain characters that are invalid in header names', async () => {
  for (const boundary of ["a b'()+_,-./:=?x", 'x'.repeat(70), '--', 'a:b']) {
    const body = GOOD.toString('latin1').replaceAll(BOUNDARY, boundary)
    const contentType = `multipart/form-data; boundary="${boundary}"`
    const outcome = await sendForm({ body, contentType })
    assert.deepEqual([outcome.error, outcome.fileName], [undefined, 'a.txt'], boundary)
  }
})

test('a closed connection ends the form at any position', async () => {
  const places = [0, 10, BOUNDARY.length + 20, GOOD.indexOf('12') + 1, CUT_HERE, GOOD.length - 8]

  for (const at of places) {
    const body = GOOD.subarray(0, at)
    const outcome = await sendForm({ body, contentLength: GOOD.length, abort: true })
    assertRefused(outcome, 'bad-multipart', /connection closed/, `after ${at} bytes`)
  }
})

test('a body longer than its Content-Length is truncated to it', async () => {
  const outcome = await sendForm({ body: GOOD, contentLength: CUT_HERE })

  assertRefused(outcome, 'bad-multipart', /cut or malformed/, 'declared too short')
})

test('a body over its limit ends the form, even before the first part', async () => {
  const limits = { ...LIMITS, maxBodyBytes: 1000 }
  const preamble = Buffer.concat([Buffer.alloc(2000, 'p'), Buffer.from('\r\n'), GOOD])

  assertRefused(await sendForm({ body: preamble, limits }), 'too-large', /1000 bytes/, 'preamble')
  assert.equal((await sendForm({ body: GOOD, limits })).error, undefined)

  const exact = { ...LIMITS, maxBodyBytes: GOOD.length }
  assert.equal((await sendForm({ body: GOOD, limits: exact })).error, undefined)
  const less = { ...LIMITS, maxBodyBytes: GOOD.length - 1 }
  assertRefused(await sendForm({ body: GOOD, limits: less }), 'too-large', /bytes/, 'a byte over')
})
