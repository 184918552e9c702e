import { splitName, tileLabel } from './fileName.ts'
import '../../ui/tile/file.css'
import './fileState.css'

export function FileTile({ name }: { name: string }) {
  return (
    <span className="file-ic" aria-hidden="true">
      <span>{tileLabel(name)}</span>
    </span>
  )
}

/** A long name gives way in its middle; the whole of it is in the tooltip and read out. */
export function FileName({ name }: { name: string }) {
  const [start, end] = splitName(name)
  if (!end)
    return (
      <div className="fn trunc" dir="auto" title={name}>
        {name}
      </div>
    )
  return (
    <div className="fn fn-split" title={name}>
      <span className="sr">{name}</span>
      <span className="trunc" aria-hidden="true">
        {start}
      </span>
      <span aria-hidden="true">{end}</span>
    </div>
  )
}
