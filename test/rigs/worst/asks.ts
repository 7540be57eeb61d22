// The worst requests that each route is asked. A route without one here fails the rig.

import type { Asks } from './ask.ts'
import { CONTENT_ASKS } from './content-asks.ts'
import { MODULE_ASKS } from './module-asks.ts'
import { OTHER_ASKS } from './other-asks.ts'

export const ASKS: Asks = { ...CONTENT_ASKS, ...MODULE_ASKS, ...OTHER_ASKS }
