// Every page on a narrow screen in the dark theme.

import { testLooks } from './looks.ts'

testLooks({ colorScheme: 'dark', width: 360, otherWidth: 1_280 })
