// Lists keys synchronously for callers that cannot await: run as a child process with the options
// of plain-s3.ts and a prefix as JSON.

import { openPlain, type PlainStore } from './plain-s3.ts'

const { store, prefix } = JSON.parse(process.argv[2] ?? '') as { store: PlainStore; prefix: string }
console.log(JSON.stringify(await openPlain(store).keysUnder(prefix)))
