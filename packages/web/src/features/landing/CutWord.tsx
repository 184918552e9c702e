import { useId } from 'react'
import { cutArea, type Tooth } from '../../ui/cut/Cut.tsx'

interface CutWordProps {
  text: string
  className: string
  width: number
  height: number
  /** Vertical position of the cut, and its teeth. */
  mid: number
  teeth: Tooth[]
  baseline: number
  fontSize: number
  textLength: number
}

/** A word with a cut through it: the upper part dark on light, the lower part light on dark. */
export function CutWord({ text, className, width, height, mid, teeth, baseline, fontSize, textLength }: CutWordProps) {
  const id = useId()
  const word = {
    x: width / 2,
    y: baseline,
    textAnchor: 'middle' as const,
    fontSize,
    textLength,
    lengthAdjust: 'spacing' as const,
  }
  const below = cutArea(teeth, mid, height + 20)
  return (
    <svg className={`chiro ${className}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <clipPath id={`${id}up`}>
          <path d={cutArea(teeth, mid, -20)} />
        </clipPath>
        <clipPath id={`${id}down`}>
          <path d={below} />
        </clipPath>
      </defs>
      <g clipPath={`url(#${id}up)`}>
        <text className="up" {...word}>
          {text}
        </text>
      </g>
      <path className="dn-bg" d={below} />
      <g clipPath={`url(#${id}down)`}>
        <text className="dn" {...word}>
          {text}
        </text>
      </g>
    </svg>
  )
}

/** Teeth placed by hand, so that they fall between the letters. */
const teeth = (height: number, places: [at: number, width: number][]): Tooth[] =>
  places.map(([at, width], i) => ({ at, width, height: i % 2 === 0 ? height : -height }))

export const wideCut = teeth(24, [
  [36, 46],
  [224, 50],
  [402, 50],
  [590, 54],
  [772, 52],
  [940, 50],
  [1086, 52],
  [1262, 54],
  [1376, 46],
])

export const narrowCut = teeth(9, [
  [6, 17],
  [74, 18],
  [138, 18],
  [219, 18],
  [302, 18],
  [360, 18],
])
