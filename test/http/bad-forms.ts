// A corpus of upload forms that the server must refuse, with exact bytes. busboy 1.6.0 ignores or truncates
// most of them silently.

import type { FormLimits } from '../../lib/http/form-parser.ts'
import {
  BOUNDARY,
  CUT_HERE,
  FILE,
  FORM_DATA,
  filePart,
  form,
  GOOD,
  ID,
  part,
} from './form-server.ts'

export interface BadForm {
  /** The row of the fault table. */
  readonly row: string
  readonly what: string
  /** Pattern that the detail of the problem must match. */
  readonly reason: RegExp
  readonly body: Buffer | string
}

const file = (disposition: string) => part(`Content-Disposition: ${disposition}`, 'x')
const MANY = (count: number, content: string) => Array(count).fill(content) as string[]

export function badForms(limits: FormLimits): readonly BadForm[] {
  return linesOf(limits).map(([row, what, reason, body]) => ({ row, what, reason, body }))
}

type Line = readonly [row: string, what: string, reason: RegExp, body: Buffer | string]

function linesOf({ maxFieldBytes }: FormLimits): readonly Line[] {
  const tooLong = new RegExp(`"title" is longer than ${maxFieldBytes}`)

  return [
    ...dividedForms(),
    ...silentParts(),
    ...namelessFiles(),
    ['M1', 'empty body', /cut or malformed/, ''],
    ['M1', 'only the closing boundary', /"Filedata" is missing/, form()],
    ['M1', 'no closing boundary', /cut or malformed/, GOOD.subarray(0, -(BOUNDARY.length + 8))],
    ['M1', 'cut in the file', /cut or malformed/, GOOD.subarray(0, CUT_HERE)],
    ['M1', 'cut in a header', /cut or malformed/, GOOD.subarray(0, BOUNDARY.length + 20)],
    ['M1', 'cut after the file', /cut or malformed/, form(FILE, ID).subarray(0, -20)],
    ['M1', 'lines end in LF', /ends in LF alone/, GOOD.toString().replaceAll('\r\n', '\n')],
    ['M1', 'another boundary', /cut or malformed/, GOOD.toString().replaceAll(BOUNDARY, 'other')],
    [
      'M4',
      'no disposition',
      /has no Content-Disposition/,
      form(ID, part('Content-Type: text/plain', 'x')),
    ],
    [
      'M4',
      'attachment',
      /"attachment; .* must be form-data/,
      form(file('attachment; name="Filedata"; filename="a"')),
    ],
    [
      'M4',
      'bad percent in filename*',
      /filename\* that is not UTF-8/,
      form(file("form-data; name=Filedata; filename*=UTF-8''%zz")),
    ],
    [
      'M4',
      'bad charset in filename*',
      /filename\* that is not UTF-8/,
      form(file("form-data; name=Filedata; filename*=nope''a")),
    ],
    ['M4', 'file without a name', /no file name/, form(ID, part('Filedata', 'hello'))],
    [
      'M5',
      'two dispositions',
      /two headers content-disposition/,
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
      /"Filedata" has an empty file name/,
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
    ['M9', 'a second file', /"Filedata" was sent twice/, form(FILE, FILE, ID)],
    [
      'M9',
      'a second file of another name',
      /"other" is not known/,
      form(FILE, filePart('x', 'a', 'other')),
    ],
    [
      'M9',
      'an unknown field behind the file',
      /"other" is not known; known are Filedata, /,
      form(FILE, part('other', 'x')),
    ],
    [
      'M9',
      'the file under another name',
      /"file" is not known: send the file in the part "Filedata", with its file name; known are /,
      form(filePart('x', 'a', 'file')),
    ],
    ['M9', '5,000 equal parts', /twice|over/, form(...MANY(5000, ID))],
    [
      'M9',
      '5,000 parts that are no form-data',
      /must be form-data/,
      form(...MANY(5000, file('attachment'))),
    ],
    [
      'M9',
      '5,000 headers in a part',
      /headers of a part are longer than 16384 bytes/,
      form(part(MANY(5000, 'X-Y: z').join('\r\n'), 'x')),
    ],
    [
      'M9',
      'a header of 100 KB',
      /headers of a part are longer than 16384 bytes/,
      form(FILE, part(`X-Y: ${'z'.repeat(100_000)}`, 'x')),
    ],
    [
      'M11',
      'a field over its limit',
      tooLong,
      form(FILE, part('title', 'x'.repeat(maxFieldBytes + 1))),
    ],
    ['M11', 'a field far over its limit', tooLong, form(part('title', 'x'.repeat(1e6)), FILE)],
    ['M12', 'an id twice', /"asset_category_id" was sent twice/, form(ID, ID, FILE)],
    ['M12', 'an id twice, around the file', /twice/, form(ID, FILE, ID)],
    [
      'M12',
      'an id that is a file',
      /must be a plain field/,
      form(FILE, filePart('12', 'a', 'asset_file_id')),
    ],
    ['M13', 'NUL in the name', /header of a part is malformed/, form(filePart('x', 'a\0b'))],
    [
      'M13',
      'a name that is not UTF-8',
      /name .* of a part or its file is not UTF-8/,
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

const LINE = `--${BOUNDARY}`
const HEAD = `${FORM_DATA}; name="Filedata"; filename="a"`

/** Forms whose boundary two parsers could read in two ways. */
function dividedForms(): readonly Line[] {
  const cut = (content: string) => `${ID}${LINE}\r\n${HEAD}\r\n\r\n${content}\r\n${LINE}--\r\n`
  return [
    ['M1', 'its closing boundary in the content', /after the closing/, cut(`x\r\n${LINE}--\r\ny`)],
    ['M1', 'parts behind the closing boundary', /after the closing/, `${GOOD}${GOOD}`],
    ['M1', 'a part whose lines end in LF', /LF alone/, `${FILE.replaceAll('\r\n', '\n')}${GOOD}`],
    ['M1', 'a longer boundary before the first', /within another line/, `${LINE}x\r\n${GOOD}`],
    ['M1', 'a preamble that ends in no line', /within another line/, `x${GOOD}`],
    [
      'M1',
      'a closing boundary with more behind it',
      /cut or malformed/,
      `${ID}${FILE}${LINE}--x\r\n`,
    ],
    ['M1', 'a closing boundary before LF', /cut or malformed/, `${ID}${FILE}${LINE}--\n`],
    [
      'M1',
      'a boundary with 2,000 blanks',
      /998 spaces/,
      form(ID, FILE.replace(LINE, LINE + ' '.repeat(2_000))),
    ],
    [
      'M4',
      'a boundary among the headers',
      /within the headers/,
      `${LINE}\r\n${HEAD}\r\n${FILE}${GOOD}`,
    ],
    [
      'M4',
      'a boundary right behind headers',
      /directly after the headers/,
      `${LINE}\r\n${HEAD}\r\n\r\n${GOOD}`,
    ],
    ['M4', 'two boundaries in a row', /within the headers|directly after/, `${LINE}\r\n${GOOD}`],
  ]
}

/** Parts with fileState=publish that would have no effect and report no error. */
function silentParts(): readonly Line[] {
  const state = (headers: string) => form(FILE, ID, part(headers, 'publish'))
  const named = `${FORM_DATA}; name="fileState"`
  return [
    [
      'M4',
      'no headers at all',
      /has no Content-Disposition/,
      form(FILE, ID, `${LINE}\r\n\r\npublish\r\n`),
    ],
    [
      'M4',
      'an unclosed quote',
      /malformed or repeats a parameter/,
      state(`${FORM_DATA}; name="fileState`),
    ],
    ['M4', 'a parameter without a value', /malformed or repeats/, state(`${FORM_DATA}; name=`)],
    ['M4', 'a name in quotes with more behind it', /malformed or repeats/, state(`${named}x`)],
    ['M4', 'a header without a colon', /header of a part is malformed/, state(`x\r\n${named}`)],
    [
      'M4',
      'a header with a blank in its name',
      /header of a part is malformed/,
      state(named.replace(':', ' :')),
    ],
    [
      'M4',
      'a header that ends in LF alone',
      /header of a part is malformed/,
      state(`X: y\n${named}`),
    ],
    [
      'M4',
      'another disposition',
      /"form-datax; .* must be form-data/,
      state(named.replace('form-data', 'form-datax')),
    ],
    ['M5', 'its name twice', /repeats a parameter/, state(`${named}; name="title"`)],
    ['M5', 'its equal name twice', /repeats a parameter/, state(`${named}; NAME="fileState"`)],
    [
      'M5',
      'two types',
      /two headers content-type/,
      state(`${named}\r\nContent-Type: text/plain\r\nContent-Type: text/html`),
    ],
    [
      'M5',
      'two encodings',
      /two headers content-encoding/,
      state(`${named}\r\nContent-Encoding: identity\r\nContent-Encoding: gzip`),
    ],
    [
      'M5',
      'an extended name',
      /parameter "name\*": send filename/,
      state(`${named}; name*=UTF-8''title`),
    ],
    ['M6', 'only an extended name', /no name/, state(`${FORM_DATA}; name*=UTF-8''fileState`)],
    [
      'M13',
      'a malformed type',
      /Content-Type of the part "fileState" is malformed/,
      state(`${named}\r\nContent-Type: text`),
    ],
    [
      'M15',
      'base64',
      /"base64": send its bytes without an encoding/,
      state(`${named}\r\nContent-Transfer-Encoding: base64`),
    ],
    [
      'M15',
      'gzip',
      /"gzip": send its bytes without an encoding/,
      state(`${named}\r\nContent-Encoding: gzip`),
    ],
    [
      'M13',
      'quotes of Windows in ISO 8859-1',
      /is not UTF-8/,
      form(
        FILE,
        part(`${FORM_DATA}; name="title"\r\nContent-Type: text/plain; charset=iso-8859-1`, '\x93'),
      ),
    ],
    [
      'M16',
      'a charset for all of them',
      /"_charset_" is not known/,
      form(FILE, ID, part('_charset_', 'iso-8859-1')),
    ],
  ]
}

/** Forms with an empty file name, or with several file names. */
function namelessFiles(): readonly Line[] {
  const named = (names: string) => form(ID, file(`form-data; name="Filedata"; ${names}`))
  const octets = 'filename=""\r\nContent-Type: application/octet-stream'
  return [
    ['M7', 'no file chosen, in a browser', /has an empty file name/, named(octets)],
    ['M7', 'an empty extended name', /has an empty file name/, named("filename*=UTF-8''")],
    ['M5', 'two file names', /repeats a parameter/, named('filename="a"; filename="b"')],
    [
      'M5',
      'an encoded word in Latin 1',
      /encoded words .*send the name itself, in UTF-8/,
      named('filename="=?iso-8859-1?Q?caf=E9.txt?="'),
    ],
    [
      'M5',
      'an encoded word of no UTF-8',
      /encoded words .*send the name itself, in UTF-8/,
      named('filename="=?UTF-8?B?6Q==?="'),
    ],
    [
      'M5',
      'an encoded word that is broken',
      /encoded words .*send the name itself, in UTF-8/,
      named('filename="=?UTF-8?Q?caf=Z9.txt?="'),
    ],
    [
      'M13',
      'an extended name in Latin 1',
      /filename\* that is not UTF-8/,
      named("filename*=ISO-8859-1''%E9"),
    ],
    [
      'M13',
      'an extended name of no UTF-8',
      /filename\* that is not UTF-8/,
      named("filename*=UTF-8''%E9"),
    ],
    [
      'M13',
      'an extended name in quotes',
      /filename\* that is not UTF-8/,
      named('filename*="UTF-8\'\'a"'),
    ],
    [
      'M13',
      'a name in pieces',
      /parameter "filename\*0": send filename/,
      named('filename*0="a"; filename*1="b"'),
    ],
    ['M13', 'blanks without quotes', /malformed or repeats/, named('filename=a b.txt')],
    ['M13', 'letters without quotes', /malformed or repeats/, named('filename=caf\xe9.txt')],
  ]
}
