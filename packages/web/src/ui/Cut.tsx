import { type CutShape, cutArea, cutLine, raisedTeeth, teethFrom, toPath } from './cutGeometry.ts'

interface CutProps {
  /** Any digits; inside a connection those of the safety number. */
  digits: string
  shape: CutShape
  /** Length and depth of the drawing, which is then stretched by the style sheet. */
  length: number
  depth: number
  className: string
  vertical?: boolean
}

/** One half along the cut, filled with the current colour from the line to the far edge. */
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

/** The lower edge of a sheet: sheet above, desk in the raised teeth, and the line itself. */
export function CutEdge({ digits, shape, length, depth, className }: Omit<CutProps, 'vertical'>) {
  const teeth = teethFrom(digits, shape, length)
  return (
    <svg
      className={className}
      viewBox={`0 0 ${length} ${depth}`}
      preserveAspectRatio="xMinYMid slice"
      aria-hidden="true"
    >
      <path className="fill" d={cutArea(teeth, shape.mid, 0)} />
      <path className="desk" d={raisedTeeth(teeth, shape.mid)} />
      <path className="line" d={toPath(cutLine(teeth, shape.mid))} />
    </svg>
  )
}
