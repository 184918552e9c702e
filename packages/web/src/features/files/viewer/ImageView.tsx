import { useEffect, useState } from 'react'
import type { Size } from './zoom.ts'
import { viewerTexts as texts } from './texts.ts'

/** Pixels that a browser can hold without the tab being at risk: a small file may declare more. */
const maxPixels = 120_000_000

interface ImageViewProps {
  file: Blob
  name: string
  zoom: number
  room: Size
  onFailed: (why: string) => void
}

/** Browsers turn a photograph as its orientation says. */
export function ImageView({ file, name, zoom, room, onFailed }: ImageViewProps) {
  const [shown, setShown] = useState<{ url: string; size: Size }>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    const image = new Image()
    // Called once the size is known; pixels are decoded when they are painted.
    image.addEventListener('load', () => {
      const size = { width: image.naturalWidth, height: image.naturalHeight }
      if (size.width * size.height > maxPixels) onFailed(texts.tooManyPixels)
      else setShown({ url, size })
    })
    image.addEventListener('error', () => onFailed(texts.notShown))
    image.src = url
    return () => {
      image.src = ''
      URL.revokeObjectURL(url)
    }
  }, [file, onFailed])
  if (!shown) return null
  const { url, size } = shown
  const fit = Math.min(1, room.width / size.width, room.height / size.height)
  return (
    <img src={url} alt={name} width={size.width * fit * zoom} height={size.height * fit * zoom} draggable={false} />
  )
}
