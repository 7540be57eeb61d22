// npm run admin:types

import { writeFileSync } from 'node:fs'
import { buildTypes, TYPES_PATH } from './interface-types.ts'

writeFileSync(TYPES_PATH, await buildTypes())
console.log(TYPES_PATH)
