// A text as a pattern that a camera reads: dark on light in both themes, as not every camera reads the other way round.
// What draws it is loaded when it is shown first.
//
//   <QrCode text={shown.uri} label={t.secondFactor.qrCode} />

import { useRequest } from './use-request.ts'

export interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** Light squares around it, by the standard. */
const BORDER = 4

export function QrCode({ text, label }: QrCodeProps) {
  const { data } = useRequest(() => readPattern(text), [text])
  const size = data?.size ?? 1
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      {data !== undefined && <path d={data.path} />}
    </svg>
  )
}

async function readPattern(text: string) {
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: squares.join('') }
}
