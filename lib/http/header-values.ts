// All values of a header as sent.

import type { IncomingMessage } from 'node:http'

/** Node keeps only the first of two headers, but a proxy may have used the second. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const known = rawHeaders[at] ?? ''
    if (known.length === name.length && known.toLowerCase() === name)
      values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
