// Lists for who cannot wait for an answer: run as a child, with what plain-s3.ts wants and a prefix as JSON.

import { openPlain, type PlainStore } from './plain-s3.ts'

const { store, prefix } = JSON.parse(process.argv[2] ?? '') as { store: PlainStore; prefix: string }
console.log(JSON.stringify(await openPlain(store).keysUnder(prefix)))
