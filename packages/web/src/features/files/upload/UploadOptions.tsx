import type { ReactNode } from 'react'
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useStore } from '../../../ui/useStore.ts'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { keepMetadata } from './metadataSetting.ts'
import { fileTexts as texts } from '../texts.ts'
import { uploadTexts } from './texts.ts'
import type { Approval } from './useApproval.ts'

interface UploadOptionsProps {
  defaultOpen: boolean
  approval: Approval
  trigger: ReactNode
}

/** Options for files before they are shared. */
export function UploadOptions({ defaultOpen, approval, trigger }: UploadOptionsProps) {
  const kept = useStore(keepMetadata)
  const { firstName, isOn, set } = approval
  return (
    <Menu label={texts.options} defaultOpen={defaultOpen} trigger={trigger}>
      <Option
        label={uploadTexts.approve(firstName)}
        hint={uploadTexts.approveHint(firstName)}
        checked={isOn}
        onChange={set}
      />
      <Option
        label={texts.removeMetadata}
        hint={texts.removeMetadataHint}
        checked={!kept}
        onChange={(remove) => keepMetadata.set(!remove)}
      />
    </Menu>
  )
}

interface OptionProps {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** The menu stays open when an item is checked. */
function Option({ label, hint, checked, onChange }: OptionProps) {
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item menu-check"
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="tick" aria-hidden="true">
        <DropdownMenu.ItemIndicator>
          <Check className="ic ic-sm" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </DropdownMenu.CheckboxItem>
  )
}
