import type { ComponentProps } from 'react'
import { ChevronDown } from 'lucide-react'
import { buttonClass } from '../../../ui/button/Button.tsx'
import { fileTexts as texts } from '../texts.ts'

/** Opens the upload options; stands beside UPLOAD FILE. */
export function OptionsButton(props: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={`${buttonClass({ size: 'sm', icon: true })} upload-more`}
      aria-label={texts.options}
      aria-haspopup="menu"
      title={texts.options}
      {...props}
    >
      <ChevronDown className="ic" />
    </button>
  )
}
