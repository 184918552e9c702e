import { Copy, Flag, Reply, Trash2 } from 'lucide-react'
import { type DecryptedMessage, quoteOf } from '@privity/client'
import { copyText, publishMessageCopied } from '../../../browser/clipboard.ts'
import { MenuAt, MenuItem } from '../../../ui/overlay/Menu.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { setReply } from '../quotes/reply.ts'
import { messageTexts } from '../texts.ts'
import { canDelete, canReport, copyableText } from './messageActions.ts'
import { menuTexts as texts } from './texts.ts'
import type { OpenMenu } from './useMessageMenu.ts'

interface MessageMenuProps {
  message: DecryptedMessage
  menu: OpenMenu
  onClose: () => void
  onReport: (message: DecryptedMessage) => void
  onDelete: (message: DecryptedMessage) => void
}

async function copy(text: string): Promise<void> {
  const isCopied = await copyText(text)
  if (isCopied) publishMessageCopied()
  toast(isCopied ? { title: texts.copied } : { title: texts.notCopied, tone: 'destructive' })
}

/** A message's menu. */
export function MessageMenu({ message, menu, onClose, onReport, onDelete }: MessageMenuProps) {
  const text = copyableText(message)
  const { x, y, opener } = menu
  /** Focuses the opener first, because the dialog returns the focus to the element that has it now. */
  const ask = (open: (message: DecryptedMessage) => void) => () => {
    opener?.focus()
    open(message)
  }
  return (
    <MenuAt x={x} y={y} label={messageTexts.actions} opener={opener} onClose={onClose}>
      <MenuItem onSelect={() => setReply(message.connectionId, quoteOf(message))}>
        <Reply className="ic" />
        {texts.reply}
      </MenuItem>
      {text !== undefined && (
        <MenuItem onSelect={() => void copy(text)}>
          <Copy className="ic" />
          {texts.copy}
        </MenuItem>
      )}
      {canReport(message) && (
        <MenuItem onSelect={ask(onReport)}>
          <Flag className="ic" />
          {texts.report}
        </MenuItem>
      )}
      {canDelete(message) && (
        <MenuItem danger onSelect={ask(onDelete)}>
          <Trash2 className="ic" />
          {texts.deleteForBoth}
        </MenuItem>
      )}
    </MenuAt>
  )
}
