import { Copy, Flag } from 'lucide-react'
import type { DecryptedMessage } from '@privity/client'
import { copyText, publishMessageCopied } from '../../../browser/clipboard.ts'
import { MenuAt, MenuItem } from '../../../ui/overlay/Menu.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { messageTexts as texts } from '../texts.ts'
import type { OpenMenu } from './useMessageMenu.ts'

interface MessageMenuProps {
  message: DecryptedMessage
  menu: OpenMenu
  onClose: () => void
  onReport: (message: DecryptedMessage) => void
}

async function copy(text: string): Promise<void> {
  const isCopied = await copyText(text)
  if (isCopied) publishMessageCopied()
  toast(isCopied ? { title: texts.copied } : { title: texts.notCopied, tone: 'destructive' })
}

/** A message's menu on touch screens, where buttons beside the message would be in the way. */
export function MessageMenu({ message, menu, onClose, onReport }: MessageMenuProps) {
  const text = copyableText(message)
  const { x, y, opener } = menu
  return (
    <MenuAt x={x} y={y} label={texts.actions} opener={opener} onClose={onClose}>
      {text !== undefined && (
        <MenuItem onSelect={() => void copy(text)}>
          <Copy className="ic" />
          {texts.copy}
        </MenuItem>
      )}
      {canReport(message) && (
        <MenuItem
          onSelect={() => {
            // Focus the opener first, because the dialog returns the focus to the element that has it now.
            opener?.focus()
            onReport(message)
          }}
        >
          <Flag className="ic" />
          {texts.report}
        </MenuItem>
      )}
    </MenuAt>
  )
}

/** The text to copy; undefined if the message has none. */
const copyableText = ({ body }: DecryptedMessage): string | undefined => (body.kind === 'text' ? body.text : undefined)

/** Only readable messages of the contact can be reported. */
export const canReport = ({ mine, body }: DecryptedMessage): boolean => !mine && body.kind !== 'unreadable'

export const hasActions = (message: DecryptedMessage): boolean =>
  copyableText(message) !== undefined || canReport(message)
