// The kinds of field for texts of a certain form: EMAIL, URL, COLOR and UUID. Values are stored as given, except that a UUID
// is stored in lower case.
//
// The documents show each form as a pattern. They name no format except uuid, because clients that were generated from
// `format: email` or `format: uri` reject values that are valid here (user@localhost, an address with an umlaut), or change
// them while reading.

import type { TypeCode } from '../../shared/column-types.ts'
import { EMAIL } from '../../shared/email.ts'
import { accept, type Access, type Field, field, refuse, string } from '../field.ts'
import { parseScalar } from '../field-value.ts'

/** Maximum characters. EMAIL: RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const MAX_FORMATTED = { EMAIL: 254, URL: 2_048, COLOR: 9 } as const

/** Whether a type is a text that rejects texts of its length. */
export function isFormatted(type: TypeCode): type is keyof typeof MAX_FORMATTED {
  return Object.hasOwn(MAX_FORMATTED, type)
}

export function emailText<A extends Access>(access: A): Field<string, A> {
  return string(access, {
    description: `An email address of at most ${MAX_FORMATTED.EMAIL} characters.`,
    maxLength: MAX_FORMATTED.EMAIL,
    pattern: EMAIL,
    rule: 'must be an email address, such as ada@example.com',
    example: 'ada@example.com',
  })
}

const HTTP = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\]+$/
const URL_RULE = 'must be an absolute address that begins with http:// or https://, without blanks'

export function urlText<A extends Access>(access: A): Field<string, A> {
  return string(access, {
    description: `An absolute http or https address of at most ${MAX_FORMATTED.URL.toLocaleString('en')} characters.`,
    maxLength: MAX_FORMATTED.URL,
    pattern: HTTP,
    rule: URL_RULE,
    // URL.canParse removes control characters, so they are rejected first.
    check: (value) => (/\p{Cc}/u.test(value) || !URL.canParse(value) ? URL_RULE : undefined),
    example: 'https://example.com/',
  })
}

/** The hexadecimal colors of CSS Color 4, section 5.2. */
const COLOR = /^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/

export function colorText<A extends Access>(access: A): Field<string, A> {
  return string(access, {
    description: 'A color: #rgb, #rrggbb, and with an opacity #rgba or #rrggbbaa.',
    maxLength: MAX_FORMATTED.COLOR,
    pattern: COLOR,
    rule: 'must be a color: #rgb, #rrggbb, #rgba or #rrggbbaa',
    example: '#3366cc',
  })
}

/** A UUID of any version, in any case. Returned in lower case: RFC 9562, section 4. */
export function uuidText<A extends Access>(access: A): Field<string, A> {
  const description = 'A UUID of any version, returned in lower case.'
  const schema = { type: 'string', format: 'uuid' }
  return field(access, schema, 'uuid', { description }, (value) => {
    const uuid = typeof value === 'string' ? parseScalar('uuid', value) : undefined
    return typeof uuid === 'string'
      ? accept(uuid)
      : refuse('must be a UUID, such as 0198c1a2-7b3c-7def-8123-456789abcdef')
  })
}
