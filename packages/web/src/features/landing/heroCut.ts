import type { Tooth } from '../../ui/cut/cutGeometry.ts'

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
