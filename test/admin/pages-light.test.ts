// Every page on a wide screen in the light theme.

import { testLooks } from './looks.ts'

testLooks({ colorScheme: 'light', width: 1_280, otherWidth: 360 })
