// The check of long texts, which runs in the worker pool.

import type { StmlFault } from '../../schema/stml.ts'

export interface StmlWork {
  check(text: string): Promise<StmlFault | undefined>
}
