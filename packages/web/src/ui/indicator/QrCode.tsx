import { useMemo } from 'react'
import { encode } from 'uqr'

/** Quiet zone around the code in modules, as the standard requires. */
const border = 4

/** Draws `data` as a QR code in a single SVG path. */
export function QrCode({ data, name }: { data: string; name: string }) {
  const { path, size } = useMemo(() => draw(data), [data])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  )
}

function draw(data: string) {
  const code = encode(data, { ecc: 'M', border })
  const path = code.data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, size: code.size }
}
