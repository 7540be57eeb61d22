// What the check of a long text leaves to the pool of workers.

import type { StmlFault } from '../../schema/stml.ts'

export interface StmlWork {
  check(text: string): Promise<StmlFault | undefined>
}
