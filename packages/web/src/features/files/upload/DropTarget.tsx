import { Upload } from 'lucide-react'
import { fileTexts as texts } from '../texts.ts'
import '../fileState.css'

/** Covers the conversation while files are dragged over it. */
export function DropTarget({ firstName }: { firstName: string }) {
  return (
    <div className="drop" aria-hidden="true">
      <div>
        <Upload className="ic ic-lg" />
        <b>{texts.drop(firstName)}</b>
        <span>{texts.dropHint}</span>
      </div>
    </div>
  )
}
