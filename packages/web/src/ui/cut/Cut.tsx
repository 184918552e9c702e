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

/** A dovetail tooth: start and width of its base, and its height (positive is up). */
export interface Tooth {
  at: number
  width: number
  height: number
}

interface CutShape {
  /** Width of an average tooth. */
  tooth: number
  /** Approximate distance between two teeth. */
  run: number
  /** Maximum height of a tooth. */
  amp: number
  start: number
  /** Position of the straight line. */
  mid: number
}

/** Shapes of all cuts, by their place. */
export const cutShapes = {
  code: { tooth: 15, run: 88, amp: 6.5, start: -18, mid: 8 },
  safety: { tooth: 22, run: 64, amp: 8.5, start: 0, mid: 11 },
  authSide: { tooth: 46, run: 150, amp: 16, start: 0, mid: 20 },
  authTop: { tooth: 20, run: 80, amp: 7, start: 0, mid: 9 },
} satisfies Record<string, CutShape>

/** Straight extension before the first and after the last tooth. */
const overrun = 400

const round = (value: number) => Math.round(value * 100) / 100

/** Derives teeth from groups of three digits: distance, width, height and direction. Ignores digits beyond `length`. */
export function teethFrom(digits: string, shape: CutShape, length: number): Tooth[] {
  const teeth: Tooth[] = []
  let x = shape.start
  for (let i = 0; i * 3 + 2 < digits.length && x < length; i += 1) {
    const [a = 0, b = 0, c = 0] = Array.from(digits.slice(i * 3, i * 3 + 3), Number)
    const width = shape.tooth * (0.75 + 0.07 * b)
    const height = shape.amp * (0.86 + (0.14 * c) / 9)
    x += shape.run * (0.55 + 0.1 * a)
    teeth.push({ at: x, width, height: (b + c + i) % 2 === 0 ? height : -height })
    x += width
  }
  return teeth
}

function corners({ at, width, height }: Tooth, mid: number): [number, number][] {
  const slant = Math.min(0.16 * width, 0.4 * Math.abs(height))
  return [
    [at, mid],
    [at - slant, mid - height],
    [at + width + slant, mid - height],
    [at + width, mid],
  ]
}

/** Points of the line from left to right. */
export function cutLine(teeth: Tooth[], mid: number): [number, number][] {
  const last = teeth.at(-1)
  const end = last ? last.at + last.width + overrun : overrun
  return [[-overrun, mid], ...teeth.flatMap((tooth) => corners(tooth, mid)), [end, mid]]
}

/** SVG path through the points; `vertical` swaps the axes. */
export function toPath(points: [number, number][], vertical = false): string {
  return points
    .map(([x, y], i) => `${i ? 'L' : 'M'}${vertical ? `${round(y)} ${round(x)}` : `${round(x)} ${round(y)}`}`)
    .join('')
}

/** Path of the area between the cut and a straight edge at `edge`. */
export function cutArea(teeth: Tooth[], mid: number, edge: number, vertical = false): string {
  const line = cutLine(teeth, mid)
  const end = line.at(-1)?.[0] ?? overrun
  return `${toPath([...line, [end, edge], [-overrun, edge]], vertical)}Z`
}
