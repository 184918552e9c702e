import { useEffect, useState } from 'react'
import { viewerTexts as texts } from './texts.ts'

/** More would make the page slow. */
const maxCharacters = 500_000

/** By its byte order mark, else UTF-8. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Shows the characters of a file, whatever they say: nothing in it is read as code, markup or a link. */
export function TextView({ file, zoom }: { file: Blob; zoom: number }) {
  const [text, setText] = useState('')
  useEffect(() => {
    let isCurrent = true
    void file.arrayBuffer().then((bytes) => {
      const decoded = new TextDecoder(encodingOf(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)))).decode(bytes)
      if (isCurrent) setText(decoded)
    })
    return () => void (isCurrent = false)
  }, [file])
  return (
    <>
      <pre dir="auto" style={{ fontSize: `${zoom}em` }}>
        {text.slice(0, maxCharacters)}
      </pre>
      {text.length > maxCharacters && <p className="note">{texts.cut}</p>}
    </>
  )
}
