// fast-check, configured with the seed of the test run.

import fc from 'fast-check'
import { SEED } from './seed.ts'

fc.configureGlobal({ seed: SEED })

export { fc }
