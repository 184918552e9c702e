import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import { Upload } from 'lucide-react'
import { fileTexts as texts } from '../texts.ts'
import { uploadTexts } from './texts.ts'
import type { Approval } from './useApproval.ts'
import '../fileState.css'

const carriesFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') ?? false

/** Handlers for an area that accepts dropped and pasted files, without folders. `over`: files are dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void, disabled: boolean) {
  const depth = useRef(0)
  const [over, setOver] = useState(false)

  function set(next: number) {
    depth.current = Math.max(0, next)
    setOver(depth.current > 0)
  }

  const handlers = {
    onDragEnter(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      if (!disabled) set(depth.current + 1)
    },
    onDragOver(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = disabled ? 'none' : 'copy'
    },
    onDragLeave(event: DragEvent) {
      if (carriesFiles(event.dataTransfer)) set(depth.current - 1)
    },
    onDrop(event: DragEvent) {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      set(0)
      const files = Array.from(event.dataTransfer.items)
        .filter((item) => item.kind === 'file' && !item.webkitGetAsEntry()?.isDirectory)
        .map((item) => item.getAsFile())
        .filter((file) => file !== null)
      if (!disabled) onFiles(files)
    },
    onPaste(event: ClipboardEvent) {
      const files = Array.from(event.clipboardData.files)
      if (files.length === 0 || disabled) return
      event.preventDefault()
      onFiles(files)
    },
  }
  return { over, handlers }
}

/** Covers the conversation while files are dragged over it. */
export function DropTarget({ approval: { firstName, isOn } }: { approval: Approval }) {
  return (
    <div className="drop" aria-hidden="true">
      <div>
        <Upload className="ic ic-lg" />
        <b>{texts.drop(firstName)}</b>
        <span>{texts.dropHint}</span>
        {isOn && <span>{uploadTexts.approved(firstName)}</span>}
      </div>
    </div>
  )
}
