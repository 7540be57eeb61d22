// A text as a QR code: dark on light in both themes, because some cameras cannot read inverted codes. The encoder is
// loaded on demand.
//
//   <QrCode text={shown.uri} label={t.secondFactor.qrCode} />

import { useRequest } from './use-request.ts'

export interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The quiet zone that the standard requires. */
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
