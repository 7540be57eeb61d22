// Parses values of flags that are whole numbers: identifiers and counts.

import { InvalidArgumentError } from 'commander'
import { parseIdentifier } from '../schema/identifier.ts'

export function readCount(text: string): number {
  const value = parseIdentifier(text)
  if (value !== undefined) return value
  throw new InvalidArgumentError('Give a whole number from 1.')
}
