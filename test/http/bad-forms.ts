// Upload forms that must be refused, to the byte: a corpus, kept as data. Most of them busboy passes over
// or cuts in silence.

import type { FormLimits } from '../../lib/http/form-parser.ts'
import { BOUNDARY, CUT_HERE, FILE, filePart, form, GOOD, ID, part } from './form-server.ts'

export interface BadForm {
  /** Of the fault table. */
  readonly row: string
  readonly what: string
  /** What the answer must say. */
  readonly reason: RegExp
  readonly body: Buffer | string
}

const file = (disposition: string) => part(`Content-Disposition: ${disposition}`, 'x')
const MANY = (count: number, content: string) => Array(count).fill(content) as string[]

export function badForms(limits: FormLimits): readonly BadForm[] {
  return linesOf(limits).map(([row, what, reason, body]) => ({ row, what, reason, body }))
}

type Line = readonly [row: string, what: string, reason: RegExp, body: Buffer | string]

function linesOf({ maxFieldBytes, maxFields }: FormLimits): readonly Line[] {
  const tooMany = new RegExp(`over ${maxFields + 1} parts`)
  const tooLong = new RegExp(`"title" is longer than ${maxFieldBytes}`)

  return [
    ['M1', 'empty body', /cut or malformed/, ''],
    ['M1', 'only the closing boundary', /"Filedata" is missing/, form()],
    ['M1', 'no closing boundary', /cut or malformed/, GOOD.subarray(0, -(BOUNDARY.length + 8))],
    ['M1', 'cut in the file', /cut or malformed/, GOOD.subarray(0, CUT_HERE)],
    ['M1', 'cut in a header', /cut or malformed/, GOOD.subarray(0, BOUNDARY.length + 20)],
    ['M1', 'cut after the file', /cut or malformed/, form(FILE, ID).subarray(0, -20)],
    ['M1', 'lines end in LF', /cut or malformed/, GOOD.toString().replaceAll('\r\n', '\n')],
    ['M1', 'another boundary', /cut or malformed/, GOOD.toString().replaceAll(BOUNDARY, 'other')],
    [
      'M4',
      'no disposition',
      /"Filedata" is missing/,
      form(ID, part('Content-Type: text/plain', 'x')),
    ],
    ['M4', 'attachment', /is missing/, form(file('attachment; name="Filedata"; filename="a"'))],
    [
      'M4',
      'bad percent in filename*',
      /is missing/,
      form(file("form-data; name=Filedata; filename*=UTF-8''%zz")),
    ],
    [
      'M4',
      'bad charset in filename*',
      /is missing/,
      form(file("form-data; name=Filedata; filename*=nope''a")),
    ],
    [
      'M4',
      'spaces after the boundary',
      /is missing|cut/,
      GOOD.toString().replaceAll(`${BOUNDARY}\r`, `${BOUNDARY} \r`),
    ],
    ['M4', 'file without a name', /no file name/, form(ID, part('Filedata', 'hello'))],
    [
      'M5',
      'two dispositions',
      /"Filedata" is missing/,
      form(
        part(
          'Content-Disposition: form-data; name="title"\r\n' +
            'Content-Disposition: form-data; name="Filedata"; filename="a"',
          'x',
        ),
      ),
    ],
    ['M6', 'a field without a name', /no name/, form(FILE, file('form-data'))],
    ['M6', 'a field with an empty name', /no name/, form(file('form-data; name=""'), FILE)],
    ['M6', 'a file without a part name', /no name/, form(ID, file('form-data; filename="a"'))],
    [
      'M7',
      'an empty file name',
      /"Filedata" has no file name/,
      form(ID, file('form-data; name="Filedata"; filename=""')),
    ],
    [
      'M8',
      'a part name of 10 KB',
      /"n{64}" is not known/,
      form(part('n'.repeat(10_000), 'x'), FILE),
    ],
    [
      'M8',
      'a file part name of 10 KB',
      /"n{64}" is not known/,
      form(filePart('x', 'a', 'n'.repeat(10_000))),
    ],
    ['M9', 'a second file', /"Filedata" is there twice/, form(FILE, FILE, ID)],
    [
      'M9',
      'a second file of another name',
      /"other" is not known/,
      form(FILE, filePart('x', 'a', 'other')),
    ],
    ['M9', '5,000 equal parts', /twice/, form(...MANY(5000, ID))],
    ['M9', '5,000 parts that busboy passes over', tooMany, form(...MANY(5000, file('attachment')))],
    ['M9', 'one part too many', tooMany, form(FILE, ...MANY(maxFields + 1, file('attachment')))],
    [
      'M9',
      '5,000 headers in a part',
      /cut or malformed/,
      form(part(MANY(5000, 'X-Y: z').join('\r\n'), 'x')),
    ],
    [
      'M9',
      'a header of 100 KB',
      /cut or malformed/,
      form(FILE, part(`X-Y: ${'z'.repeat(100_000)}`, 'x')),
    ],
    [
      'M11',
      'a field over its limit',
      tooLong,
      form(FILE, part('title', 'x'.repeat(maxFieldBytes + 1))),
    ],
    ['M11', 'a field far over its limit', tooLong, form(part('title', 'x'.repeat(1e6)), FILE)],
    ['M12', 'an id twice', /"asset_category_id" is there twice/, form(ID, ID, FILE)],
    ['M12', 'an id twice, around the file', /twice/, form(ID, FILE, ID)],
    [
      'M12',
      'an id that is a file',
      /must be a plain field/,
      form(FILE, filePart('12', 'a', 'asset_file_id')),
    ],
    ['M13', 'NUL in the name', /cut or malformed/, form(filePart('x', 'a\0b'))],
    [
      'M13',
      'a name that is not UTF-8',
      /file name .* not UTF-8/,
      form(filePart('x', 'caf\xe9.txt')),
    ],
    [
      'M13',
      'a field that is not UTF-8',
      /"title" is not UTF-8/,
      form(FILE, part('title', 'caf\xe9')),
    ],
    [
      'M13',
      'a field in an unknown charset',
      /"title" is not UTF-8/,
      form(
        FILE,
        part(
          'Content-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=nope',
          'x',
        ),
      ),
    ],
    [
      'M16',
      '__proto__ after the file',
      /"__proto__" is not known/,
      form(FILE, part('__proto__', 'x')),
    ],
    [
      'M16',
      '__proto__ before the file',
      /"__proto__" is not known/,
      form(part('__proto__', 'x'), FILE),
    ],
  ]
}
