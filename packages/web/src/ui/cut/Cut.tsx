import { type CutShape, cutArea, teethFrom } from './cutGeometry.ts'

interface CutProps {
  /** Digits that determine the teeth; for a connection, its safety number. */
  digits: string
  shape: CutShape
  /** Size of the drawing, which the style sheet then stretches. */
  length: number
  depth: number
  className: string
  vertical?: boolean
}

/** One side of the cut, filled with the current colour from the line to the far edge. */
export function Cut({ digits, shape, length, depth, className, vertical = false }: CutProps) {
  const teeth = teethFrom(digits, shape, length)
  return (
    <svg
      className={className}
      viewBox={vertical ? `0 0 ${depth} ${length}` : `0 0 ${length} ${depth}`}
      preserveAspectRatio={vertical ? 'xMaxYMin slice' : 'xMinYMid slice'}
      aria-hidden="true"
    >
      <path fill="currentColor" d={cutArea(teeth, shape.mid, depth + 2, vertical)} />
    </svg>
  )
}
