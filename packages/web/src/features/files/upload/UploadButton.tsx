import { type ChangeEvent, type ComponentProps, useRef } from 'react'
import { ChevronDown, CircleCheck, Upload } from 'lucide-react'
import { useWanted } from '../../../app/useWanted.ts'
import { loadLater } from '../../../ui/lazy.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button, buttonClass } from '../../../ui/button/Button.tsx'
import { fileTexts as texts } from '../texts.ts'
import { uploadTexts } from './texts.ts'
import type { Approval } from './useApproval.ts'
import '../fileState.css'

const options = loadLater(() => import('./UploadOptions.tsx'))

interface UploadButtonProps {
  disabled: boolean
  approval: Approval
  onFiles: (files: readonly File[]) => void
}

/** Selects files to upload; several are sent in sequence. The button beside it opens the options. */
export function UploadButton({ disabled, approval, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const UploadOptions = useStore(options)?.UploadOptions
  const [wanted, press] = useWanted(options)

  function chosen(event: ChangeEvent<HTMLInputElement>) {
    const files = Array.from(event.target.files ?? [])
    // Reset, so that the same file can be selected again.
    event.target.value = ''
    onFiles(files)
  }

  return (
    <div className="upload">
      <Button size="sm" className="upload-l" disabled={disabled} onClick={() => input.current?.click()}>
        <Upload className="ic" />
        {texts.upload}
      </Button>
      <input ref={input} type="file" multiple hidden tabIndex={-1} aria-label={texts.upload} onChange={chosen} />
      {UploadOptions ? (
        <UploadOptions
          defaultOpen={wanted}
          approval={approval}
          trigger={<OptionsButton approval={approval} disabled={disabled} />}
        />
      ) : (
        <OptionsButton approval={approval} disabled={disabled} aria-busy={wanted} onClick={press} />
      )}
    </div>
  )
}

/** Opens the upload options; stands beside UPLOAD FILE, and shows that files are approved at once. */
function OptionsButton({ approval, ...props }: ComponentProps<'button'> & { approval: Approval }) {
  const { isOn, firstName } = approval
  const name = isOn ? `${texts.options}. ${uploadTexts.approved(firstName)}` : texts.options
  return (
    <button
      type="button"
      className={`${buttonClass({ size: 'sm', icon: true })} upload-more`}
      aria-label={name}
      aria-haspopup="menu"
      title={name}
      {...props}
    >
      {isOn && <CircleCheck className="ic ic-sm upload-approved" />}
      <ChevronDown className="ic" />
    </button>
  )
}
