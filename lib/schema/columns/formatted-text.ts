// The kinds of field for texts of a certain form: EMAIL, URL, COLOR and UUID. Values are stored as given, except that a UUID
// is stored in lower case.
//
// The documents show each form as a pattern. They name no format except uuid, because clients that were generated from
// `format: email` or `format: uri` reject values that are valid here (user@localhost, an address with an umlaut), or change
// them while reading.

import type { FormattedType, TypeCode } from '../../shared/column-types.ts'
import { EMAIL } from '../../shared/email.ts'
import { accept, type Access, type Field, field, refuse, type string } from '../field.ts'
import { parseScalar } from '../field-value.ts'

type Form = Parameters<typeof string>[1] & { readonly maxLength: number }

const HTTP = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\]+$/
const URL_RULE = 'must be an absolute address that begins with http:// or https://, without blanks'
const MAX_URL = 2_048
/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL = 254
/** The hexadecimal colors of CSS Color 4, section 5.2. */
const COLOR = /^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/

/** The form of each type; maxLength counts characters. */
export const FORMS: Readonly<Record<FormattedType, Form>> = {
  EMAIL: {
    description: `An email address of at most ${MAX_EMAIL} characters.`,
    maxLength: MAX_EMAIL,
    pattern: EMAIL,
    rule: 'must be an email address, such as ada@example.com',
    example: 'ada@example.com',
  },
  URL: {
    description: `An absolute http or https address of at most ${MAX_URL.toLocaleString('en')} characters.`,
    maxLength: MAX_URL,
    pattern: HTTP,
    rule: URL_RULE,
    // URL.canParse removes control characters, so they are rejected first.
    check: (value) => (/\p{Cc}/u.test(value) || !URL.canParse(value) ? URL_RULE : undefined),
    example: 'https://example.com/',
  },
  COLOR: {
    description: 'A color: #rgb, #rrggbb, and with an opacity #rgba or #rrggbbaa.',
    maxLength: 9,
    pattern: COLOR,
    rule: 'must be a color: #rgb, #rrggbb, #rgba or #rrggbbaa',
    example: '#3366cc',
  },
}

/** Whether a type is a text of a certain form. */
export function isFormatted(type: TypeCode): type is FormattedType {
  return Object.hasOwn(FORMS, type)
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
