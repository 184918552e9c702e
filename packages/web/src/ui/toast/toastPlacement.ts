export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Distance in px from obstacles and from the edges of the window. */
const gap = 8

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

// Copy each property: spreading a DOMRect copies none.
const moved = (box: Box, top: number): Box => {
  const { left, right } = box
  return { left, right, top, bottom: top + box.bottom - box.top }
}

function nearestFree(box: Box, windowHeight: number, obstacles: readonly Box[]): number | undefined {
  const height = box.bottom - box.top
  const tops = [box.top, ...obstacles.flatMap(({ top, bottom }) => [bottom + gap, top - gap - height])]
  return tops
    .filter((top) => top >= gap && top + height <= windowHeight - gap)
    .filter((top) => !obstacles.some((obstacle) => overlaps(moved(box, top), obstacle)))
    .toSorted((a, b) => Math.abs(a - box.top) - Math.abs(b - box.top))[0]
}

/**
 * The top position closest to the current one at which the box covers nothing. Obstacles are ordered by priority:
 * without enough room, the last groups are covered. Without any room, the box stays.
 */
export function freeTop(box: Box, windowHeight: number, ...obstacles: (readonly Box[])[]): number {
  for (let count = obstacles.length; count > 0; count--) {
    const top = nearestFree(box, windowHeight, obstacles.slice(0, count).flat())
    if (top !== undefined) return top
  }
  return box.top
}
