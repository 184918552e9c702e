import { type RefObject, useEffect, useState } from 'react'

const steps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]

export const zoomedIn = (zoom: number): number => steps.find((step) => step > zoom) ?? zoom
export const zoomedOut = (zoom: number): number => steps.findLast((step) => step < zoom) ?? zoom

export interface Size {
  width: number
  height: number
}

/** The room inside an element, without its padding; follows changes. */
export function useRoom(element: RefObject<HTMLElement | null>): Size | undefined {
  const [room, setRoom] = useState<Size>()
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return room
}
