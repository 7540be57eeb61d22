// The task that matches a pattern with one text.

import { compilePattern } from '../schema/match.ts'

export interface MatchPattern {
  readonly pattern: string
  readonly ignoresCase: boolean
  readonly text: string
}

export function matchPattern({ pattern, ignoresCase, text }: MatchPattern): boolean {
  return compilePattern(pattern, ignoresCase)(text)
}
