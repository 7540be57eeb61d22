// A size in bytes: 12.5 MB, and the exact number as its title.
//
//   <Bytes count={file.size} />

import { useTexts } from '../texts/use-texts.ts'

export function Bytes({ count }: { readonly count: number }) {
  const { formats } = useTexts()
  return <span title={formats.number(count)}>{formats.bytes(count)}</span>
}
