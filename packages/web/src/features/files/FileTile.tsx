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

/** Truncates a long name in the middle; the tooltip and screen readers get the full name. */
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
