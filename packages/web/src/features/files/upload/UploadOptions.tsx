import type { ReactNode } from 'react'
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useStore } from '../../../ui/useStore.ts'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { keepMetadata } from './metadataSetting.ts'
import { fileTexts as texts } from '../texts.ts'

/** Options for photos before they are shared. The menu stays open when an item is checked. */
export function UploadOptions({ defaultOpen, trigger }: { defaultOpen: boolean; trigger: ReactNode }) {
  const kept = useStore(keepMetadata)
  return (
    <Menu label={texts.options} defaultOpen={defaultOpen} trigger={trigger}>
      <DropdownMenu.CheckboxItem
        className="menu-item menu-check"
        checked={!kept}
        onCheckedChange={(remove) => keepMetadata.set(!remove)}
        onSelect={(event) => event.preventDefault()}
      >
        <span className="tick" aria-hidden="true">
          <DropdownMenu.ItemIndicator>
            <Check className="ic ic-sm" />
          </DropdownMenu.ItemIndicator>
        </span>
        <span>
          {texts.removeMetadata}
          <small>{texts.removeMetadataHint}</small>
        </span>
      </DropdownMenu.CheckboxItem>
    </Menu>
  )
}
