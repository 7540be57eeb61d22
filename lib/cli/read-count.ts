// Values of flags that are whole numbers: identifiers, and how many of something.

import { InvalidArgumentError } from 'commander'

export function readCount(text: string): number {
  const value = Number(text)
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('Give a whole number from 1.')
}
