// A size such as 12.5 MB, with the exact number of bytes as its tooltip.
//
//   <Bytes count={file.size} />

import { useTexts } from '../texts/use-texts.ts'

export function Bytes({ count }: { readonly count: number }) {
  const { formats } = useTexts()
  return <span title={formats.number(count)}>{formats.bytes(count)}</span>
}
