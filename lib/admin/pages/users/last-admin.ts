// The server requires at least one administrator.

import { Problem } from '../../client/problem.ts'

export function isLastAdmin(error: unknown): boolean {
  return error instanceof Problem && error.code === 'in-use'
}
