// Recovery codes: 80 random bits each, so a fast hash is enough, in the digits of Crockford's Base32, which are
// unambiguous on paper: `8f3k-2m9q-x7zt-04wd`.

import { randomBytes } from 'node:crypto'
import { hashSecret } from './secret.ts'

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_DIGITS = 16
const FORM = new RegExp(`^[${DIGITS}]{${CODE_DIGITS}}$`)

export function newRecoveryCode(): string {
  const digits = [...randomBytes(CODE_DIGITS)].map((byte) => DIGITS.charAt(byte % DIGITS.length))
  return digits.join('').replaceAll(/.{4}(?!$)/g, '$&-')
}

/** The hash of a code as typed; undefined if the text is not a recovery code. */
export function hashRecoveryCode(typed: string): string | undefined {
  const digits = typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return FORM.test(digits) ? hashSecret(digits) : undefined
}
