// Every page on a wide screen, light.

import { testLooks } from './looks.ts'

testLooks({ colorScheme: 'light', width: 1_280, otherWidth: 360 })
